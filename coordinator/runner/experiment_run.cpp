#include "coordinator/runner/experiment_run.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <optional>

#include "coordinator/real/agent_roster.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/runner/experiment_record.h"
#include "coordinator/runner/on_failed_invariant.h"
#include "coordinator/runner/repetitions.h"
#include "coordinator/runner/replay_plans.h"
#include "coordinator/runner/replay_pool.h"
#include "coordinator/runner/replay_run.h"
#include "core/input_error.h"
#include "core/random.h"
#include "report/file_list.h"
#include "report/run_json.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

// In the cluster world the machines are those that are there, for all replays the same.
ResolvedExperiment with_agents(ResolvedExperiment experiment, const RunHost& host,
                               RunObserver& observer) {
  if (experiment.world != World::cluster) return experiment;
  if (host.roster == nullptr) {
    throw EnvironmentError(
        "the cluster world needs a tracebed-coordinator with registered agents; submit the "
        "experiment to it with `tracebed submit`");
  }
  experiment.cluster.machine_file = {};
  experiment.cluster.changes.clear();
  const auto& storage = experiment.storage_options;
  const AgentsNeeded needed{.count = experiment.agents.count_min,
                            .timeout = experiment.agents.timeout,
                            .keep_outputs = storage && storage->namenode.shuffle};
  experiment.cluster.machines = host.roster->wait_for(needed, [&] {
    if (!observer.should_continue()) throw RunInterrupted();
  });
  return experiment;
}

constexpr const char* not_on_one_seed =
    "one repetition of each scheduler: differences are those of this trace and seed, and there are "
    "no verdicts";

// What an experiment is made of, while it runs.
class ExperimentRun {
 public:
  ExperimentRun(const Experiment& experiment, const RunHost& host, RunObserver& observer)
      : experiment_(with_agents(resolve(host.schedulers, experiment), host, observer)),
        host_(host),
        observer_(observer) {
    finished_.folder = std::make_unique<TakenFolder>(experiment_.output);
  }

  FinishedExperiment run() {
    std::vector<ReplayPlan> plans = plans_of(experiment_);
    // One that is in the way is found before the first run, not after the last.
    std::vector<ReplayPlan> noise_plans;
    if (wants_noise()) {
      noise_plans = noise_plans_of(experiment_, plans.size());
    }
    const bool is_noise_sure = experiment_.compare.noise.value_or(false);
    count(plans, plans.size() + (is_noise_sure ? noise_plans.size() : 0));
    count(noise_plans, plans.size() + noise_plans.size());
    read_trace(plans.size());
    say_what_differs();
    say_what_runs(plans);
    finished_.scale = replays_->workload().facts().scaled;
    run_all(plans, experiment_, finished_.replays);
    if (!noise_plans.empty() && is_worth_noise()) run_noise(noise_plans);
    return std::move(finished_);
  }

  FinishedExperiment run_noise_alone() {
    std::vector<ReplayPlan> plans = noise_plans_of(experiment_, 0);
    count(plans, plans.size());
    read_trace(plans.size());
    run_noise(plans);
    return std::move(finished_);
  }

 private:
  // Unless the experiment sets it: where there is something to compare, and what a machine does by
  // itself cannot be told from a model.
  bool wants_noise() const {
    return experiment_.compare.noise.value_or(experiment_.world != World::simulated &&
                                              experiment_.schedulers.size() > 1);
  }

  static void count(std::vector<ReplayPlan>& plans, std::size_t replays) {
    for (ReplayPlan& plan : plans) plan.replays = static_cast<std::uint32_t>(replays);
  }

  void read_trace(std::size_t replays) {
    const bool is_shared = experiment_.world == World::simulated && replays > 1;
    const std::int64_t memory = is_shared ? experiment_.simulated.trace_memory_bytes : 0;
    replays_.emplace(experiment_, host_, memory);
    if (memory > 0 && !replays_->workload().is_kept()) {
      observer_.noted(
          fmt::format("the trace's jobs need more than {} of memory (virtual.trace_memory), so "
                      "each run reads the trace again",
                      size_text(memory)));
    }
  }

