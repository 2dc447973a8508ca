// `tracebed cluster refresh-queues RUN FILE.xml`
#include <chrono>
#include <fmt/core.h>
#include <memory>
#include <thread>

#include "coordinator/cli/cluster_agents.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/config/text_file.h"
#include "coordinator/config/xml_file.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

struct Flags {
  std::string coordinator;
  std::int64_t run = 0;
  std::string file;
  std::string setting = "config";
  bool json = false;
};

// A round may take as long as a heartbeat does.
constexpr std::chrono::seconds patience{30};
constexpr std::chrono::milliseconds between_looks{50};

// The first outcome after the `before` that there were.
control::RefreshOutcome outcome_of(ControlClient& client, std::int64_t run, std::size_t before) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const control::RunStatus status = client.status(run);
    if (status.refreshes.size() > before) return status.refreshes[before];
    const bool is_over = status.state != control::RunState::RUNNING;
    if (is_over || std::chrono::steady_clock::now() >= until) {
      throw EnvironmentError(fmt::format("run {} {} before it told what became of the refresh", run,
                                         is_over ? "ended" : "took too long"));
    }
    std::this_thread::sleep_for(between_looks);
  }
}

ExitCode refresh_queues(const Flags& flags) {
  constexpr std::size_t bytes_max = std::size_t{1} << 20;
  const std::string text = read_text_file(flags.file, bytes_max);
  parse_xml(text, flags.file);  // a fault is better told with the file's own name
  ControlClient client = connect_to(flags.coordinator);
  const std::size_t before = client.status(flags.run).refreshes.size();
  client.refresh(flags.run, flags.setting, text);
  const control::RefreshOutcome outcome = outcome_of(client, flags.run, before);
  if (flags.json) {
    print_json({{"was_taken", outcome.was_taken}, {"text", outcome.text}});
  } else {
    fmt::print("{}\n", outcome.text);
  }
  return outcome.was_taken ? ExitCode::success : ExitCode::run_failed;
}

}  // namespace

void add_cluster_command(CLI::App& program, ExitCode& result) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* cluster = program.add_subcommand(
      "cluster", "Look at a running coordinator's cluster, and change what it runs");
  cluster->require_subcommand(1);
  add_cluster_status(*cluster);
  add_make_keys(*cluster);
  CLI::App* command = cluster->add_subcommand(
      "refresh-queues", "Give the scheduler of a running replay another configuration");
  command->add_option("run", flags->run, "Its number")->required();
  command->add_option("file", flags->file, "capacity-scheduler.xml, or an allocation file")
      ->required();
  command->add_option("--setting", flags->setting, "The scheduler's setting that names the file")
      ->capture_default_str();
  add_coordinator_flag(*command, flags->coordinator);
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags, &result] { result = refresh_queues(*flags); });
}

}  // namespace tracebed
