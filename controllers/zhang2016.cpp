#include "controllers/zhang2016.h"

#include <algorithm>
#include <cmath>

#include "controllers/share_bounds.h"

namespace tracebed {
namespace {

constexpr double process_noise = 0.9;
constexpr double measurement_noise = 0.1;
constexpr double low_use = 0.9;
constexpr double high_use = 0.95;
constexpr int looks_max = 10;
constexpr Duration look_interval = seconds(1);
constexpr std::int64_t least_change = whole_share / 100;

const std::vector<SettingDescription>& settings() {
  static const std::vector<SettingDescription> all{
      {"period_ms", "1001", "milliseconds from the end of a poll to the next"},
      {"a_min", "0.1", "the least value"},
      {"a_max", "1.0", "the largest value"},
  };
  return all;
}

std::int64_t change_for(double distance) {
  const double share = std::sqrt(distance * 100) / 100;
  return std::max<std::int64_t>(std::llround(share * static_cast<double>(whole_share)),
                                least_change);
}

class Zhang2016 final : public Controller {
 public:
  Zhang2016(Duration period, const ShareBounds& bounds, std::int64_t value)
      : period_(period), bounds_(bounds), value_(bounds.clamp(stated_share(value))) {}

  ControllerStep step(const ControllerInput& input) override {
    if (looks_ == 0 && input.pending == 0) return {.next = period_};
    const double total = static_cast<double>(std::max<std::int64_t>(input.memory_total_mib, 1));
    const double use = filter_.take(static_cast<double>(input.queue_used_mib) / total);
    ++looks_;
    if (use >= low_use && looks_ < looks_max) return {.next = look_interval};
    looks_ = 0;
    const std::int64_t before = value_;
    if (use < low_use) value_ = bounds_.clamp(value_ + change_for(low_use - use));
    if (use > high_use) value_ = bounds_.clamp(value_ - change_for(use - high_use));
    if (value_ == before) return {.next = period_};
    return {.value = value_, .next = period_};
  }
  void refused(std::int64_t in_force) override { value_ = bounds_.clamp(stated_share(in_force)); }

 private:
  Duration period_;
  ShareBounds bounds_;
  std::int64_t value_;
  ScalarKalmanFilter filter_{process_noise, measurement_noise};
  int looks_ = 0;  // of this poll
};

Result<std::unique_ptr<Controller>> make(const SettingValues& values, std::int64_t value) {
  SettingReader reader("controller zhang2016", settings(), values);
  const Duration period = reader.milliseconds_of("period_ms", 1, 86'400'000);
  const ShareBounds bounds{read_share(reader, "a_min"), read_share(reader, "a_max")};
  if (const Status status = reader.status(); !status) return status.error();
  if (bounds.low > bounds.high) {
    return Error{"controller zhang2016: a_min: expected at most a_max", "a_min"};
  }
  return std::unique_ptr<Controller>(std::make_unique<Zhang2016>(period, bounds, value));
}

}  // namespace

double ScalarKalmanFilter::take(double measured) {
  const double predicted = variance_ + process_noise_;
  const double gain = predicted / (predicted + measurement_noise_);
  estimate_ += gain * (measured - estimate_);
  variance_ = (1 - gain) * predicted;
  return estimate_;
}

ControllerEntry zhang2016_entry() {
  return {.name = "zhang2016",
          .summary =
              "Keeps a queue's use between 0.9 and 0.95 by steps that grow with the "
              "distance, on a smoothed measurement.",
          .source = "Spirals-Team/hadoop-benchmark, the program that Zhang and others released",
          .settings = settings(),
          .make = make};
}

}  // namespace tracebed
