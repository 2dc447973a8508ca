#include "coordinator/runner/experiment_run.h"

#include <fmt/format.h>

#include "coordinator/real/agent_roster.h"
#include "coordinator/real/local_cluster.h"
#include "coordinator/runner/choices.h"
#include "coordinator/runner/experiment_record.h"
#include "coordinator/runner/hadoop_sites.h"
#include "coordinator/runner/replay_run.h"
#include "coordinator/runner/scheduler_files.h"
#include "core/input_error.h"
#include "core/random.h"

namespace tracebed {
namespace {

// A run is never written over another; better said before hours of it than after.
void check_is_free(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / "run.json")) {
    throw EnvironmentError(fmt::format(
        "{} holds a run already; choose another output folder or remove it", folder.string()));
  }
}

std::filesystem::path replay_folder(const Experiment& experiment, const SchedulerChoice& scheduler,
                                    std::uint32_t repetition) {
  const std::filesystem::path folder = experiment.output / scheduler.label;
  return experiment.repetitions == 1 ? folder : folder / fmt::format("r{}", repetition);
}

// The scheduler as the refresh wants it: settings that it does not name stay.
SchedulerChoice refreshed(const SchedulerChoice& scheduler, const RefreshChoice& refresh) {
  SchedulerChoice choice = scheduler;
  choice.where = refresh.where;
  for (const Setting& setting : refresh.settings) {
    std::erase_if(choice.settings,
                  [&](const Setting& earlier) { return earlier.key == setting.key; });
    choice.settings.push_back(setting);
  }
  return choice;
}

// One after the other, each of what the one before left.
std::vector<std::pair<TraceTime, SchedulerChoice>> refreshes_of(const Experiment& experiment,
                                                                const SchedulerChoice& scheduler) {
  std::vector<std::pair<TraceTime, SchedulerChoice>> refreshes;
  SchedulerChoice latest = scheduler;
  for (const RefreshChoice& refresh : experiment.refreshes) {
    if (refresh.scheduler != scheduler.label) continue;
    latest = refreshed(latest, refresh);
    refreshes.emplace_back(refresh.at, latest);
  }
  return refreshes;
}

// In the cluster world the machines are those that are there, for all replays the same.
Experiment with_agents(Experiment experiment, const RunHost& host, RunObserver& observer) {
  if (experiment.world != World::cluster) return experiment;
  if (host.roster == nullptr) {
    throw EnvironmentError(
        "the cluster world is run by a tracebed-coordinator that agents register with; hand the "
        "experiment to it with `tracebed submit`");
  }
  experiment.cluster.machine_file = {};
  experiment.cluster.changes.clear();
  experiment.cluster.machines =
      host.roster->wait_for(experiment.agents.count_min, experiment.agents.patience, [&] {
        if (!observer.goes_on()) throw RunInterrupted();
      });
  return experiment;
}

}  // namespace

RunHost this_host(std::string experiment_file) {
  RunHost host;
  host.experiment_file = std::move(experiment_file);
  host.programs = own_programs();
  return host;
}

std::uint64_t repetition_seed(std::uint64_t seed, std::uint32_t repetition) {
  if (repetition == 1) return seed;
  return Random::stream(seed, fmt::format("repetition {}", repetition)).next();
}

// What the policy would wait for in vain is refused.
void check_relocation(const Experiment& experiment) {
  const std::optional<RelocationOptions> relocation = chosen_relocation(experiment.relocation);
  if (!relocation) return;
  const auto refuse = [&](std::string_view key, std::string_view rule) {
    for (const Setting& setting : experiment.relocation) {
      if (setting.key == key) throw InputError(fmt::format("{}: {}", setting.where, rule));
    }
  };
  if (relocation->for_io && experiment.world == World::simulated) {
    refuse("relocation.io",
           "expected false in the virtual world: modelled machines have no disks, so none tells "
           "how long its tasks wait for I/O");
  }
  if (relocation->for_locality && experiment.master.in_containers) {
    refuse("relocation.locality",
           "expected false beside am = \"container\": where tasks have their input is known to "
           "masters that the coordinator hosts");
  }
}

void check_choices(const Experiment& chosen) {
  const Experiment experiment = with_hadoop_sites(chosen).experiment;
  chosen_memory_check(experiment);
  const Names names;
  const SchedulerSurroundings surroundings{experiment.seed, names,
                                           ResourceDimensions(experiment.cluster.extra_dimensions)};
  for (const SchedulerChoice& choice : experiment.schedulers) {
    make_chosen_scheduler(choice, surroundings);
    check_is_scalable(choice, experiment.scale);
    for (const auto& [at, refresh] : refreshes_of(experiment, choice)) {
      make_chosen_scheduler(refresh, surroundings);
      check_is_scalable(refresh, experiment.scale);
    }
  }
  make_chosen_masters(experiment.masters, experiment.seed);
  check_relocation(experiment);
  check_workload_choices(experiment);
}

FinishedExperiment run_experiment(const Experiment& chosen, const RunHost& host,
                                  RunObserver& observer) {
  check_choices(chosen);
  const SitedExperiment sited = with_hadoop_sites(chosen);
  const Experiment experiment = with_agents(sited.experiment, host, observer);
  std::vector<ReplayPlan> plans;
  for (std::uint32_t repetition = 1; repetition <= experiment.repetitions; ++repetition) {
    for (const SchedulerChoice& scheduler : experiment.schedulers) {
      const std::filesystem::path folder = replay_folder(experiment, scheduler, repetition);
      check_is_free(folder);
      std::vector<std::pair<TraceTime, SchedulerChoice>> refreshes =
          refreshes_of(experiment, scheduler);
      for (auto& [at, refresh] : refreshes) {
        refresh = complete_choice(refresh, experiment.scale);
      }
      SchedulerChoice complete = complete_choice(scheduler, experiment.scale);
      std::vector<std::string> remarks =
          passed_over(scheduler, ResourceDimensions(experiment.cluster.extra_dimensions));
      remarks.insert(remarks.end(), sited.remarks.begin(), sited.remarks.end());
      for (std::string& remark : changed_by_scale(complete, experiment.scale)) {
        remarks.push_back(std::move(remark));
      }
      plans.push_back(
          {std::move(complete), repetition, repetition_seed(experiment.seed, repetition), folder,
           static_cast<std::uint32_t>(plans.size() + 1), std::move(refreshes), std::move(remarks)});
    }
  }
  ExperimentReplays replays(experiment, host, static_cast<std::uint32_t>(plans.size()), observer);
  FinishedExperiment finished;
  finished.scale_effects = replays.workload().facts().scale_effects;
  for (const ReplayPlan& plan : plans) {
    finished.replays.push_back(replays.run(plan));
    finished.is_cancelled = finished.replays.back().outcome == ReplayOutcome::cancelled;
    finished.failure = finished.replays.back().failure;
    if (finished.is_cancelled || finished.failure) break;
  }
  write_experiment_record(experiment, finished);
  return finished;
}

}  // namespace tracebed
