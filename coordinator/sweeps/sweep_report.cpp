#include "coordinator/sweeps/sweep_report.h"

#include "coordinator/sweeps/sweep_json.h"
#include "report/html_page.h"
#include "system/output_file.h"

namespace tracebed {

std::string sweep_page(const SweepResults& results) {
  return html_page({{"sweep", results_object(results)}});
}

void write_sweep_report(const std::filesystem::path& file, const SweepResults& results) {
  write_output_file(file.string(), sweep_page(results));
}

}  // namespace tracebed
