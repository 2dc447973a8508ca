#include "coordinator/cli/run_on_cluster.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>

#include "coordinator/cli/fetch_run.h"
#include "coordinator/cli/follow_run.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/progress_line.h"
#include "coordinator/cli/results_folder.h"
#include "coordinator/cli/run_end.h"
#include "coordinator/cli/run_folders.h"
#include "coordinator/cli/submission.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/runner/experiment_record.h"
#include "coordinator/runner/experiment_report.h"
#include "coordinator/runner/replay_plans.h"
#include "core/input_error.h"
#include "system/files_below.h"
#include "system/interruption.h"
#include "system/plain_message.h"
#include "system/regular_file.h"

namespace tracebed {
namespace {

control::Submission submission_of(const RunFlags& flags, const SchedulerRegistry& schedulers) {
  control::Submission submission = read_submission(flags.file, schedulers);
  RunFlags placed = flags;
  if (placed.world.empty()) placed.world = "cluster";
  for (const Override& given : overrides_of(placed)) {
    control::Override& entry = submission.overrides.emplace_back();
    entry.key = given.key;
    entry.value = given.value;
  }
  submission.schedulers = flags.schedulers;
  return submission;
}

// What the coordinator wrote of the runs in `folder` when they ended; none if it had not got that
// far.
std::optional<nlohmann::ordered_json> read_record(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "experiment.json";
  std::error_code failure;
  if (!std::filesystem::exists(file, failure)) return std::nullopt;
  try {
    constexpr std::size_t record_bytes_max = std::size_t{64} << 20;
    nlohmann::ordered_json record =
        nlohmann::ordered_json::parse(read_regular_file(file, record_bytes_max));
    if (!record.at("has_ended").get<bool>()) return std::nullopt;
    for (const auto& replay : record.at("replays")) {
      if (is_path_below(replay.at("folder").get<std::string>())) continue;
      throw InputError(file.string() + ": a replay's folder lies elsewhere");
    }
    return record;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(
        fmt::format("{}: not an experiment's record: {}", file.string(), plain_message(error)));
  }
}

// As `tracebed run` reports one that ran here: runs of the baseline against itself, which have a
// record of their own, are listed beside the schedulers'.
std::optional<nlohmann::ordered_json> read_whole_record(const std::filesystem::path& output) {
  std::optional<nlohmann::ordered_json> record = read_record(output);
  if (!record) return std::nullopt;
  (*record)["noise"] = nlohmann::ordered_json::array();
  if (const auto noise = read_record(output / noise_folder)) {
    for (nlohmann::ordered_json replay : noise->at("replays")) {
      const std::filesystem::path folder = replay.at("folder").get<std::string>();
      replay["folder"] = (std::filesystem::path(noise_folder) / folder).string();
      (*record)["noise"].push_back(std::move(replay));
    }
  }
  return record;
}

EndedRun ended_run(const nlohmann::ordered_json& record, const std::filesystem::path& output) {
  EndedRun run{{}, {}, output};
  for (const char* list : {"replays", "noise"}) {
    for (const auto& replay : record.at(list)) {
      EndedReplay& ended = run.replays.emplace_back(EndedReplay{
          output / replay.at("folder").get<std::string>(), replay.at("outcome").get<std::string>(),
          replay.at("wall_seconds").get<double>(), replay.at("jobs_ended").get<std::uint64_t>(),
          replay.at("digest").get<std::string>(), replay.value("reason", "")});
      if (replay.contains("stall")) {
        ended.chain = replay.at("stall").at("chain").get<std::vector<std::string>>();
      }
    }
  }
  return run;
}

// Of a run that was not cancelled.
ExitCode exit_code_of(const nlohmann::ordered_json& record) {
  std::vector<std::string> outcomes;
  for (const auto& replay : record.at("replays")) {
    outcomes.push_back(replay.at("outcome").get<std::string>());
  }
  return exit_code_of_outcomes(outcomes);
}

ExitCode print_end(const RunFlags& flags, const control::RunStatus& status,
                   const std::filesystem::path& output) {
  if (status.state == control::RunState::FAILED) {
    print_plain(stderr, "tracebed: run {} failed: {}\n", status.run, status.message);
  }
  std::optional<nlohmann::ordered_json> record = read_whole_record(output);
  if (record && !record->at("replays").empty()) {
    const ReportTexts report =
        report_runs({named_run_folders({output.string()}), FileCheck::contents,
                     compare_options(recorded_compare_choice(output)), ""});
    if (flags.json) {
      (*record)["run"] = status.run;
      (*record)["output"] = output.string();
      (*record)["comparison"] = nlohmann::ordered_json::parse(report.json);
      print_json(*record);
    } else {
      print_lines(run_end_text(ended_run(*record, output), report, flags.details));
    }
  }
  if (status.state == control::RunState::CANCELLED) return ExitCode::interrupted;
  const ExitCode code = record ? exit_code_of(*record) : ExitCode::run_failed;
  const bool is_told_by_replays = code == ExitCode::none_succeeded || code == ExitCode::stalled;
  if (status.state == control::RunState::FINISHED || is_told_by_replays) return code;
  // A coordinator of an earlier version does not say why; of what exit() cannot tell, 256 is 0.
  constexpr int exit_code_max = 255;
  const bool is_told = status.exit_code > 0 && status.exit_code <= exit_code_max;
  return is_told ? static_cast<ExitCode>(status.exit_code) : ExitCode::run_failed;
}

}  // namespace

ExitCode run_on_cluster(const RunFlags& flags, const SchedulerRegistry& schedulers) {
  const control::Submission submission = submission_of(flags, schedulers);
  const Interruption interruption;
  const std::int64_t run = connect_to(flags.coordinator).submit(submission);
  ProgressLine progress(interruption,
                        flags.quiet ? ProgressLine::Form::quiet : ProgressLine::form_of_stderr());
  RetryingClient client(flags.coordinator,
                        [&](const std::string& message) { progress.noted(message); });
  progress.noted(fmt::format("run {} of {}", run, flags.coordinator.address));
  const FollowedRun followed = follow_run(client, run, interruption, progress);
  if (followed.is_left) return ExitCode::interrupted;
  const ResultsFolder output(flags.output, output_name(followed.status));
  const int signals = interruption.count();
  fetch_run(client, run, output.path(), [&] {
    if (interruption.count() > signals) throw RunInterrupted();
  });
  progress.finish();
  return print_end(flags, followed.status, output.path());
}

}  // namespace tracebed
