// One rate shared by streams: whose request is granted next, and when. The time is passed in.
//
// When: the generic cell rate algorithm (ITU-T I.371, annex A), a token bucket kept as one time. A
// grant of n bytes moves the time of the next grant by n / rate, without rounding in the long run.
// Time without requests is credited, up to `burst`; so is the delay of a caller that comes late.
//
// Who: start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996). The start tag of a request is
// the larger of the virtual time and the stream's last finish tag, its finish tag that plus its
// bytes by its weight, of which the greatest counts as 1 (core/transfer_weight.h). The smallest
// start tag is granted first, the smaller id at a tie; the virtual time is the start tag of the
// last grant. Of two streams that wait throughout an interval, neither is granted more than the
// other, both by their weights, by more than their two largest requests by theirs (theorem 1
// there).
//
// Unlike there, a stream whose next request comes late may catch up: its start tag is at least the
// virtual time less the bytes of `burst` by its weight. Otherwise threads that the kernel runs late
// would fall behind again and again, since one that is running takes all the credit meanwhile. A
// new stream has nothing to catch up.
//
// A request may become ready later, for example after a seek: that delays one stream and takes
// nothing from the others, as on a disk with a queue of commands.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/transfer_weight.h"

namespace tracebed {

using StreamId = Id<struct StreamTag>;

struct RateLimits {
  static constexpr std::uint64_t rate_max = 1'000'000'000'000;

  std::optional<std::uint64_t> bytes_per_second;  // 1 … rate_max; none: unlimited
  std::chrono::nanoseconds burst = std::chrono::milliseconds(100);
  std::size_t streams_max = 4'096;  // open at once
};

class RateShare {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  static constexpr std::uint64_t request_bytes_max = std::uint64_t{1} << 30;

  // There is no credit at first.
  RateShare(const RateLimits& limits, Moment now);

  // The smallest free id; none if there are `streams_max`. The weight is 1 … transfer_weight_max
  // (checked).
  std::optional<StreamId> open(std::uint32_t weight = transfer_weight_max);
  // Its request is dropped.
  void close(StreamId stream);

  // A stream has one request at a time, of 1 … request_bytes_max bytes (checked), which does not
  // compete before `ready`.
  void request(StreamId stream, std::uint64_t bytes, Moment ready);
  // Appends the streams whose requests are granted by now, in order.
  void grant_due(Moment now, std::vector<StreamId>& granted);
  // When grant_due() has something to do next; Moment::max() if nothing is requested.
  Moment next_due() const;
  // Whose request is granted or becomes ready next, if all stays as it is; invalid if there is
  // none.
  StreamId next_stream() const;

  // Debt from past grants is paid off at the new rate. Credit is kept as time, so it is worth more
  // bytes at a higher rate; an unlimited rate leaves none.
  void set_rate(std::optional<std::uint64_t> bytes_per_second, Moment now);

  const RateLimits& limits() const { return limits_; }
  std::size_t streams() const { return open_streams_; }
  std::size_t requests() const { return waiting_.size() + seeking_.size(); }

 private:
  struct Stream {
    bool is_open = false;
    std::uint32_t weight = transfer_weight_max;
    std::uint64_t requested = 0;  // bytes; 0: nothing
    std::uint64_t start_tag = 0;  // while it waits
    std::uint64_t finish_tag = 0;
    Moment ready{};
  };

  Stream& open_stream(StreamId stream);
  std::uint64_t burst_bytes() const;
  // What so many bytes are of the virtual time.
  static std::uint64_t by_weight(std::uint64_t bytes, const Stream& stream);
  void grant(StreamId stream);
  void charge(std::uint64_t bytes);

  RateLimits limits_;
  std::vector<Stream> streams_;  // by id
  std::set<StreamId> free_;
  std::size_t open_streams_ = 0;
  std::set<std::pair<std::uint64_t, StreamId>> waiting_;  // by start tag
  std::set<std::pair<Moment, StreamId>> seeking_;         // by the time at which they are ready
  std::uint64_t virtual_time_ = 0;
  Moment next_grant_;
  std::uint64_t remainder_ = 0;  // of the division in charge()
};

}  // namespace tracebed
