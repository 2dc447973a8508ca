// `tracebed submit EXPERIMENT.toml`
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/json_output.h"
#include "core/input_error.h"

namespace tracebed {

void add_submit_command(CLI::App& program, ExitCode&) {
  struct Flags {
    std::string coordinator;
    std::string file;
    std::string name;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command =
      program.add_subcommand("submit", "Hand an experiment to a running coordinator");
  command->add_option("experiment", flags->file, "The experiment's TOML file")->required();
  command->add_option("--name", flags->name, "Instead of the experiment's own");
  add_coordinator_flag(*command, flags->coordinator);
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags] {
    std::ifstream stream(flags->file, std::ios::binary);
    if (!stream) throw InputError(flags->file + ": cannot be read");
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::int64_t run = connect_to(flags->coordinator).submit(text, flags->name);
    if (flags->json) {
      print_json({{"run", run}});
    } else {
      fmt::print("run {}\n", run);
    }
  });
}

}  // namespace tracebed
