#include "coordinator/runner/experiment_report.h"

#include <fmt/format.h>
#include <utility>

#include "core/input_error.h"
#include "report/html_report.h"
#include "report/json_comparison.h"
#include "report/json_report.h"
#include "report/machine_load.h"
#include "report/summary_text.h"
#include "report/text_report.h"
#include "system/mapped_file.h"
#include "system/output_file.h"

namespace tracebed {
namespace {

constexpr const char* report_file = "report.html";
constexpr const char* comparison_file = "comparison.json";
constexpr std::uint32_t comparison_version = 3;

}  // namespace

CompareOptions compare_options(const CompareChoice& choice) {
  CompareOptions options;
  options.baseline = choice.baseline;
  options.primary = choice.primary;
  options.matters_from = choice.matters_from;
  return options;
}

ReportTexts report_runs(const ReportRequest& request) {
  const std::vector<RunFolder> runs = load_runs(request.runs, request.check);
  Comparison comparison = compare(runs, request.options);
  for (WorldComparison& world : comparison.worlds) {
    if (auto note = machine_load_note(runs, world.world)) world.notes.push_back(*std::move(note));
    if (auto note = task_cpu_note(runs, world.world)) world.notes.push_back(*std::move(note));
  }
  ReportTexts texts{summary_text(comparison), to_text(comparison),
                    to_json(comparison, request.output)};
  if (request.output.empty()) return texts;
  std::filesystem::create_directories(request.output);
  const FileChecksum page = write_html_report(request.output / report_file, comparison, runs);
  Json root{{"format", "tracebed-comparison"}, {"version", comparison_version}};
  root.update(comparison_object(comparison, request.output));
  JsonOutput page_fields(root["page"]);
  const ListedFile listed{report_file, page};
  listed_file_fields(page_fields, listed);
  write_output_file(request.output / comparison_file, with_own_checksum(std::move(root)));
  return texts;
}

void check_report(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / comparison_file;
  const bool has_page = std::filesystem::exists(folder / report_file);
  if (!std::filesystem::exists(file)) {
    if (!has_page) return;
    throw InputError(
        fmt::format("{}: expected this file beside {}, got none: it was removed, or the program "
                    "was killed before writing it; remove both to compare the runs again",
                    file.string(), report_file));
  }
  const MappedFile contents(file);
  const Json root = parse_json_file(file, contents.bytes());
  check_own_checksum(file, contents.bytes());
  JsonInput fields(root, file.string());
  ListedFile page;
  fields.object("page", [&](JsonInput& f) { listed_file_fields(f, page); });
  check_files(folder, {page}, FileCheck::contents);
}

}  // namespace tracebed
