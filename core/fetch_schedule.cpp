#include "core/fetch_schedule.h"

#include <algorithm>

#include "core/check.h"
#include "core/mix.h"
#include "core/shuffle.h"

namespace tracebed {
namespace {

constexpr std::size_t parts_per_request_max = 20;  // ShuffleSchedulerImpl.MAX_MAPS_AT_ONCE

}  // namespace

std::int64_t sources_of(const TaskWork& work) {
  return work.shuffle_sources;
}

FetchSchedule::FetchSchedule(const TaskWork& work, std::uint64_t seed)
    : sources_(sources_of(work)),
      offset_(work.shuffle_offset),
      length_(work.shuffle_length),
      requests_max_(work.shuffle_copies),
      seed_(seed) {
  TRACEBED_CHECK(fetches(work), "a schedule is that of work that fetches");
}

FetchSchedule::Part FetchSchedule::part_of(std::uint32_t source) const {
  TRACEBED_CHECK(source < sources_, "a stage fetches from the sources that it has");
  const std::int64_t begin = shuffled_from(source, sources_, offset_);
  return {source, begin, shuffled_from(source, sources_, offset_ + length_) - begin};
}

std::uint64_t FetchSchedule::order_of(Host host) const {
  return mix(seed_ ^ mix(std::uint64_t{host} + 1));
}

void FetchSchedule::add(std::uint32_t source, Host host) {
  const Part part = part_of(source);
  if (states_.empty()) states_.resize(static_cast<std::size_t>(sources_), State::unknown);
  State& state = states_[source];
  if (state != State::unknown) return;
  if (part.bytes == 0) {
    state = State::fetched;
    return;
  }
  state = State::waiting;
  HostQueue& queue = hosts_[host];
  queue.waiting.push_back(part);
  if (queue.requested.empty()) waiting_hosts_.emplace(order_of(host), host);
}

std::optional<FetchSchedule::Request> FetchSchedule::next() {
  if (requests_ == requests_max_ || waiting_hosts_.empty()) return std::nullopt;
  const Host host = waiting_hosts_.begin()->second;
  waiting_hosts_.erase(waiting_hosts_.begin());
  HostQueue& queue = hosts_.at(host);
  std::int64_t bytes = 0;
  while (!queue.waiting.empty() && queue.requested.size() < parts_per_request_max) {
    queue.requested.push_back(queue.waiting.front());
    queue.waiting.pop_front();
    bytes += queue.requested.back().bytes;
  }
  ++requests_;
  return Request{host, queue.requested, bytes};
}

std::int64_t FetchSchedule::end(Host host, std::int64_t bytes) {
  std::vector<std::int64_t> by_part;
  for (const Part& part : hosts_.at(host).requested) {
    by_part.push_back(std::min(part.bytes, bytes));
    bytes -= by_part.back();
  }
  return end(host, by_part);
}

std::int64_t FetchSchedule::end(Host host, std::span<const std::int64_t> bytes) {
  HostQueue& queue = hosts_.at(host);
  TRACEBED_CHECK(!queue.requested.empty() && queue.requested.size() == bytes.size(),
                 "a request that has begun ends with what came of each of its parts");
  std::int64_t counted = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const Part& part = queue.requested[i];
    const bool is_whole = part.bytes <= bytes[i];
    states_[part.source] = is_whole ? State::fetched : State::unknown;
    if (is_whole) counted += part.bytes;
  }
  queue.requested.clear();
  fetched_ += counted;
  --requests_;
  if (!queue.waiting.empty()) waiting_hosts_.emplace(order_of(host), host);
  return counted;
}

void FetchSchedule::drop(Host host) {
  const auto found = hosts_.find(host);
  if (found == hosts_.end()) return;
  TRACEBED_CHECK(found->second.requested.empty(), "a host is dropped without a request to it");
  for (const Part& part : found->second.waiting) states_[part.source] = State::unknown;
  waiting_hosts_.erase({order_of(host), host});
  hosts_.erase(found);
}

}  // namespace tracebed
