// `tracebed status RUN`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"

namespace tracebed {

void add_status_command(CLI::App& program, ExitCode&) {
  struct Flags {
    CoordinatorFlags coordinator;
    std::int64_t run = 0;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = program.add_subcommand("status", "Show the status of a submitted run");
  command->add_option("run", flags->run, "Number of the run")->required();
  add_coordinator_flags(*command, flags->coordinator);
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags] {
    const control::RunStatus status = connect_to(flags->coordinator).status(flags->run);
    if (flags->json) {
      print_json(to_json(status));
    } else {
      print_plain("{}\n       {}\n", status_line(status), status.folder);
      print_lines(waiting_lines(status) + change_lines(status));
    }
  });
}

}  // namespace tracebed
