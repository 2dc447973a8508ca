// `tracebed sweep collect FOLDER`
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/sweeps/sweep_report.h"
#include "coordinator/sweeps/sweep_tables.h"

namespace tracebed {

void add_sweep_collect_command(CLI::App& sweep) {
  struct Flags {
    std::string folder;
    std::string figure;
    bool json = false;
    bool csv = false;
    std::string report;
    bool no_report = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = sweep.add_subcommand(
      "collect",
      "Tell what came out of a sweep: each setting, each key's effect, the best; as a page, too");
  command->add_option("folder", flags->folder, "Folder of the sweep")->required();
  command->add_option("--figure", flags->figure,
                      "Figure to compare (default: the experiment's compare.primary, or jct_mean)");
  CLI::Option* json = command->add_flag("--json", flags->json, "Print as JSON");
  command->add_flag("--csv", flags->csv, "Print a row for each run as CSV")->excludes(json);
  CLI::Option* report = command->add_option("--report", flags->report,
                                            "File of the report (default: FOLDER/report.html)");
  command->add_flag("--no-report", flags->no_report, "Write no report")->excludes(report);
  command->callback([flags] {
    const SweepFolder folder(flags->folder);
    const SweepResults results = collect_sweep(folder, flags->figure);
    if (flags->json) {
      print_lines(results_json(results));
    } else {
      print_lines(flags->csv ? results_csv(results) : results_text(results));
    }
    if (flags->no_report) return;
    const std::string file =
        flags->report.empty() ? (folder.path() / sweep_report_file).string() : flags->report;
    write_sweep_report(file, results);
    if (!flags->json && !flags->csv) print_plain("\nreport: {}\n", file);
  });
}

}  // namespace tracebed
