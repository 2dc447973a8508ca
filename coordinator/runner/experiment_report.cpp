#include "coordinator/runner/experiment_report.h"

#include "report/comparison.h"
#include "report/html_report.h"
#include "report/json_report.h"
#include "report/text_report.h"
#include "system/replace_file.h"

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
  replace_file(request.output / "comparison.json", texts.json);
  return texts;
}

}  // namespace tracebed
