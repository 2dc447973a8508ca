// Durations and sizes as people write them in an experiment: "250ms", "1.5h", "8 GiB". Numbers are
// read exactly, digit by digit; a value that is no whole number of microseconds or bytes is
// refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/time.h"

namespace tracebed {

inline constexpr std::string_view duration_form =
    "a duration like \"250ms\", \"3s\" or \"1h\" (us, ms, s, m, h, d)";
inline constexpr std::string_view size_form =
    "a size like \"128 MiB\" or \"8 GiB\" (B; KiB to TiB are powers of 1024, kB to TB of 1000)";

// A number, then its unit: us, ms, s, m, h or d. At most 100,000 days.
Result<Duration> parse_duration(std::string_view text);

// A number, then its unit, with or without a space between: B; KiB, MiB, GiB, TiB; kB, MB, GB, TB.
// In bytes, at most 2^60.
Result<std::int64_t> parse_size(std::string_view text);

// The same quantities in the largest unit in which they are whole: "90s", "8 GiB".
std::string duration_text(Duration duration);
std::string size_text(std::int64_t bytes);

// As a clock shows it, for people: "3:12:45", "12:45" below an hour, "0:07.250" with a part of a
// second, which is cut to milliseconds.
std::string clock_text(Duration duration);

}  // namespace tracebed
