// Queues by the names that mappings call them: the path, or its last part where only one queue,
// parent or leaf, has it (scheduler.capacity.CSQueueStore).
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

struct NamedQueue {
  std::string path;  // "root.a.b"
  bool is_leaf = false;
  bool creates_queues = false;  // below it, as applications need them
  bool manages_queues = false;  // likewise leaves alone
  std::size_t index = 0;        // the owner's
};

class NamedQueues {
 public:
  NamedQueues() = default;
  explicit NamedQueues(const std::vector<NamedQueue>& queues);

  void add(const NamedQueue& queue);

  // Null if there is none, or several have this last part. "root" is the root alone.
  const NamedQueue* find(std::string_view name) const;
  // Whether several queues have this last part.
  bool is_ambiguous(std::string_view name) const;

 private:
  std::map<std::string, NamedQueue, std::less<>> queues_;
  std::set<std::string, std::less<>> ambiguous_;
  std::set<std::string, std::less<>> last_parts_;  // of all queues but the root
};

// The parts between dots, without empty ones at the end (java.lang.String.split).
std::vector<std::string> path_parts(std::string_view path);
// With dots between them.
std::string joined_path(const std::vector<std::string>& parts);

}  // namespace tracebed
