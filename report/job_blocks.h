// The error of a mean over jobs with respect to drawing other jobs, where jobs that queue behind
// each other are not independent: the circular block bootstrap (Politis and Romano 1992), drawn
// infinitely often. Of a mean, its variance has a closed form, so nothing is drawn at all.
//
// Blocks are as long as the jobs' own autocorrelation asks (Politis and White 2004, with the
// correction of Patton, Politis and White 2009): b = (2 G² / D)^⅓ n^⅓, where D = 4/3 g(0)², and
// g(0) and G are the sums of λ(k/M) R(k) and of λ(k/M) |k| R(k) over lags k from −M to M, R the
// autocovariance, λ the flat-top kernel (1 up to one half, then falling to 0 at 1), and M twice the
// smallest lag after which max(5, √log₁₀ n) autocorrelations in a row are below 2 √(log₁₀ n / n).
// Unlike theirs, neither M nor b is cut off at a multiple of √n, because backlogs reach farther.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tracebed {

// A series shorter than this many blocks is not drawn from.
inline constexpr std::size_t blocks_min = 8;

// By the values of consecutive jobs; none if there are fewer than blocks_min such blocks among
// them, or the end of their dependence is not found. A series without spread has blocks of one.
std::optional<std::size_t> block_length(std::span<const double> values);

// Standard error of the values' mean, with blocks of this many. 0 for fewer than two values.
double standard_error_by_blocks(std::span<const double> values, std::size_t block);

}  // namespace tracebed
