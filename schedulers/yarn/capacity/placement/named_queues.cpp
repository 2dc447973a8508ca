#include "schedulers/yarn/capacity/placement/named_queues.h"

#include <algorithm>

namespace tracebed {

NamedQueues::NamedQueues(const std::vector<NamedQueue>& queues) {
  for (const NamedQueue& queue : queues) add(queue);
}

void NamedQueues::add(const NamedQueue& queue) {
  queues_[queue.path] = queue;
  const std::size_t dot = queue.path.rfind('.');
  if (dot == std::string::npos) return;  // the root, which is its own name
  const std::string last = queue.path.substr(dot + 1);
  if (last == "root") return;
  if (last_parts_.insert(last).second) {
    queues_.emplace(last, queue);
  } else {
    ambiguous_.insert(last);
    queues_.erase(last);
  }
}

const NamedQueue* NamedQueues::find(std::string_view name) const {
  const auto found = queues_.find(name);
  return found == queues_.end() ? nullptr : &found->second;
}

bool NamedQueues::is_ambiguous(std::string_view name) const {
  return ambiguous_.contains(name);
}

std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    parts.emplace_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  // A text without any dot is one part, also if it is empty.
  while (parts.size() > 1 && parts.back().empty()) parts.pop_back();
  return parts;
}

std::string joined_path(const std::vector<std::string>& parts) {
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) path += (i == 0 ? "" : ".") + parts[i];
  return path;
}

}  // namespace tracebed
