// A comparison as one self-contained HTML file: no network, no second file. The page and its chart
// library are bundled from report/web when the project is built.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "report/comparison.h"

namespace tracebed {

// A distribution is thinned to this many points, so that the page of a million jobs stays small.
inline constexpr std::size_t curve_points_max = 2000;

// `runs` are those of the comparison; their folders are given relative to the folder `base`. A
// single run makes a page, too.
std::string to_html(const Comparison& comparison, std::span<const RunFolder> runs,
                    const std::filesystem::path& base);

// Replaces the file at once. Throws EnvironmentError.
FileChecksum write_html_report(const std::filesystem::path& file, const Comparison& comparison,
                               std::span<const RunFolder> runs);

}  // namespace tracebed