  // From the systems that the schedulers imitate.
  void say_what_differs() {
    const ResourceDimensions dimensions(experiment_.cluster.extra_dimensions);
    for (const ScheduledConfigurations& configurations : experiment_.schedulers) {
      const ResolvedScheduler& scheduler = configurations.scheduler;
      const std::vector<std::string> names =
          differences_of(scheduler, dimensions, replays_->workload().facts().has_gangs);
      if (names.empty()) continue;
      observer_.noted(fmt::format("{} differs from {} in: {}; see docs/differences.md",
                                  scheduler.label, scheduler.entry->imitated,
                                  fmt::join(names, ", ")));
    }
  }

  void say_what_runs(const std::vector<ReplayPlan>& plans) {
    if (experiment_.repetitions == 1) {
      observer_.noted(not_on_one_seed);
      return;
    }
    const std::size_t schedulers = experiment_.schedulers.size();
    observer_.noted(fmt::format("{} repetitions of {}, {} at a time; --quick runs one",
                                experiment_.repetitions,
                                schedulers == 1 ? experiment_.schedulers.front().scheduler.label
                                                : fmt::format("{} schedulers", schedulers),
                                std::min<std::size_t>(chosen_threads(experiment_), plans.size())));
    // Schedulers that draw vary in more than others.
    std::vector<std::string> unique_remarks;
    for (std::size_t i = 0; i < schedulers; ++i) {
      const std::vector<std::string> varied =
          what_varies(experiment_, *plans[i].scheduler().entry, replays_->workload().facts());
      const std::string text =
          varied.empty()
              ? fmt::format("nothing varies between repetitions of {}: all make the same decisions",
                            plans[i].scheduler().label)
              : fmt::format("repetitions vary in {}", fmt::join(varied, ", "));
      if (std::find(unique_remarks.begin(), unique_remarks.end(), text) == unique_remarks.end())
        unique_remarks.push_back(text);
    }
    for (const std::string& text : unique_remarks) observer_.noted(text);
  }

  // In the real world the time that the baseline took is an estimate of what it would take once
  // more.
  bool is_worth_noise() {
    if (finished_.is_cancelled || finished_.failure) return false;
    double seconds = 0;
    for (const FinishedReplay& replay : finished_.replays) {
      if (replay.label != experiment_.baseline_scheduler().label) continue;
      if (replay.outcome != RunOutcome::complete) {
        observer_.noted(
            fmt::format("noise is not measured: {} did not complete its trace", replay.label));
        return false;
      }
      seconds += replay.wall_seconds;
    }
    if (experiment_.compare.noise) return true;
    const auto wall_time = [](double of_seconds) {
      return clock_text(Duration(static_cast<std::int64_t>(of_seconds) * 1'000'000));
    };
    const double limit = to_seconds(experiment_.compare.noise_time);
    if (seconds > limit) {
      observer_.noted(fmt::format(
          "noise is not measured: running {} again would take about {}, above compare.noise_time = "
          "{}; use --noise to measure it anyway",
          experiment_.baseline_scheduler().label, wall_time(seconds), wall_time(limit)));
      return false;
    }
    return true;
  }

  void run_noise(const std::vector<ReplayPlan>& plans) {
    const std::string again = plans.size() == 1
                                  ? "once more under another seed"
                                  : fmt::format("{} times more under other seeds", plans.size());
    observer_.noted(fmt::format("noise: {} {}", plans.front().scheduler().label, again));
    ExperimentTables below = experiment_;
    below.output /= noise_folder;
    run_all(plans, below, finished_.noise);
  }

