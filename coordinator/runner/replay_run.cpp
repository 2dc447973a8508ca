#include "coordinator/runner/replay_run.h"

#include <chrono>
#include <fmt/format.h>

#include "coordinator/disturbances/crashing_fleet.h"
#include "coordinator/disturbances/requested_changes.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/namenode_view.h"
#include "coordinator/engine/replay.h"
#include "coordinator/monitoring/application_history.h"
#include "coordinator/monitoring/decision_timer.h"
#include "coordinator/monitoring/progress_reporter.h"
#include "coordinator/monitoring/run_sampler.h"
#include "coordinator/resolving/scaled_queues.h"
#include "coordinator/resolving/scheduler_files.h"
#include "coordinator/runner/on_failed_invariant.h"
#include "coordinator/runner/record_tee.h"
#include "coordinator/runner/replay_control.h"
#include "coordinator/runner/replay_submissions.h"
#include "coordinator/runner/run_account.h"
#include "coordinator/worlds/run_world.h"
#include "core/input_error.h"
#include "report/refusals.h"
#include "report/rejections.h"
#include "report/run_folder.h"
#include "report/stall_text.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Names the run in Redis and cgroups, which other runs may use at the same time.
std::string unique_run_id(const std::string& experiment) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:.60}-{:x}", experiment,
                     std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

// A relocation is worth what the task had done, unless that is kept.
void warn_of_lost_work(const ResolvedExperiment& experiment, Warnings& warnings) {
  if (!experiment.relocation.options) return;
  for (const Setting& setting : experiment.masters.settings) {
    if (setting.key != "preemption.policy" || setting.value.ends_with("checkpoint")) continue;
    warnings.add(
        fmt::format("relocated tasks restart from the beginning, since the masters' "
                    "preemption.policy is {}; with checkpoint they keep their progress",
                    setting.value));
  }
}

void warn_of_losses(const ResolvedExperiment& experiment, Warnings& warnings) {
  warn_of_lost_work(experiment, warnings);
  const bool has_log = experiment.world != World::simulated || experiment.log.keep;
  if (experiment.task_rows != TaskRows::none || has_log) return;
  warnings.add(
      "neither the rows of tasks nor the log are kept (output.tasks, log.keep), so nobody can tell "
      "later what tasks did");
}

// What is ignored in a scheduler's files, and what the cluster and [scale] make of the queues of
// all configurations and of a controller's amounts.
std::vector<std::string> remarks_of(const ScheduledConfigurations& configurations,
                                    const ResolvedExperiment& experiment,
                                    const TraceWorkload& workload) {
  const ResourceDimensions dimensions(experiment.cluster.extra_dimensions);
  std::vector<std::string> remarks = configurations.scheduler.remarks;
  const auto add = [&](const ResolvedScheduler& scheduler) {
    for (const std::string& sentence : rounding_of_queues(
             scheduler, dimensions, workload.recorded_machines(), workload.machines())) {
      remarks.push_back(fmt::format("{}: {}", scheduler.where, sentence));
    }
    for (const std::string& sentence :
         warnings_of_queues(scheduler, dimensions, workload.machines())) {
      remarks.push_back(fmt::format("{}: {}", scheduler.where, sentence));
    }
  };
  add(configurations.scheduler);
  for (const auto& [at, refresh] : configurations.refreshes) add(refresh);
  if (!configurations.controller) return remarks;
  for (const std::string& remark : configurations.controller->remarks) remarks.push_back(remark);
  return remarks;
}

std::optional<NamenodeOptions> namenode_options(const ResolvedExperiment& experiment,
                                                std::uint64_t seed) {
  if (!experiment.storage_options) return std::nullopt;
  NamenodeOptions options = experiment.storage_options->namenode;
  options.seed = seed;
  return options;
}

// Clients look at the engine's namenode until then, however the run ends.
struct EndOfService {
  RunWorld& world;
  ~EndOfService() { world.end_service(); }
};

