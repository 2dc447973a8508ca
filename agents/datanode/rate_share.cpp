#include "agents/datanode/rate_share.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t nanoseconds_per_second = 1'000'000'000;

void check_rate(const std::optional<std::uint64_t>& rate) {
  TRACEBED_CHECK(!rate || (*rate > 0 && *rate <= RateLimits::rate_max), "a rate is in its bounds");
}

}  // namespace

RateShare::RateShare(const RateLimits& limits, Moment now) : limits_(limits), next_grant_(now) {
  check_rate(limits.bytes_per_second);
}

std::optional<StreamId> RateShare::open(std::uint32_t weight) {
  TRACEBED_CHECK(weight >= 1 && weight <= transfer_weight_max, "a weight is in its bounds");
  if (open_streams_ == limits_.streams_max) return std::nullopt;
  StreamId stream(streams_.size());
  if (free_.empty()) {
    streams_.emplace_back();
  } else {
    stream = *free_.begin();
    free_.erase(free_.begin());
  }
  streams_[stream.index()] = Stream{.is_open = true, .weight = weight, .finish_tag = virtual_time_};
  ++open_streams_;
  return stream;
}

RateShare::Stream& RateShare::open_stream(StreamId stream) {
  TRACEBED_CHECK(stream.index() < streams_.size() && streams_[stream.index()].is_open,
                 "a stream is used only while it is open");
  return streams_[stream.index()];
}

void RateShare::close(StreamId stream) {
  Stream& closed = open_stream(stream);
  waiting_.erase({closed.start_tag, stream});
  seeking_.erase({closed.ready, stream});
  closed.is_open = false;
  free_.insert(stream);
  --open_streams_;
}

void RateShare::request(StreamId stream, std::uint64_t bytes, Moment ready) {
  Stream& requesting = open_stream(stream);
  TRACEBED_CHECK(requesting.requested == 0, "a stream has one request at a time");
  TRACEBED_CHECK(bytes > 0 && bytes <= request_bytes_max, "a request is in its bounds");
  requesting.requested = bytes;
  requesting.ready = ready;
  seeking_.emplace(ready, stream);
}

void RateShare::grant_due(Moment now, std::vector<StreamId>& granted) {
  while (!seeking_.empty() && seeking_.begin()->first <= now) {
    const StreamId stream = seeking_.begin()->second;
    Stream& ready = streams_[stream.index()];
    seeking_.erase(seeking_.begin());
    const std::uint64_t missed_max = std::min(virtual_time_, by_weight(burst_bytes(), ready));
    ready.start_tag = std::max(virtual_time_ - missed_max, ready.finish_tag);
    waiting_.emplace(ready.start_tag, stream);
  }
  next_grant_ = std::max(next_grant_, now - limits_.burst);
  while (!waiting_.empty() && (!limits_.bytes_per_second || next_grant_ <= now)) {
    const StreamId stream = waiting_.begin()->second;
    grant(stream);
    granted.push_back(stream);
  }
}

std::uint64_t RateShare::burst_bytes() const {
  if (!limits_.bytes_per_second) return 0;
  const auto bytes = static_cast<Wide>(limits_.burst.count()) * *limits_.bytes_per_second;
  return static_cast<std::uint64_t>(bytes / nanoseconds_per_second);
}

// With the greatest rate, the longest burst and the least weight this has room.
std::uint64_t RateShare::by_weight(std::uint64_t bytes, const Stream& stream) {
  return static_cast<std::uint64_t>(Wide{bytes} * transfer_weight_max / stream.weight);
}

void RateShare::grant(StreamId stream) {
  Stream& granted = streams_[stream.index()];
  waiting_.erase({granted.start_tag, stream});
  virtual_time_ = std::max(virtual_time_, granted.start_tag);
  granted.finish_tag = granted.start_tag + by_weight(granted.requested, granted);
  charge(granted.requested);
  granted.requested = 0;
}

void RateShare::charge(std::uint64_t bytes) {
  if (!limits_.bytes_per_second) return;
  const std::uint64_t rate = *limits_.bytes_per_second;
  const std::uint64_t owed = bytes * nanoseconds_per_second + remainder_;
  static_assert(request_bytes_max * nanoseconds_per_second < ~std::uint64_t{0} / 2);
  next_grant_ += std::chrono::nanoseconds(static_cast<std::int64_t>(owed / rate));
  remainder_ = owed % rate;
}

RateShare::Moment RateShare::next_due() const {
  const Moment ready = seeking_.empty() ? Moment::max() : seeking_.begin()->first;
  return waiting_.empty() ? ready : std::min(ready, next_grant_);
}

StreamId RateShare::next_stream() const {
  if (!waiting_.empty()) return waiting_.begin()->second;
  return seeking_.empty() ? StreamId() : seeking_.begin()->second;
}

void RateShare::set_rate(std::optional<std::uint64_t> bytes_per_second, Moment now) {
  check_rate(bytes_per_second);
  if (!limits_.bytes_per_second || !bytes_per_second) {
    next_grant_ = now;
  } else if (next_grant_ > now) {
    const auto owed = static_cast<Wide>((next_grant_ - now).count()) * *limits_.bytes_per_second;
    const auto wait_max = static_cast<Wide>((Moment::max() - now).count());
    const Wide wait = std::min(owed / *bytes_per_second, wait_max);
    next_grant_ = now + std::chrono::nanoseconds(static_cast<std::int64_t>(wait));
  }
  limits_.bytes_per_second = bytes_per_second;
  remainder_ = 0;
}

}  // namespace tracebed
