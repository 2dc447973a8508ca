#include "controllers/pid.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "controllers/share_bounds.h"

namespace tracebed {
namespace {

const std::vector<SettingDescription>& settings() {
  static const std::vector<SettingDescription> all{
      {"period_ms", "15000", "milliseconds between two steps"},
      {"target", "0.9", "memory in use that it aims at"},
      {"kp", "0.5", "share for each whole of a change of the error"},
      {"ki", "0.02", "share for each whole of the error, in a second"},
      {"kd", "0", "share for each whole of a change of the error's change in a second"},
      {"a_min", "0.05", "the least value"},
      {"a_max", "0.95", "the largest value"},
  };
  return all;
}

struct Options {
  Duration period{};
  double target = 0;
  double kp = 0;
  double ki = 0;
  double kd = 0;
  ShareBounds bounds;
};

class Pid final : public Controller {
 public:
  Pid(const Options& options, std::int64_t value)
      : options_(options), value_(options.bounds.clamp(stated_share(value))) {}

  ControllerStep step(const ControllerInput& input) override {
    if (input.pending == 0 || input.memory_total_mib <= 0) {
      before_.reset();
      return {.next = options_.period};
    }
    const double error = options_.target - static_cast<double>(input.memory_used_mib) /
                                               static_cast<double>(input.memory_total_mib);
    if (!before_) before_ = {error, error};
    const double seconds = to_seconds(options_.period);
    const double change =
        options_.kp * (error - before_->last) + options_.ki * error * seconds +
        options_.kd * (error - 2 * before_->last + before_->last_but_one) / seconds;
    before_ = {error, before_->last};
    const std::int64_t value = options_.bounds.clamp(
        value_ + std::llround(std::clamp(change, -1.0, 1.0) * static_cast<double>(whole_share)));
    if (value == value_) return {.next = options_.period};
    value_ = value;
    return {.value = value_, .next = options_.period};
  }
  void refused(std::int64_t in_force) override {
    value_ = options_.bounds.clamp(stated_share(in_force));
  }

 private:
  struct Errors {
    double last = 0;
    double last_but_one = 0;
  };

  Options options_;
  std::int64_t value_;
  std::optional<Errors> before_;
};

Result<std::unique_ptr<Controller>> make(const SettingValues& values, std::int64_t value) {
  constexpr double gain_max = 1'000;
  SettingReader reader("controller pid", settings(), values);
  Options options;
  options.period = reader.milliseconds_of("period_ms", 1, 86'400'000);
  options.target = reader.fraction("target", 0, 1);
  options.kp = reader.fraction("kp", 0, gain_max);
  options.ki = reader.fraction("ki", 0, gain_max);
  options.kd = reader.fraction("kd", 0, gain_max);
  options.bounds = {read_share(reader, "a_min"), read_share(reader, "a_max")};
  if (const Status status = reader.status(); !status) return status.error();
  if (options.bounds.low > options.bounds.high) {
    return Error{"controller pid: a_min: expected at most a_max", "a_min"};
  }
  return std::unique_ptr<Controller>(std::make_unique<Pid>(options, value));
}

}  // namespace

ControllerEntry pid_entry() {
  return {.name = "pid",
          .summary =
              "Keeps the memory in use at a target while jobs are pending, by a PID controller in "
              "its velocity form; the plain reference beside the others.",
          .source = "K. J. Åström and T. Hägglund, PID Controllers, 1995, section 3.5",
          .settings = settings(),
          .make = make};
}

}  // namespace tracebed
