#include "coordinator/runner/experiment_report.h"

#include <fmt/format.h>
#include <fstream>

#include "core/input_error.h"
#include "report/comparison.h"
#include "report/html_report.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace tracebed {

ReportTexts report_runs(const ReportRequest& request) {
  const std::vector<RunFolder> runs = load_runs(request.runs);
  CompareOptions options;
  options.baseline = request.baseline;
  const Comparison comparison = compare(runs, options);
  ReportTexts texts{to_text(comparison), to_json(comparison)};
  if (request.output.empty()) return texts;
  std::filesystem::create_directories(request.output);
  write_html_report(request.output / "report.html", comparison, runs);
  const std::filesystem::path json_file = request.output / "comparison.json";
  std::ofstream stream(json_file);
  stream << texts.json;
  stream.close();
  if (!stream) throw EnvironmentError(fmt::format("{} cannot be written", json_file.string()));
  return texts;
}

}  // namespace tracebed
