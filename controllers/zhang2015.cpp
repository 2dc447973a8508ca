#include "controllers/zhang2015.h"

#include <algorithm>

#include "controllers/share_bounds.h"

namespace tracebed {
namespace {

const std::vector<SettingDescription>& settings() {
  static const std::vector<SettingDescription> all{
      {"period_ms", "15000", "milliseconds between two steps"},
      {"t1", "1.0", "memory in use, below which pending jobs mean under-allocation"},
      {"t2", "0.5", "memory of tasks, below which masters have too much"},
      {"step", "0.05", "each change"},
      {"a_min", "0.05", "the least value"},
      {"a_max", "0.95", "the largest value"},
      {"unit_mib", "1024", "MiB of a unit; a master counts as two"},
  };
  return all;
}

struct Options {
  Duration period{};
  std::int64_t t1 = 0;
  std::int64_t t2 = 0;
  std::int64_t step = 0;
  ShareBounds bounds;
  std::int64_t unit_mib = 0;
};

class Zhang2015 final : public Controller {
 public:
  Zhang2015(const Options& options, std::int64_t value)
      : options_(options), value_(options.bounds.clamp(stated_share(value))) {}

  ControllerStep step(const ControllerInput& input) override {
    const std::int64_t masters = input.running * options_.unit_mib * 2;
    const std::int64_t tasks = std::max<std::int64_t>(input.memory_used_mib - masters, 0);
    const bool is_under =
        input.pending > 0 && is_below(input.memory_used_mib, input.memory_total_mib, options_.t1);
    const bool is_over = is_below(tasks, input.memory_total_mib, options_.t2);
    if (is_under == is_over) return {.next = options_.period};
    const std::int64_t before = value_;
    value_ = options_.bounds.clamp(value_ + (is_under ? options_.step : -options_.step));
    if (value_ == before) return {.next = options_.period};
    return {.value = value_, .next = options_.period};
  }
  void refused(std::int64_t in_force) override {
    value_ = options_.bounds.clamp(stated_share(in_force));
  }

 private:
  Options options_;
  std::int64_t value_;
};

Result<std::unique_ptr<Controller>> make(const SettingValues& values, std::int64_t value) {
  SettingReader reader("controller zhang2015", settings(), values);
  Options options;
  options.period = reader.milliseconds_of("period_ms", 1, 86'400'000);
  options.t1 = read_share(reader, "t1");
  options.t2 = read_share(reader, "t2");
  options.step = read_share(reader, "step");
  options.bounds = {read_share(reader, "a_min"), read_share(reader, "a_max")};
  options.unit_mib = reader.integer("unit_mib", 1, 1 << 24);
  if (const Status status = reader.status(); !status) return status.error();
  if (options.bounds.low > options.bounds.high) {
    return Error{"controller zhang2015: a_min: expected at most a_max", "a_min"};
  }
  return std::unique_ptr<Controller>(std::make_unique<Zhang2015>(options, value));
}

}  // namespace

ControllerEntry zhang2015_entry() {
  return {.name = "zhang2015",
          .summary =
              "A guess at the predecessor of lian2020: rises while memory is free and jobs "
              "are pending, falls while tasks have little memory.",
          .source = "B. Zhang and others, ICAC 2015, as Lian and Liu (2020) describe it",
          .settings = settings(),
          .make = make};
}

}  // namespace tracebed
