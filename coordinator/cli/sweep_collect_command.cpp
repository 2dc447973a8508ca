// `tracebed sweep collect FOLDER`
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/sweeps/sweep_tables.h"

namespace tracebed {

void add_sweep_collect_command(CLI::App& sweep) {
  struct Flags {
    std::string folder;
    std::string figure;
    bool json = false;
    bool csv = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = sweep.add_subcommand(
      "collect", "Tell what came out of a sweep: each setting, each key's effect, the best");
  command->add_option("folder", flags->folder, "Folder of the sweep")->required();
  command->add_option("--figure", flags->figure,
                      "Figure to compare (default: the experiment's compare.primary, or jct_mean)");
  CLI::Option* json = command->add_flag("--json", flags->json, "Print as JSON");
  command->add_flag("--csv", flags->csv, "Print a row for each run as CSV")->excludes(json);
  command->callback([flags] {
    const SweepResults results = collect_sweep(SweepFolder(flags->folder), flags->figure);
    if (flags->json) return print_lines(results_json(results));
    print_lines(flags->csv ? results_csv(results) : results_text(results));
  });
}

}  // namespace tracebed
