// `tracebed cancel RUN` and `tracebed delete RUN`
#include <fmt/core.h>
#include <functional>
#include <memory>
#include <string>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/text_output.h"

namespace tracebed {
namespace {

// A command that names a run, and prints the run's state after `act`.
void add_act(CLI::App& program, const std::string& name, const std::string& meaning,
             const std::string& becomes, std::function<void(ControlClient&, std::int64_t)> act) {
  struct Flags {
    CoordinatorFlags coordinator;
    std::int64_t run = 0;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = program.add_subcommand(name, meaning);
  command->add_option("run", flags->run, "Number of the run")->required();
  add_coordinator_flags(*command, flags->coordinator);
  command->callback([flags, becomes, act = std::move(act)] {
    ControlClient client = connect_to(flags->coordinator);
    act(client, flags->run);
    print_plain("run {} is {}\n", flags->run, becomes);
  });
}

}  // namespace

void add_cancel_command(CLI::App& program, ExitCode&) {
  add_act(program, "cancel", "Cancel a submitted run", "ending",
          [](ControlClient& client, std::int64_t run) { client.cancel(run); });
}

void add_delete_command(CLI::App& program, ExitCode&) {
  add_act(program, "delete", "Delete the folder of a completed run from the coordinator", "deleted",
          [](ControlClient& client, std::int64_t run) { client.delete_run(run); });
}

}  // namespace tracebed
