// `tracebed cancel RUN`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/coordinator_flag.h"

namespace tracebed {

void add_cancel_command(CLI::App& program, ExitCode&) {
  struct Flags {
    CoordinatorFlags coordinator;
    std::int64_t run = 0;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = program.add_subcommand("cancel", "End a submitted run");
  command->add_option("run", flags->run, "Its number")->required();
  add_coordinator_flags(*command, flags->coordinator);
  command->callback([flags] {
    connect_to(flags->coordinator).cancel(flags->run);
    fmt::print("run {} is ending\n", flags->run);
  });
}

}  // namespace tracebed