// Tasks that were lost with their machines have read what nobody reported.
std::string unequal_counts(const ReadBytes& served, const ReadBytes& read) {
  const auto text = [](const ReadBytes& bytes) {
    return fmt::format("{}, {} and {} B", bytes.node_local, bytes.rack_local, bytes.off_rack);
  };
  return fmt::format(
      "datanodes sent {} to tasks on their node, in their rack and elsewhere; tasks report that "
      "they read {}",
      text(served), text(read));
}

void warn_of_refused_calls(std::uint64_t refused, Warnings& warnings) {
  if (refused == 0) return;
  warnings.add(
      fmt::format("the namenode refused {} times to name or delete what tasks wrote: the "
                  "output of jobs may not be whole",
                  refused));
}

void note_outcome(const ReplayResult& result, const ResourceDimensions& dimensions, RunEnd& end) {
  end.outcome = result.outcome;
  end.stall = result.stall;
  if (end.stall) end.reason = stall_text(*end.stall, dimensions);
}

// Without the checksum of its record, and why it failed.
FinishedReplay finished_replay(const ReplayPlan& plan, const std::string& label, const RunEnd& end,
                               const RunMetrics& metrics, std::uint64_t jobs_ended) {
  FinishedReplay finished;
  finished.reason = end.reason;
  if (end.stall) finished.stall = end.stall->kind;
  finished.label = label;
  finished.repetition = plan.repetition;
  finished.seed = plan.seed;
  finished.is_noise = plan.is_noise;
  finished.folder = plan.folder;
  finished.outcome = end.outcome;
  const bool has_none_succeeded = metrics.jobs > 0 && metrics.succeeded == 0;
  if (end.outcome == RunOutcome::complete && has_none_succeeded) {
    finished.outcome = RunOutcome::unsuccessful;
    finished.reason = none_succeeded_text(end, metrics.killed, jobs_ended);
  }
  finished.rejections = end.rejections;
  finished.failures = end.failures;
  finished.digest = end.digest;
  finished.jobs_ended = jobs_ended;
  finished.wall_seconds = end.wall_seconds;
  return finished;
}

// The bytes that were digested are those that were read, and those that will be.
FileIdentity identity_of_trace(const ResolvedExperiment& experiment,
                               const TraceWorkload& workload) {
  if (experiment.trace.file.empty()) return {};
  FileIdentity identity = identify_file(experiment.trace.file, &workload.witness());
  workload.check_listing();
  return identity;
}

}  // namespace

ExperimentReplays::ExperimentReplays(const ResolvedExperiment& experiment, const RunHost& host,
                                     std::int64_t memory_bytes)
    : experiment_(experiment),
      host_(host),
      workload_(experiment, memory_bytes),
      trace_(identity_of_trace(experiment, workload_)) {
  for (const ScheduledConfigurations& configurations : experiment.schedulers) {
    remarks_[&configurations] = remarks_of(configurations, experiment, workload_);
  }
}

RunProgress ExperimentReplays::progress_at_start(const ReplayPlan& plan) const {
  RunProgress progress;
  progress.scheduler = plan.scheduler().label;
  progress.replay = plan.position;
  progress.replays = plan.replays;
  progress.repetition = plan.repetition;
  progress.repetitions = experiment_.repetitions;
  progress.is_noise = plan.is_noise;
  progress.jobs = workload_.facts().jobs;
  progress.last_submit = workload_.facts().last_submit;
  return progress;
}

