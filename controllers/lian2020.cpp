#include "controllers/lian2020.h"

#include <algorithm>

namespace tracebed {
namespace {

const std::vector<SettingDescription>& settings() {
  static const std::vector<SettingDescription> all{
      {"period_ms", "15000", "milliseconds between two steps; the paper does not state it"},
      {"t1", "1.0", "T1: memory in use, from which the cluster counts as full"},
      {"t2", "0.5", "T2: memory of tasks, below which masters have too much"},
      {"t3", "0.8", "T3: memory in use, above which too little for tasks counts before T1"},
      {"step", "0.05", "the least change"},
      {"a_min", "0.05", "the least value"},
      {"a_max", "0.95", "the largest value"},
      {"unit_mib", "1024", "MiB of a unit; a master counts as two"},
      {"masters", "estimate",
       "memory of masters: `estimate`, the paper's formula (1), or `exact`, what they have"},
      {"n_counts", "period",
       "when n grows: with each `period`, with each period in which jobs are `pending`, or with "
       "each `adjust`ment; the listing can be read in all three ways"},
      {"adjust_first", "false",
       "with n_counts `adjust`: true: n grows before line 5, not at the end"},
      {"adjust_void", "false",
       "with n_counts `adjust`: true: n also grows where A is at its bound already"},
      {"case_2", "listing",
       "which test comes first, that of line 11 (`listing`) or that of case 2 (`text`)"},
      {"hold", "0", "periods without a change after each change; not in the paper"},
  };
  return all;
}

Result<Lian2020Options> options_of(const SettingValues& values) {
  SettingReader reader("controller lian2020", settings(), values);
  const auto is_true = [&](std::string_view name) {
    return reader.choice(name, {"false", "true"}) == 1;
  };
  Lian2020Options options;
  options.period = reader.milliseconds_of("period_ms", 1, 86'400'000);
  options.t1 = read_share(reader, "t1");
  options.t2 = read_share(reader, "t2");
  options.t3 = read_share(reader, "t3");
  options.step = read_share(reader, "step");
  options.bounds = {read_share(reader, "a_min"), read_share(reader, "a_max")};
  options.unit_mib = reader.integer("unit_mib", 1, 1 << 24);
  options.masters =
      static_cast<Lian2020Options::Masters>(reader.choice("masters", {"estimate", "exact"}));
  options.counts = static_cast<Lian2020Options::Counts>(
      reader.choice("n_counts", {"period", "pending", "adjust"}));
  options.adjust_counts_first = is_true("adjust_first");
  options.adjust_counts_void = is_true("adjust_void");
  options.case_2 =
      static_cast<Lian2020Options::Case2>(reader.choice("case_2", {"listing", "text"}));
  options.hold = static_cast<std::uint32_t>(reader.integer("hold", 0, 1'000'000));
  if (const Status status = reader.status(); !status) return status.error();
  if (options.bounds.low > options.bounds.high) {
    return Error{"controller lian2020: a_min: expected at most a_max", "a_min"};
  }
  const bool adjusts = options.counts == Lian2020Options::Counts::adjust;
  if (!adjusts && (options.adjust_counts_first || options.adjust_counts_void)) {
    const char* const setting = options.adjust_counts_first ? "adjust_first" : "adjust_void";
    return Error{std::string("controller lian2020: ") + setting +
                     ": expected false, as n_counts is not adjust",
                 setting};
  }
  return options;
}

}  // namespace

std::int64_t Lian2020::step_of(std::int64_t alpha) const {
  constexpr std::uint32_t bits = 62;
  return std::max(n_ > bits ? 0 : alpha >> n_, options_.step);
}

void Lian2020::move_to(std::int64_t value) {
  const std::int64_t before = value_;
  value_ = options_.bounds.clamp(value);
  counts_ = options_.counts == Lian2020Options::Counts::adjust &&
            (value_ != before || options_.adjust_counts_void);
  if (counts_ && options_.adjust_counts_first) {
    ++n_;
    counts_ = false;
  }
}

void Lian2020::increase() {
  move_to(value_ + step_of(options_.bounds.high - value_));
}

void Lian2020::decrease() {
  move_to(value_ - step_of(value_ - options_.bounds.low));
}

Lian2020Branch Lian2020::branch_of(const ControllerInput& input) const {
  if (held_ > 0) return Lian2020Branch::held;
  if (input.pending == 0) {
    return input.running < running_before_ ? Lian2020Branch::drains : Lian2020Branch::idle;
  }
  const std::int64_t used = input.memory_used_mib;
  const std::int64_t total = input.memory_total_mib;
  const std::int64_t masters = options_.masters == Lian2020Options::Masters::exact
                                   ? input.masters_mib
                                   : input.running * options_.unit_mib * 2;
  const bool lacks_tasks = is_below(std::max<std::int64_t>(used - masters, 0), total, options_.t2);
  if (!is_below(used, total, options_.t1)) {
    return lacks_tasks ? Lian2020Branch::over_full : Lian2020Branch::full;
  }
  const bool rises = input.pending > pending_before_;
  const bool is_over = is_above(used, total, options_.t3) && lacks_tasks;
  const bool is_text = options_.case_2 == Lian2020Options::Case2::text;
  if (rises && !(is_text && is_over)) return Lian2020Branch::under;
  return is_over ? Lian2020Branch::over_early : Lian2020Branch::busy;
}

ControllerStep Lian2020::step(const ControllerInput& input) {
  const std::int64_t before = value_;
  counts_ = false;
  branch_ = branch_of(input);
  if (branch_ == Lian2020Branch::held) --held_;
  if (branch_ == Lian2020Branch::under) increase();
  if (branch_ == Lian2020Branch::drains || branch_ == Lian2020Branch::over_early ||
      branch_ == Lian2020Branch::over_full) {
    decrease();
  }
  const bool has_drained = branch_ == Lian2020Branch::drains && input.running == 0;
  if (has_drained && value_ == options_.bounds.low) n_ = 1;
  const bool grows = options_.counts == Lian2020Options::Counts::period ||
                     (options_.counts == Lian2020Options::Counts::pending && input.pending > 0);
  if (grows || counts_) ++n_;
  pending_before_ = input.pending;
  running_before_ = input.running;
  if (value_ == before) return {.next = options_.period};
  held_ = options_.hold;
  return {.value = value_, .next = options_.period};
}

ControllerEntry lian2020_entry() {
  return {.name = "lian2020",
          .summary =
              "Halves its way to the part of a queue that masters may take, by pending "
              "jobs and by the memory of tasks.",
          .source =
              "H. Lian and Y. Liu, Computer Systems & Applications 29(3), 2020, algorithms 1 "
              "to 3",
          .settings = settings(),
          .make = [](const SettingValues& values,
                     std::int64_t value) -> Result<std::unique_ptr<Controller>> {
            const Result<Lian2020Options> options = options_of(values);
            if (!options) return options.error();
            return std::unique_ptr<Controller>(std::make_unique<Lian2020>(*options, value));
          }};
}

}  // namespace tracebed
