// `tracebed log show RUN`
#include <fmt/core.h>
#include <fmt/format.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/duration_flag.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/recorded/log_show.h"

namespace tracebed {
namespace {

struct LogFlags {
  std::string run;
  std::optional<Duration> from;
  std::optional<Duration> until;
  std::string job;
  std::string node;
  bool decisions = false;
  bool scores = false;
  bool json = false;
};

ExitCode show(const LogFlags& flags, const SchedulerRegistry& schedulers) {
  LogRequest request;
  request.run = flags.run;
  if (flags.from) request.filter.from = TraceTime(*flags.from);
  if (flags.until) request.filter.until = TraceTime(*flags.until);
  request.filter.job = flags.job;
  request.filter.node = flags.node;
  request.shows_choices = flags.scores;
  request.decides_again = flags.decisions || !flags.job.empty() || !flags.node.empty();
  const ShownLog shown = show_log(request, schedulers, [&](const nlohmann::ordered_json& fact) {
    if (flags.json) {
      print_plain("{}\n", fact.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
      print_plain("{}\n", to_line(fact));
    }
  });
  if (shown.loss) {
    print_plain(stderr, "tracebed: {}: the log is intact up to round {} and ends early: {}\n",
                flags.run, shown.rounds, *shown.loss);
  }
  if (flags.scores && !shown.has_choices && !shown.difference) {
    print_plain(stderr,
                "tracebed: {}: the scheduler compared no nodes in these rounds; "
                "weighted_priorities and dbd do, also as policies of concurrent schedulers\n",
                flags.run);
  }
  if (shown.difference) {
    print_plain(stderr,
                "tracebed: {}: round {} was decided differently: recorded: {}; decided: {}; "
                "later rounds cannot be attributed to jobs\n",
                flags.run, shown.difference->round, shown.difference->recorded,
                shown.difference->decided);
    return ExitCode::run_failed;
  }
  return ExitCode::success;
}

}  // namespace

void add_log_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result) {
  CLI::App* log = program.add_subcommand("log", "Inspect the round log of a run");
  log->require_subcommand(1);
  const auto flags = std::make_shared<LogFlags>();
  CLI::App* command = log->add_subcommand(
      "show", "Print the events of each round: jobs, machines, heartbeats, container exits");
  command->add_option("run", flags->run, "Run folder")->required();
  add_duration_flag(*command, "--from", flags->from,
                    "Skip rounds before this trace time, for example 10m");
  add_duration_flag(*command, "--until", flags->until, "Stop at this trace time");
  command->add_option("--job", flags->job,
                      "Only events of this job, by number or name; replays the decisions to find "
                      "its containers");
  command->add_option("--node", flags->node,
                      "Only events of this node, by name; replays the decisions, too");
  command->add_flag("--decisions", flags->decisions,
                    "Also print launches and kills, by replaying the decisions");
  command->add_flag("--scores", flags->scores,
                    "Also print what the scheduler made of each node for each unit that it placed: "
                    "scores, or why the node was out of the question; replays the decisions");
  command->add_flag("--json", flags->json, "Print one JSON object per line");
  command->callback([flags, &schedulers, &result] { result = show(*flags, schedulers); });
}

}  // namespace tracebed
