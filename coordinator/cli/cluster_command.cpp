// `tracebed cluster refresh-queues|tune|drain|undrain|move`: changes to the replay that a
// coordinator runs.
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "coordinator/cli/cluster_agents.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/duration_flag.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/config/text_file.h"
#include "coordinator/config/xml_file.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

struct ClusterFlags {
  CoordinatorFlags coordinator;
  std::int64_t run = 0;
  std::string file;
  std::string setting = "config";
  std::string tuning;  // PARAMETER=VALUE
  std::string node;
  std::vector<std::string> run_and_node;  // or the node alone
  std::int64_t container = 0;
  std::optional<Duration> grace;
  bool json = false;
};

// A round may take as long as a heartbeat does.
constexpr std::chrono::seconds change_timeout{30};
constexpr std::chrono::milliseconds between_change_looks{50};
constexpr Duration default_grace = seconds(60);

std::int64_t latest_change(const control::RunStatus& status) {
  return status.changes.empty() ? 0 : status.changes.back().number;
}

// The first outcome after that of the number `before`.
control::ChangeOutcome outcome_of(ControlClient& client, std::int64_t run, std::int64_t before) {
  const auto until = std::chrono::steady_clock::now() + change_timeout;
  for (;;) {
    const control::RunStatus status = client.status(run);
    for (const control::ChangeOutcome& change : status.changes) {
      if (change.number > before) return change;
    }
    const bool is_over = status.state != control::RunState::RUNNING;
    if (is_over || std::chrono::steady_clock::now() >= until) {
      throw EnvironmentError(fmt::format("run {} {} before it reported the result of the change",
                                         run, is_over ? "ended" : "took too long"));
    }
    std::this_thread::sleep_for(between_change_looks);
  }
}

// Requests a change by `ask(client)` and prints its result.
template <class Ask>
ExitCode change(const ClusterFlags& flags, Ask ask) {
  ControlClient client = connect_to(flags.coordinator);
  const std::int64_t before = latest_change(client.status(flags.run));
  control::ChangeOutcome outcome;
  try {
    ask(client);
    outcome = outcome_of(client, flags.run, before);
  } catch (const ContentRefusal& refusal) {
    outcome.text = refusal.what();  // it never reached the run
  }
  if (flags.json) {
    print_json({{"was_taken", outcome.was_taken}, {"text", outcome.text}});
  } else {
    print_plain("{}\n", outcome.text);
  }
  return outcome.was_taken ? ExitCode::success : ExitCode::run_failed;
}

ExitCode refresh_queues(const ClusterFlags& flags) {
  constexpr std::size_t bytes_max = std::size_t{1} << 20;
  const std::string text = read_text_file(flags.file, bytes_max);
  parse_xml(text, flags.file);  // so that an error names the user's file
  const std::string file = std::filesystem::path(flags.file).filename().string();
  return change(
      flags, [&](ControlClient& client) { client.refresh(flags.run, flags.setting, text, file); });
}

ExitCode tune(const ClusterFlags& flags) {
  const std::size_t equals = flags.tuning.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw CLI::ValidationError("parameter", "expected PARAMETER=VALUE, got " + flags.tuning);
  }
  return change(flags, [&](ControlClient& client) {
    client.tune(flags.run, flags.tuning.substr(0, equals), flags.tuning.substr(equals + 1));
  });
}

ExitCode send_command(const ClusterFlags& flags, control::AdministratorCommandKind::type kind) {
  control::AdministratorCommand command;
  command.kind = kind;
  command.node = flags.node;
  command.container = flags.container;
  command.grace_microseconds = flags.grace.value_or(default_grace).count();
  return change(flags, [&](ControlClient& client) { client.execute(flags.run, command); });
}