FinishedReplay ExperimentReplays::run(const ReplayPlan& plan, RunObserver& observer) const {
  const std::vector<PlannedCrash> crashes =
      planned_crashes(experiment_.crashes, workload_.machines());
  Warnings warnings(observer);
  for (const std::string& warning : workload_.facts().warnings) warnings.add(warning);
  for (const std::string& remark : remarks_.at(plan.configurations)) warnings.add(remark);
  for (const std::string& remark : experiment_.remarks) warnings.add(remark);
  std::filesystem::create_directories(plan.folder);
  std::vector<ListedFile> copies;
  ScheduledConfigurations configurations{keep_files(plan.scheduler(), plan.folder, copies), {}, {}};
  const ResolvedScheduler& scheduler = configurations.scheduler;
  ReplayOptions options;
  options.give_up_after = experiment_.give_up_after;
  for (const auto& [at, refresh] : plan.configurations->refreshes) {
    configurations.refreshes.emplace_back(at, keep_files(refresh, plan.folder, copies));
    options.refreshes.push_back({at, configuration_of(configurations.refreshes.back().second)});
  }
  Names names;
  ReplaySubmissions jobs(workload_, experiment_.replay, names, plan.trace_seed);
  const std::unique_ptr<RunWorld> world =
      make_world({experiment_, host_, workload_.machines(), workload_.changes(), names,
                  unique_run_id(experiment_.name), plan.folder, plan.seed, scheduler.limits,
                  [&](const std::string& message) { warnings.add(message); },
                  [&] { return observer.should_continue(); },
                  [&](const std::string& message) { observer.noted(message); }});
  RunFolderWriter writer(
      plan.folder, describe_run(experiment_, host_, plan, scheduler, workload_, trace_, *world),
      names, {.task_rows = experiment_.task_rows});
  for (ListedFile& file : copies) writer.vouch(std::move(file));
  ApplicationHistory history(names);
  RecordTee shown(history, world->records());
  RecordTee kept(writer, observer.takes_snapshots() ? &shown : world->records());
  RecordTee records(kept, jobs.sink());
  DecisionTimer timer;
  const SchedulerSurroundings surroundings{
      plan.seed, names, ResourceDimensions(experiment_.cluster.extra_dimensions)};
  Engine engine({.scheduler = make_scheduler(scheduler, surroundings),
                 .make_master = MasterBuilder(experiment_.masters.options, plan.seed),
                 .master_containers = experiment_.masters.containers,
                 .relocation = experiment_.relocation.options,
                 .read_configuration =
                     [&](const SchedulerConfiguration& configuration) {
                       return read_configuration(configuration, surroundings);
                     },
                 .storage = namenode_options(experiment_, plan.seed),
                 .locate_input = placed_input(experiment_.masters.options, plan.seed),
                 .paranoid = experiment_.paranoid,
                 .limit_vcores = experiment_.cluster.limit_vcores,
                 .devices = experiment_.cluster.devices,
                 .meter = &timer},
                records);
  const NamenodeView namenode(engine);
  const EndOfService end_of_service{*world};
  if (experiment_.storage_options) {
    world->look_at(namenode);
    world->serve(*engine.namenode());
    options.preloads = workload_.input_files();
    options.preloads_after = workload_.machines_at_start();
    options.keep_open = experiment_.trace.file.empty();
  }
  warn_of_losses(experiment_, warnings);
  RequestedChanges changes(configurations, {experiment_.scale, surroundings.dimensions}, engine,
                           observer, warnings);
  options.commands = commands_of(experiment_.drains);
  options.asked_refresh = [&] { return changes.due_refresh(); };
  options.due_commands = [&] { return changes.due_commands(); };
  std::optional<ReplayControl> control;
  if (plan.configurations->controller) {
    control.emplace(ReplayControl::Surroundings{*plan.configurations->controller, engine, changes,
                                                writer, plan.folder, surroundings.dimensions});
    options.control = &control->loop();
  }
  RunSampler watch(engine, names, surroundings.dimensions, workload_.facts().last_submit);
  const RunSnapshots snapshots(engine, names, surroundings.dimensions, history, *scheduler.entry,
                               scheduler.label);
  ProgressReporter teller(observer, progress_at_start(plan), watch, snapshots,
                          experiment_.world == World::simulated ? nullptr : &writer);
  RunEnd end;
  TraceTime last_round{};
  std::exception_ptr failure;
  const SteadyClock::time_point began = SteadyClock::now();
  const auto stop_clock = [&] {
    end.wall_seconds = std::chrono::duration<double>(SteadyClock::now() - began).count();
  };
  const auto list_log = [&] {
    if (std::optional<FileChecksum> log = world->log_checksum()) {
      writer.vouch({round_log_file, std::move(*log)});
    }
  };
  // The queues and what waits are left out: what they are made of cannot be trusted any more.
  const OnFailedInvariant note(OnFailedInvariant::From::own_thread, [&](const std::string& why) {
    stop_clock();
    end.outcome = RunOutcome::failed;
    end.reason = why;
    end.digest = engine.digest().to_string();
    end.counters = named_counters(engine.counters(), *world);
    end.warnings = warnings.messages();
    writer.finish(end);
    world->give_up();
    list_log();
    return fmt::format("{} has the run up to that point", plan.folder.string());
  });
  try {
    const auto after_round = [&](const ReplayProgress& now) {
      last_round = now.now;
      watch.after_round(now.now);
      changes.look(now.now);
      return teller.after_round(now);
    };
    CrashingFleet fleet(*world, crashes, engine);
    const ReplayResult result = jobs.play(engine, fleet, world->log(), after_round, options);
    stop_clock();
    TRACEBED_CHECK(result.outcome != RunOutcome::log_ended, "only a recorded fleet's log ends");
    note_outcome(result, surroundings.dimensions, end);
    for (const std::string& remark : fleet.remarks(workload_.machines())) warnings.add(remark);
    const EngineCounters& counters = engine.counters();
    teller.tell({result.ended_at, counters.jobs_submitted, counters.jobs_ended, 0});
    world->close();
  } catch (const std::exception& error) {
    // The folder is completed with what was done until now; whoever asked for the run gets this.
    failure = std::current_exception();
    stop_clock();
    end.outcome = RunOutcome::failed;
    end.reason = error.what();
    world->give_up();
  }

  if (control) control->finish();
  end.machine_loads = world->machine_loads();
  end.served_bytes = world->served_bytes();
  if (end.served_bytes && *end.served_bytes != writer.input()) {
    warnings.add(unequal_counts(*end.served_bytes, writer.input()));
  }
  warn_of_refused_calls(engine.counters().storage_calls_refused, warnings);
  end.digest = engine.digest().to_string();
  end.counters = named_counters(engine.counters(), *world);
  if (control) {
    for (NamedCount& count : control->counters()) end.counters.push_back(std::move(count));
  }
  end.decide_seconds = timer.spread();
  for (const std::string& text :
       {refusal_text(end.counters), beyond_vcores_text(engine.counters(), experiment_),
        beyond_demands_text(engine.counters())}) {
    if (!text.empty()) warnings.add(fmt::format("{}: {}", scheduler.label, text));
  }
  end.warnings = warnings.messages();
  end.waiting = watch.waiting();
  end.queue_page = watch.queue_page();
  end.starvation = watch.starvation(last_round);
  const std::uint64_t jobs_ended = engine.counters().jobs_ended;
  end.rejections = writer.rejections();
  end.failures = writer.failures();
  for (const std::string& text :
       {rejection_text(end.rejections, jobs_ended), failure_text(end.failures, jobs_ended)}) {
    if (!text.empty()) observer.warned(fmt::format("{}: {}", scheduler.label, text));
  }
  writer.write_queues(watch.queues());
  list_log();
  const RunMetrics metrics = writer.finish(end);
  FinishedReplay finished = finished_replay(plan, scheduler.label, end, metrics, jobs_ended);
  if (end.stall) finished.stall_chain = stall_chain(*end.stall, surroundings.dimensions);
  finished.record = writer.record();
  finished.failure = failure;
  return finished;
}

}  // namespace tracebed