  // Into `ended`, with a record in the output folder of `recorded`.
  void run_all(const std::vector<ReplayPlan>& plans, const ExperimentTables& recorded,
               std::vector<FinishedReplay>& ended) {
    const auto write = [&](bool has_ended, const std::string& failure = {}) {
      FinishedExperiment so_far;
      so_far.replays = ended;
      so_far.is_cancelled = finished_.is_cancelled;
      write_experiment_record(recorded, so_far, has_ended, failure);
    };
    const auto run_one = [&](const ReplayPlan& plan, RunObserver& observer) {
      // A real world's threads fail its run, too; others' of the pool have notes of their own.
      const auto from = experiment_.world == World::simulated ? OnFailedInvariant::From::own_thread
                                                              : OnFailedInvariant::From::any_thread;
      const OnFailedInvariant note(
          from, [&](const std::string& why) { return note_failure(plan, why, recorded, ended); });
      return replays_->run(plan, observer);
    };
    write(/*has_ended=*/false);
    try {
      const std::uint32_t threads = chosen_threads(experiment_);
      if (threads > 1 && plans.size() > 1) {
        ReplayPool pool(threads, run_one, [&](const std::vector<FinishedReplay>& so_far) {
          const std::lock_guard lock(record_mutex_);
          ended = so_far;
          write(/*has_ended=*/false);
        });
        ended = pool.run(plans, observer_);
      } else {
        for (const ReplayPlan& plan : plans) {
          ended.push_back(run_one(plan, observer_));
          if (ended.back().failure || is_cancelled(ended.back())) break;
          write(/*has_ended=*/false);
        }
      }
    } catch (const std::exception& error) {
      write(/*has_ended=*/true, error.what());
      throw;
    }
    for (const FinishedReplay& replay : ended) {
      if (!finished_.failure) finished_.failure = replay.failure;
    }
    finished_.is_cancelled =
        !finished_.failure && std::any_of(ended.begin(), ended.end(), is_cancelled);
    write(/*has_ended=*/true);
  }

  static bool is_cancelled(const FinishedReplay& replay) {
    return replay.outcome == RunOutcome::cancelled;
  }

  // Called where an invariant failed, in whatever state the rest is.
  std::string note_failure(const ReplayPlan& plan, const std::string& why,
                           const ExperimentTables& recorded,
                           const std::vector<FinishedReplay>& ended) {
    // Another thread that writes the record now will have done so in a moment; that it never does
    // must not keep this one from ending the program.
    constexpr auto timeout = std::chrono::seconds(2);
    const std::unique_lock lock(record_mutex_, timeout);
    if (!lock.owns_lock()) return {};
    FinishedExperiment cut_short;
    cut_short.replays = ended;
    FinishedReplay& replay = cut_short.replays.emplace_back();
    replay.label = plan.scheduler().label;
    replay.repetition = plan.repetition;
    replay.seed = plan.seed;
    replay.is_noise = plan.is_noise;
    replay.folder = plan.folder;
    replay.outcome = RunOutcome::failed;
    replay.reason = why;
    const std::filesystem::path record = plan.folder / run_json_file;
    if (std::filesystem::exists(record)) replay.record = checksum_of_file(record);
    write_experiment_record(recorded, cut_short, /*has_ended=*/true);
    return {};
  }

  ResolvedExperiment experiment_;
  const RunHost& host_;
  RunObserver& observer_;
  std::optional<ExperimentReplays> replays_;
  std::timed_mutex record_mutex_;  // guards what ended while the pool runs, and its record
  FinishedExperiment finished_;
};

}  // namespace

FinishedExperiment run_experiment(const Experiment& experiment, const RunHost& host,
                                  RunObserver& observer) {
  return ExperimentRun(experiment, host, observer).run();
}

FinishedExperiment run_noise(const Experiment& experiment, const RunHost& host,
                             RunObserver& observer) {
  return ExperimentRun(experiment, host, observer).run_noise_alone();
}

std::vector<std::filesystem::path> run_folders(const FinishedExperiment& finished) {
  std::vector<std::filesystem::path> folders;
  for (const FinishedReplay& replay : finished.replays) folders.push_back(replay.folder);
  for (const FinishedReplay& replay : finished.noise) folders.push_back(replay.folder);
  return folders;
}

}  // namespace tracebed
