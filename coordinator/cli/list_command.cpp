// `tracebed list`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"

namespace tracebed {

void add_list_command(CLI::App& program, ExitCode&) {
  struct Flags {
    CoordinatorFlags coordinator;
    std::int32_t limit = 20;
    std::int32_t page = 1;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command =
      program.add_subcommand("list", "List the runs of a coordinator, newest first");
  command->add_option("--limit", flags->limit, "Maximum number of runs on a page")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--page", flags->page, "Page to show: 1 has the newest runs")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  add_coordinator_flags(*command, flags->coordinator);
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags] {
    const std::vector<control::RunStatus> runs =
        connect_to(flags->coordinator)
            .list_runs(flags->limit, std::int64_t{flags->page - 1} * flags->limit);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const control::RunStatus& run : runs) {
      if (flags->json) {
        list.push_back(to_json(run));
      } else {
        print_plain("{}\n", status_line(run));
      }
    }
    if (flags->json) print_json(list);
  });
}

}  // namespace tracebed
