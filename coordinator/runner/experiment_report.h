// What is left beside an experiment's run folders: report.html and comparison.json over all of
// them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tracebed {

struct ReportRequest {
  std::vector<std::filesystem::path> runs;  // folders
  std::string baseline;                     // a scheduler's label; empty: that of the first run
  std::filesystem::path output;  // folder of report.html and comparison.json; may be empty
};

struct ReportTexts {
  std::string text;  // for a terminal
  std::string json;
};

// Compares the runs; writes the two files where an output folder is given. Throws InputError and
// EnvironmentError as report/comparison.h does.
ReportTexts report_runs(const ReportRequest& request);

}  // namespace tracebed
