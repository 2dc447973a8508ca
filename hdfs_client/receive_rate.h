// Whether bytes come fast enough. Only the time in which they are waited for counts, so a consumer
// that takes its time makes no datanode slow.
#pragma once

#include <chrono>
#include <cstdint>

namespace tracebed::hdfs {

struct MinimumRate {
  std::uint64_t bytes_per_second = 0;         // 0: none
  std::chrono::milliseconds measured{5'000};  // over this much waiting

  bool is_set() const { return bytes_per_second > 0; }
};

class ReceiveRate {
 public:
  explicit ReceiveRate(MinimumRate minimum) : minimum_(minimum) {}

  // True if less came in a whole period of waiting than was to.
  bool add(std::uint64_t bytes, std::chrono::nanoseconds waited) {
    bytes_ += bytes;
    waited_ += waited;
    if (!minimum_.is_set() || waited_ < minimum_.measured) return false;
    const double seconds = std::chrono::duration<double>(waited_).count();
    const bool is_too_slow =
        static_cast<double>(bytes_) < static_cast<double>(minimum_.bytes_per_second) * seconds;
    bytes_ = 0;
    waited_ = {};
    return is_too_slow;
  }

 private:
  MinimumRate minimum_;
  std::uint64_t bytes_ = 0;
  std::chrono::nanoseconds waited_{};
};

}  // namespace tracebed::hdfs
