// `tracebed replay-log RUN`
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>
#include <vector>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/run_folders.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/recorded/replay_log.h"

namespace tracebed {
namespace {

struct ReplayLogFlags {
  std::vector<std::string> runs;
  bool details = false;
  bool json = false;
};

nlohmann::ordered_json to_json(const std::filesystem::path& run, const LogReplay& replay) {
  nlohmann::ordered_json json{
      {"run", run.string()},     {"agrees", replay.agrees()},
      {"digest", replay.digest}, {"recorded_digest", replay.recorded_digest},
      {"rounds", replay.rounds}, {"jobs_ended", replay.jobs_ended},
  };
  json["has_task_rows"] = replay.has_task_rows;
  if (replay.loss) json["loss"] = *replay.loss;
  if (replay.difference) {
    json["difference"] = {{"round", replay.difference->round},
                          {"at_us", to_microseconds(replay.difference->at)},
                          {"recorded", replay.difference->recorded},
                          {"decided", replay.difference->decided}};
  }
  json["row_differences"] = nlohmann::ordered_json::array();
  for (const RowDifference& difference : replay.row_differences) {
    json["row_differences"].push_back({{"file", difference.file},
                                       {"line", difference.line},
                                       {"column", difference.column},
                                       {"decided", difference.decided},
                                       {"recorded", difference.recorded}});
  }
  return json;
}

void print(const std::filesystem::path& run, const LogReplay& replay) {
  if (replay.difference) {
    print_plain(
        "{}: decided differently from round {} on, at {:.6f} s\n  recorded: {}\n"
        "  decided:  {}\n",
        run.string(), replay.difference->round, to_seconds(replay.difference->at),
        replay.difference->recorded, replay.difference->decided);
  } else if (replay.loss) {
    print_plain("{}: {} rounds, {} jobs, digest {}; then the log ends early: {}\n", run.string(),
                replay.rounds, replay.jobs_ended, replay.digest, *replay.loss);
  } else if (replay.agrees()) {
    print_plain("{}: decided the same: {} rounds, {} jobs, digest {}\n", run.string(),
                replay.rounds, replay.jobs_ended, replay.digest);
  } else if (replay.digest != replay.recorded_digest) {
    print_plain(
        "{}: decided differently: digest {}, recorded: {}; all containers and jobs agree, so the "
        "difference has no row: an acceptance, a wake-up or a cancelled preemption\n",
        run.string(), replay.digest, replay.recorded_digest);
  } else {
    print_plain("{}: decided the same, but the rows differ: {} rounds, {} jobs, digest {}\n",
                run.string(), replay.rounds, replay.jobs_ended, replay.digest);
  }
  for (const RowDifference& difference : replay.row_differences) {
    print_plain("  {}\n", difference.text());
  }
  if (!replay.has_task_rows) {
    print_plain(
        "  rows of tasks were not kept, and not compared; `tracebed export {}` makes them\n",
        run.string());
  }
}

using Replayed = std::vector<std::pair<std::filesystem::path, LogReplay>>;

// Of several runs, the answer for all of them, and which differ; a single one's line is the answer.
void print_all(const Replayed& runs, bool with_details) {
  constexpr std::size_t listed_max = 5;
  const auto differing = static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [](const auto& entry) { return !entry.second.agrees(); }));
  if (runs.size() > 1) {
    print_plain("{}\n", differing == 0
                            ? fmt::format("All {} runs decided the same.", runs.size())
                            : fmt::format("{} of {} runs do not agree with their records.",
                                          differing, runs.size()));
  }
  std::size_t listed = 0;
  for (const auto& [folder, replay] : runs) {
    const bool is_of_interest = runs.size() == 1 || !replay.agrees();
    if (!with_details && (!is_of_interest || ++listed > listed_max)) continue;
    print(folder, replay);
  }
  if (listed > listed_max) print_plain("{} more: --details\n", listed - listed_max);
}

ExitCode replay_logs(const ReplayLogFlags& flags, const SchedulerRegistry& schedulers) {
  bool all_agree = true;
  Replayed runs;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::filesystem::path& run : named_run_folders(flags.runs)) {
    LogReplay replay = replay_log(run, schedulers);
    all_agree = all_agree && replay.agrees();
    if (flags.json) {
      list.push_back(to_json(run, replay));
    } else {
      runs.emplace_back(run, std::move(replay));
    }
  }
  if (flags.json) {
    print_json(list);
  } else {
    print_all(runs, flags.details);
  }
  return all_agree ? ExitCode::success : ExitCode::run_failed;
}

}  // namespace

void add_replay_log_command(CLI::App& program, const SchedulerRegistry& schedulers,
                            ExitCode& result) {
  const auto flags = std::make_shared<ReplayLogFlags>();
  CLI::App* command = program.add_subcommand(
      "replay-log", "Replay the decisions of runs from their logs, and compare digests and rows");
  command->add_option("runs", flags->runs, "Run folders, or output folders of experiments")
      ->required();
  command->add_flag("--details", flags->details, "Print a line for every run");
  command->add_flag("--json", flags->json, "Print results as JSON");
  command->callback([flags, &schedulers, &result] { result = replay_logs(*flags, schedulers); });
}

}  // namespace tracebed
