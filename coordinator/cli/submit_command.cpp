// `tracebed submit EXPERIMENT.toml`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/submission.h"
#include "coordinator/cli/text_output.h"

namespace tracebed {

void add_submit_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode&) {
  struct Flags {
    CoordinatorFlags coordinator;
    std::string file;
    std::string name;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = program.add_subcommand("submit", "Submit an experiment to a coordinator");
  command->add_option("experiment", flags->file, "The experiment's TOML file")->required();
  command->add_option("--name", flags->name, "Name of the run (default: that of the experiment)");
  add_coordinator_flags(*command, flags->coordinator);
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags, &schedulers] {
    control::Submission submission = read_submission(flags->file, schedulers);
    submission.name = flags->name;
    const std::int64_t run = connect_to(flags->coordinator).submit(submission);
    if (flags->json) {
      print_json({{"run", run}});
    } else {
      print_plain("run {}\n", run);
    }
  });
}

}  // namespace tracebed