// Of the one run, or of the cluster's agent of that name: then of the current run and all later
// ones.
ExitCode drain_or_undrain(ClusterFlags& flags, control::AdministratorCommandKind::type kind) {
  flags.node = flags.run_and_node.back();
  if (flags.run_and_node.size() == 2) {
    const std::string& run = flags.run_and_node.front();
    const auto parsed = std::from_chars(run.data(), run.data() + run.size(), flags.run);
    if (parsed.ec != std::errc{} || parsed.ptr != run.data() + run.size()) {
      throw CLI::ValidationError("run", "expected the run's number, got " + run);
    }
    return send_command(flags, kind);
  }
  const bool drains = kind == control::AdministratorCommandKind::DRAIN;
  connect_to(flags.coordinator)
      .set_drained(flags.node, drains, flags.grace.value_or(default_grace).count());
  const std::string text = drains ? flags.node + " is drained: it takes no more containers"
                                  : flags.node + " is in service";
  if (flags.json) {
    print_json({{"was_taken", true}, {"text", text}});
  } else {
    print_plain("{}\n", text);
  }
  return ExitCode::success;
}

CLI::App* add_drain(CLI::App& cluster, const std::shared_ptr<ClusterFlags>& flags,
                    const std::string& name, const std::string& meaning) {
  CLI::App* command = cluster.add_subcommand(name, meaning);
  command
      ->add_option("node", flags->run_and_node,
                   "Name of the agent, or number of a run and name of one of its nodes")
      ->required()
      ->expected(1, 2)
      ->type_name("[RUN] NODE");
  add_coordinator_flags(*command, flags->coordinator);
  command->add_flag("--json", flags->json, "Print as JSON");
  return command;
}

CLI::App* add_change(CLI::App& cluster, const std::shared_ptr<ClusterFlags>& flags,
                     const std::string& name, const std::string& meaning) {
  CLI::App* command = cluster.add_subcommand(name, meaning);
  command->add_option("run", flags->run, "Number of the run")->required();
  add_coordinator_flags(*command, flags->coordinator);
  command->add_flag("--json", flags->json, "Print as JSON");
  return command;
}

void add_grace(CLI::App& command, ClusterFlags& flags) {
  add_duration_flag(command, "--deadline", flags.grace,
                    "Trace time after which remaining containers are killed (default: 60s)");
}

}  // namespace

void add_cluster_command(CLI::App& program, ExitCode& result) {
  const auto flags = std::make_shared<ClusterFlags>();
  CLI::App* cluster =
      program.add_subcommand("cluster", "Inspect and administer the cluster of a coordinator");
  cluster->require_subcommand(1);
  add_cluster_status(*cluster);
  add_cluster_logs(*cluster);
  add_make_keys(*cluster);
  add_make_token(*cluster);

  CLI::App* refresh =
      add_change(*cluster, flags, "refresh-queues",
                 "Reload the queues of a running replay from another configuration");
  refresh->add_option("file", flags->file, "capacity-scheduler.xml or allocation file")->required();
  refresh->add_option("--setting", flags->setting, "Setting of the scheduler that names the file")
      ->capture_default_str();
  refresh->callback([flags, &result] { result = refresh_queues(*flags); });

  CLI::App* tuning = add_change(*cluster, flags, "tune",
                                "Change one parameter of the scheduler of a running replay");
  tuning
      ->add_option("parameter", flags->tuning,
                   "A setting of the scheduler, or [QUEUE.]maximum-am-resource-percent or "
                   "[QUEUE.]maxAMShare of its file, and the value")
      ->required()
      ->type_name("PARAMETER=VALUE");
  tuning->callback([flags, &result] { result = tune(*flags); });

  CLI::App* drain =
      add_drain(*cluster, flags, "drain",
                "Drain a node: preempt its containers, and kill them at the deadline; it stays out "
                "of service until undrained");
  add_grace(*drain, *flags);
  drain->callback([flags, &result] {
    result = drain_or_undrain(*flags, control::AdministratorCommandKind::DRAIN);
  });

  CLI::App* undrain = add_drain(*cluster, flags, "undrain", "Return a drained node to service");
  undrain->callback([flags, &result] {
    result = drain_or_undrain(*flags, control::AdministratorCommandKind::UNDRAIN);
  });

  CLI::App* move = add_change(*cluster, flags, "move",
                              "Preempt one container so that its task continues on another node, "
                              "from its checkpoint if its master keeps progress");
  move->add_option("container", flags->container, "Number of the container")->required();
  move->add_option("--to", flags->node, "Target node (default: any other node)");
  add_grace(*move, *flags);
  move->callback(
      [flags, &result] { result = send_command(*flags, control::AdministratorCommandKind::MOVE); });
}

}  // namespace tracebed
