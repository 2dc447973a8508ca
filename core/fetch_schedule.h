// What a task fetches next, as Hadoop's reduces decide it
// (org.apache.hadoop.mapreduce.task.reduce.ShuffleSchedulerImpl): from a few hosts at a time, one
// request to each, for up to twenty outputs; hosts in an order of the task's own, so that not all
// tasks begin with the same one.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/task_work.h"

namespace tracebed {

// Of how many tasks the work fetches the output.
std::int64_t sources_of(const TaskWork& work);

class FetchSchedule {
 public:
  using Host = std::uint32_t;  // as the caller numbers them
  // Of one source's output for the stage.
  struct Part {
    std::uint32_t source = 0;
    std::int64_t begin = 0;  // bytes, in that output
    std::int64_t bytes = 0;
    bool operator==(const Part&) const = default;
  };
  struct Request {
    Host host = 0;
    std::span<const Part> parts;  // valid until the request ends
    std::int64_t bytes = 0;       // of all of them
  };

  // For work that fetches (core/task_work.h). `seed` is the task's own.
  FetchSchedule(const TaskWork& work, std::uint64_t seed);

  // The source, which must be one of the stage's (checked), can be fetched from the host; ignored
  // if its part is fetched, or waits for another host.
  void add(std::uint32_t source, Host host);
  // A request to begin now; none if there are enough, or nothing waits.
  std::optional<Request> next();
  // The request to the host has ended, with `bytes` bytes of each part. Parts that are whole count
  // as fetched, and their bytes are returned; the others can be added again.
  std::int64_t end(Host host, std::span<const std::int64_t> bytes);
  // Likewise, with `bytes` bytes of all parts together, which came one after the other.
  std::int64_t end(Host host, std::int64_t bytes);
  // What waits for the host can be added again. Not to be called while there is a request to it.
  void drop(Host host);

  bool knows(Host host) const { return hosts_.contains(host); }
  std::int64_t length() const { return length_; }
  std::int64_t fetched() const { return fetched_; }
  bool is_whole() const { return fetched_ == length_; }
  // What is fetched of the source.
  Part part_of(std::uint32_t source) const;

 private:
  enum class State : std::uint8_t { unknown, waiting, fetched };
  struct HostQueue {
    std::deque<Part> waiting;
    std::vector<Part> requested;
  };

  std::uint64_t order_of(Host host) const;

  std::int64_t sources_;
  std::int64_t offset_;
  std::int64_t length_;
  std::int64_t requests_max_;
  std::uint64_t seed_;
  std::int64_t fetched_ = 0;
  std::int64_t requests_ = 0;
  std::vector<State> states_;  // by source; empty before the first is added
  std::map<Host, HostQueue> hosts_;
  std::set<std::pair<std::uint64_t, Host>> waiting_hosts_;  // without a request, in their order
};

}  // namespace tracebed
