// `tracebed cluster logs`
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/cluster_agents.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "system/interruption.h"

namespace tracebed {
namespace {

struct ClusterLogFlags {
  CoordinatorFlags coordinator;
  std::string daemon;
  std::int32_t lines = 100;
  bool follow = false;
  bool json = false;
};

std::string_view name_of_severity(std::int32_t severity) {
  return severity <= 0 ? "info" : severity == 1 ? "warning" : "error";
}

void print(const control::LogLine& line, bool json) {
  if (json) {
    print_json({{"number", line.number},
                {"daemon", line.daemon},
                {"at_nanoseconds", line.at_nanoseconds},
                {"severity", name_of_severity(line.severity)},
                {"text", line.text}});
    return;
  }
  constexpr std::int64_t second = 1'000'000'000;
  print_plain("{:%Y-%m-%d %H:%M:%S}.{:03} {:<16} {:<8} {}\n",
              fmt::localtime(static_cast<std::time_t>(line.at_nanoseconds / second)),
              line.at_nanoseconds % second / 1'000'000, line.daemon,
              name_of_severity(line.severity), line.text);
}

void show(const ClusterLogFlags& flags) {
  constexpr std::int32_t lines_max = 1'000;
  ControlClient client = connect_to(flags.coordinator);
  const Interruption interruption;
  std::int64_t last = 0;
  std::int32_t limit = flags.lines;
  do {
    for (const control::LogLine& line : client.log_lines(flags.daemon, last, limit)) {
      last = line.number;
      print(line, flags.json);
    }
    std::fflush(stdout);
    limit = lines_max;
  } while (flags.follow && !interruption.wait_for(std::chrono::seconds(1)));
}

}  // namespace

void add_cluster_logs(CLI::App& cluster) {
  const auto flags = std::make_shared<ClusterLogFlags>();
  CLI::App* command = cluster.add_subcommand(
      "logs", "Print recent log lines of the coordinator, its agents and their datanodes");
  command->add_option("daemon", flags->daemon,
                      "\"coordinator\", an agent's name or AGENT.datanode (default: all)");
  command->add_option("--lines", flags->lines, "Show the last N lines")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--follow", flags->follow, "Keep printing new lines until Ctrl-C");
  add_coordinator_flags(*command, flags->coordinator);
  command->add_flag("--json", flags->json, "Print one JSON object per line");
  command->callback([flags] { show(*flags); });
}

}  // namespace tracebed
