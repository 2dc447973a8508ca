// H. Lian and Y. Liu, 2020: which part of a queue application masters may take (A), by the queue's
// pending (P) and running (R) applications and by the cluster's memory. Algorithm 1, each period:
//
//   if P = 0:                                                  line 2
//     if R(t) < R(t−1):                                             3   case ①
//       decrease A                                                  4
//       if R = 0 and A = A_min: n = 1                               5
//   else if M_used / M_total < T1:                                 10
//     if P(t) > P(t−1): increase A                                 11   under-allocation
//     else if M_used / M_total > T3 and M_tasks / M_total < T2:    13   case ②
//       decrease A
//   else if M_tasks / M_total < T2: decrease A                     18   case ③
//   n = n + 1                                                      22
//
// Algorithms 2 and 3: A rises by max((A_max − A) / 2^n, step), and falls by
// max((A − A_min) / 2^n, step); kept within [A_min, A_max], which the paper leaves out and needs:
// 0.07 − 0.05 is below A_min. M_AMs = R × Unit × 2 (1), M_tasks = M_used − M_AMs (2), at least 0.
//
// What the paper leaves open. An End If is missing, so that line 22 can be read in three ways:
// `n_counts`. Its text has case ② before line 11, its listing behind: `case_2`. It does not state
// the period, the first n (1), the first P(t−1) and R(t−1) (0), nor what happens where the
// file's value is outside the bounds: here A begins at the nearest bound, and the file is written
// with the first change. The paper's line 1 is read once, when the run begins.
#pragma once

#include <cstdint>
#include <memory>

#include "controllers/controller_entry.h"
#include "controllers/share_bounds.h"

namespace tracebed {

struct Lian2020Options {
  // When n grows.
  enum class Counts : std::uint8_t {
    period,   // with every period: line 22 ends the loop
    pending,  // with every period in which applications are pending: line 22 ends the Else
    adjust,   // with every change of A, as the paper's text has it ("the step shrinks")
  };
  enum class Case2 : std::uint8_t { listing, text };
  enum class Masters : std::uint8_t { estimate, exact };

  std::int64_t t1 = 1'000'000;
  std::int64_t t2 = 500'000;
  std::int64_t t3 = 800'000;
  std::int64_t step = 50'000;
  ShareBounds bounds{50'000, 950'000};
  std::int64_t unit_mib = 1024;
  Duration period = seconds(15);
  Counts counts = Counts::period;
  Case2 case_2 = Case2::listing;
  Masters masters = Masters::estimate;
  // Of Counts::adjust: whether n grows before line 5 (so that a reset leaves 1, not 2), and whether
  // a call that leaves A where it is, at a bound, counts.
  bool adjust_counts_first = false;
  bool adjust_counts_void = false;
  std::uint32_t hold = 0;  // periods without a change after each change; the paper has none
};

// What a period did.
enum class Lian2020Branch : std::uint8_t {
  idle,        // P = 0, and R does not fall
  drains,      // ①
  under,       // line 12
  over_early,  // ②
  busy,        // M_used / M_total < T1, neither of both
  over_full,   // ③
  full,        // M_used / M_total >= T1, and tasks have enough
  held,        // `hold` is not over
};

class Lian2020 final : public Controller {
 public:
  Lian2020(const Lian2020Options& options, std::int64_t value)
      : options_(options), value_(options.bounds.clamp(stated_share(value))) {}

  ControllerStep step(const ControllerInput& input) override;
  void refused(std::int64_t in_force) override {
    value_ = options_.bounds.clamp(stated_share(in_force));
  }

  // After the last step.
  Lian2020Branch branch() const { return branch_; }
  std::int64_t value() const { return value_; }
  std::uint32_t n() const { return n_; }

 private:
  Lian2020Branch branch_of(const ControllerInput& input) const;
  void increase();
  void decrease();
  void move_to(std::int64_t value);
  std::int64_t step_of(std::int64_t alpha) const;

  Lian2020Options options_;
  std::int64_t value_;  // A
  std::uint32_t n_ = 1;
  std::uint32_t pending_before_ = 0;
  std::uint32_t running_before_ = 0;
  std::uint32_t held_ = 0;  // periods that `hold` still lasts
  bool counts_ = false;     // of Counts::adjust: a change of this period counts
  Lian2020Branch branch_ = Lian2020Branch::idle;
};

ControllerEntry lian2020_entry();

}  // namespace tracebed
