// `tracebed fetch RUN`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/fetch_run.h"
#include "coordinator/cli/results_folder.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/monitoring/run_observer.h"
#include "system/interruption.h"

namespace tracebed {

void add_fetch_command(CLI::App& program, ExitCode&) {
  struct Flags {
    CoordinatorFlags coordinator;
    std::int64_t run = 0;
    std::string output;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = program.add_subcommand("fetch", "Download the folder of a completed run");
  command->add_option("run", flags->run, "Number of the run")->required();
  command->add_option("--output", flags->output,
                      "Target folder, empty or new (default: runs/NAME-TIME)");
  add_coordinator_flags(*command, flags->coordinator);
  command->callback([flags] {
    const control::RunStatus status = connect_to(flags->coordinator).status(flags->run);
    RetryingClient client(flags->coordinator, [](const std::string& message) {
      print_plain(stderr, "tracebed: {}\n", message);
    });
    const ResultsFolder folder(flags->output, output_name(status));
    const Interruption interruption;
    fetch_run(client, flags->run, folder.path(), [&] {
      if (interruption.count() > 0) throw RunInterrupted();
    });
    print_plain("{}\n", folder.path().string());
  });
}

}  // namespace tracebed
