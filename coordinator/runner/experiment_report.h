// The report beside an experiment's run folders: report.html and comparison.json over all of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "report/comparison.h"
#include "report/file_list.h"

namespace tracebed {

struct ReportRequest {
  std::vector<std::filesystem::path> runs;  // folders
  FileCheck check = FileCheck::contents;    // of their files
  CompareOptions options;
  std::filesystem::path output;  // folder of report.html and comparison.json; may be empty
};

// As the experiment specifies.
CompareOptions compare_options(const CompareChoice& choice);

struct ReportTexts {
  std::string summary;  // for a terminal: the answer, and the figures that lead to it
  std::string text;     // likewise, with all figures
  std::string json;
};

// report.html is written first, and comparison.json has its checksum, and its own. Compares the
// runs; writes the two files if an output folder is given. Throws InputError and EnvironmentError
// as report/comparison.h does.
ReportTexts report_runs(const ReportRequest& request);

// For a folder that has neither of the two files, or both. Throws InputError if one is missing or
// was changed.
void check_report(const std::filesystem::path& folder);

}  // namespace tracebed
