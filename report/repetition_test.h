// Whether two schedulers' runs differ in a figure by more than their repetitions do.
//
// A verdict is based on whole runs: all jobs of a run share its heartbeat phases, backlog and
// machine, so that jobs, however many, do not show how far another run would differ. The values of
// the runs of both sides are compared
//
//  - by Student's t of the differences within pairs, if every run has a partner with its seed;
//  - else by Welch's t of two samples (Welch 1947, with Satterthwaite's degrees of freedom). Where
//    only some runs have partners and these are correlated negatively, their covariance widens it
//    (after Looney and Jones 2003); a positive one is ignored;
//  - from twenty repetitions on by the bootstrap of the same t (Efron and Tibshirani 1993, 12.5,
//    symmetric): its distribution is drawn instead of assumed.
//
// With two repetitions t has one or two degrees of freedom, and the interval is accordingly wide.
// Equal values violate the assumptions of t (two equal differences have no spread at all): where
// there are any, a permutation test (of signs within pairs, or of sides) must agree, too; it is
// enumerated where it has at most 5,000 arrangements and drawn otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "report/confidence_interval.h"
#include "report/run_pairs.h"

namespace tracebed {

// The probability with which an interval may miss.
inline constexpr double interval_level = 0.05;
// From this many repetitions of each side the bootstrap is used.
inline constexpr std::size_t repetitions_for_bootstrap = 20;
inline constexpr std::size_t bootstrap_replicates = 9'999;

struct RepetitionTest {
  double difference = 0;  // of the means, candidate − baseline
  double standard_error = 0;
  double degrees = 1;           // of freedom
  ConfidenceInterval interval;  // 95 %, of the difference
  double p = 1;                 // two-sided
  bool is_permuted = false;     // a permutation test had to agree
};

// The values of a figure, by run. None if a side has only one run. The same arguments give the same
// result.
std::optional<RepetitionTest> test_repetitions(std::span<const double> baseline,
                                               std::span<const double> candidate,
                                               const RunPairs& pairs, std::uint64_t seed);

// How many repetitions of each side would detect a difference of `difference`, given the test's
// spread, with a power of 80 % at the two-sided level `level`: the least N, more than there are,
// with
//   N ≥ n (t(level / 2) + t(0.2))² standard_error² / difference²,
// where n is the number of repetitions and t(q) what Student's t of the degrees of freedom of N
// repetitions exceeds with probability q (after Guenther 1981). Above repetitions_reported_max,
// repetitions_reported_max + 1. `difference` is not zero.
inline constexpr std::uint64_t repetitions_reported_max = 9'999;
std::uint64_t repetitions_needed(const RepetitionTest& test, const RunPairs& pairs,
                                 double difference, double level);

}  // namespace tracebed
