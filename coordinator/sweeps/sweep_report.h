// A sweep's results as one self-contained page, as report/html_report.h makes one of a comparison.
#pragma once

#include <filesystem>
#include <string>

#include "coordinator/sweeps/sweep_results.h"

namespace tracebed {

// In the sweep's folder.
inline constexpr const char* sweep_report_file = "report.html";

std::string sweep_page(const SweepResults& results);

// Replaces the file at once, so that any number of processes may do so. Throws EnvironmentError.
void write_sweep_report(const std::filesystem::path& file, const SweepResults& results);

}  // namespace tracebed
