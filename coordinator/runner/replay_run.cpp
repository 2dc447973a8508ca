#include "coordinator/runner/replay_run.h"

#include <chrono>
#include <fmt/format.h>
#include <initializer_list>

#include "coordinator/disturbances/crashing_fleet.h"
#include "coordinator/disturbances/requested_changes.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/namenode_view.h"
#include "coordinator/engine/replay.h"
#include "coordinator/monitoring/application_history.h"
#include "coordinator/monitoring/decision_timer.h"
#include "coordinator/monitoring/progress_reporter.h"
#include "coordinator/monitoring/run_sampler.h"
#include "coordinator/resolving/scheduler_files.h"
#include "coordinator/runner/on_failed_invariant.h"
#include "coordinator/runner/replay_control.h"
#include "coordinator/runner/run_account.h"
#include "coordinator/workload/think_time_submissions.h"
#include "coordinator/worlds/run_world.h"
#include "core/check.h"
#include "report/rejections.h"
#include "report/run_folder.h"
#include "report/stall_text.h"

namespace tracebed {
namespace {

using SteadyClock = std::chrono::steady_clock;
// Names the run in Redis and cgroups, which other runs may use at the same time.
std::string unique_run_id(const std::string& experiment) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:.60}-{:x}", experiment,
                     std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

// At their own times, after the thinking of their users, or after the jobs that they name.
std::unique_ptr<Submissions> submissions_of(const ReplayChoice& choice, const WorkloadFacts& facts,
                                            WorkloadSource& jobs, const Names& names) {
  if (choice.mode == ReplayChoice::Mode::think_time) {
    return std::make_unique<ThinkTimeSubmissions>(jobs, names, facts.jobs_of_users, facts.preceding,
                                                  choice.think_time);
  }
  if (choice.mode == ReplayChoice::Mode::trace && !facts.preceding.empty()) {
    return std::make_unique<PrecededSubmissions>(jobs, facts.preceding);
  }
  return std::make_unique<TimedSubmissions>(jobs);
}

// What a run leads its records to.
class RecordTee final : public RecordSink {
 public:
  // In this order; those that are null are left out.
  RecordTee(std::initializer_list<RecordSink*> sinks) {
    for (RecordSink* sink : sinks) {
      if (sink != nullptr) sinks_.push_back(sink);
    }
  }

  void leaf_named(LeafId leaf, const std::string& path) override {
    for (RecordSink* sink : sinks_) sink->leaf_named(leaf, path);
  }
  void attempt_ended(const AttemptRecord& record) override {
    for (RecordSink* sink : sinks_) sink->attempt_ended(record);
  }
  void job_ended(const JobRecord& record) override {
    for (RecordSink* sink : sinks_) sink->job_ended(record);
  }
  void preemption_ended(const PreemptionRecord& record) override {
    for (RecordSink* sink : sinks_) sink->preemption_ended(record);
  }
  void sampled(const ClusterSample& sample) override {
    for (RecordSink* sink : sinks_) sink->sampled(sample);
  }

 private:
  std::vector<RecordSink*> sinks_;
};

// Clients look at the engine's namenode, and threads decide, until then, however the run ends.
struct EndOfService {
  RunWorld& world;
  ~EndOfService() { world.end_service(); }
};

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

// Built with its world, played, and accounted for in its folder. Members are in the order in which
// they are made, and end in the reverse one.
class ExperimentReplays::ReplayRun {
 public:
  ReplayRun(const ExperimentReplays& shared, const ReplayPlan& plan, RunObserver& observer)
      : shared_(shared),
        experiment_(shared.experiment_),
        plan_(plan),
        observer_(observer),
        crashes_(planned_crashes(experiment_.crashes, shared.workload_.machines())),
        warnings_(warnings_at_start()),
        configurations_(kept_configurations()),
        scheduler_(configurations_.scheduler),
        jobs_(shared.workload_.open(names_, plan.trace_seed)),
        submissions_(submissions_of(experiment_.replay, shared.workload_.facts(), *jobs_, names_)),
        world_(make_world(world_plan())),
        writer_(plan.folder,
                describe_run(experiment_, shared.host_, plan, scheduler_, shared.workload_,
                             shared.trace_, *world_),
                names_,
                {.task_rows = experiment_.task_rows.value_or(
                     default_task_rows(shared.workload_.facts().tasks))}),
        history_(names_),
        records_({&writer_, observer.requests() == nullptr ? nullptr : &history_, world_->records(),
                  submissions_->records()}),
        surroundings_(surroundings_of(experiment_, plan.seed, names_)),
        engine_(engine_setup(), records_),
        namenode_(engine_),
        end_of_service_{*world_},
        changes_(configurations_, {experiment_.scale, surroundings_.dimensions}, engine_,
                 observer.requests(), warnings_),
        sampler_(engine_, names_, surroundings_.dimensions, shared.workload_.facts().last_submit),
        snapshots_(engine_, names_, surroundings_.dimensions, history_, *scheduler_.entry,
                   scheduler_.label),
        reporter_(observer, progress_at_start(), sampler_, snapshots_,
                  experiment_.world == World::simulated ? nullptr : &writer_) {
    for (ListedFile& file : copies_) writer_.vouch(std::move(file));
    if (experiment_.storage_options) {
      world_->look_at(namenode_);
      world_->serve(*engine_.namenode());
    }
    for (const std::string& loss : losses_of(experiment_)) warnings_.add(loss);
    if (!plan.configurations->controller) return;
    control_.emplace(ReplayControl::Surroundings{*plan.configurations->controller, engine_,
                                                 changes_, writer_, plan.folder,
                                                 surroundings_.dimensions});
  }

  FinishedReplay run() {
    began_ = SteadyClock::now();
    const OnFailedInvariant note(
        OnFailedInvariant::From::own_thread,
        [this](const std::string& why) { return end_with_failed_invariant(why); });
    try {
      play();
    } catch (const std::exception& error) {
      // The folder is completed with what was done until now; whoever asked for the run gets this.
      failure_ = std::current_exception();
      end_as_failed(error.what());
      world_->give_up();
    }
    return account();
  }

 private:
  // ---- what it is built of ----

  Warnings warnings_at_start() const {
    Warnings warnings(observer_);
    for (const std::string& warning : shared_.workload_.facts().warnings) warnings.add(warning);
    for (const std::string& remark : shared_.remarks_.at(plan_.configurations)) {
      warnings.add(remark);
    }
    for (const std::string& remark : experiment_.remarks) warnings.add(remark);
    return warnings;
  }

  // With the scheduler's files in the run's folder, which is made.
  ScheduledConfigurations kept_configurations() {
    std::filesystem::create_directories(plan_.folder);
    ScheduledConfigurations kept;
    kept.scheduler = keep_files(plan_.scheduler(), plan_.folder, copies_);
    for (const auto& [at, refresh] : plan_.configurations->refreshes) {
      kept.refreshes.emplace_back(at, keep_files(refresh, plan_.folder, copies_));
    }
    return kept;
  }

  WorldPlan world_plan() {
    return {experiment_,
            shared_.host_,
            shared_.workload_.machines(),
            shared_.workload_.changes(),
            names_,
            unique_run_id(experiment_.name),
            plan_.folder,
            plan_.seed,
            scheduler_.limits,
            [this](const std::string& message) { warnings_.add(message); },
            [this] { return observer_.should_continue(); },
            [this](const std::string& message) { observer_.noted(message); }};
  }

  EngineSetup engine_setup() {
    std::optional<NamenodeOptions> namenode;
    if (experiment_.storage_options) {
      namenode = experiment_.storage_options->namenode;
      namenode->seed = plan_.seed;
    }
    return {.scheduler = make_scheduler(scheduler_, surroundings_),
            .make_master = MasterBuilder(experiment_.masters.options, plan_.seed),
            .master_containers = experiment_.masters.containers,
            .relocation = experiment_.relocation.options,
            .read_configuration =
                [this](const SchedulerConfiguration& configuration) {
                  return read_configuration(configuration, surroundings_);
                },
            .storage = std::move(namenode),
            .locate_input = placed_input(experiment_.masters.options, plan_.seed),
            .paranoid = experiment_.paranoid,
            .limit_vcores = experiment_.cluster.limit_vcores,
            .devices = experiment_.cluster.devices,
            .meter = &timer_,
            .decision_threads = world_->decision_threads()};
  }

  RunProgress progress_at_start() const {
    RunProgress progress;
    progress.scheduler = plan_.scheduler().label;
    progress.replay = plan_.position;
    progress.replays = plan_.replays;
    progress.repetition = plan_.repetition;
    progress.repetitions = experiment_.repetitions;
    progress.is_noise = plan_.is_noise;
    progress.jobs = shared_.workload_.facts().jobs;
    progress.last_submit = shared_.workload_.facts().last_submit;
    return progress;
  }

  // ---- how it is played ----

  ReplayOptions replay_options() {
    ReplayOptions options;
    options.give_up_after = experiment_.give_up_after;
    for (const auto& [at, refresh] : configurations_.refreshes) {
      options.refreshes.push_back({at, configuration_of(refresh)});
    }
    options.asked_refresh = [this] { return changes_.due_refresh(); };
    options.commands = commands_of(experiment_.drains);
    options.due_commands = [this] { return changes_.due_commands(); };
    if (control_) options.control = &control_->loop();
    if (experiment_.storage_options) {
      options.preloads = shared_.workload_.input_files();
      options.preloads_after = shared_.workload_.machines_at_start();
      options.keep_open = experiment_.trace.file.empty();
    }
    options.observers = {world_.get()};
    return options;
  }

  bool after_round(const ReplayProgress& now) {
    last_round_ = now.now;
    sampler_.after_round(now.now);
    changes_.after_round(now.now);
    return reporter_.after_round(now);
  }

  void play() {
    CrashingFleet fleet(*world_, crashes_, engine_);
    const ReplayResult result = replay(
        engine_, fleet, *submissions_, world_->log(),
        [this](const ReplayProgress& now) { return after_round(now); }, replay_options());
    stop_clock();
    TRACEBED_CHECK(result.outcome != RunOutcome::log_ended, "only a recorded fleet's log ends");
    end_.outcome = result.outcome;
    end_.stall = result.stall;
    if (end_.stall) end_.reason = stall_text(*end_.stall, surroundings_.dimensions);
    for (const std::string& remark : fleet.remarks(shared_.workload_.machines())) {
      warnings_.add(remark);
    }
    const EngineCounters& counters = engine_.counters();
    reporter_.report({result.ended_at, counters.jobs_submitted, counters.jobs_ended, 0});
    world_->close();
  }

  // ---- how it ends ----

  void stop_clock() {
    end_.wall_seconds = std::chrono::duration<double>(SteadyClock::now() - began_).count();
  }

  void end_as_failed(const std::string& reason) {
    stop_clock();
    end_.outcome = RunOutcome::failed;
    end_.reason = reason;
  }

  void count() {
    end_.digest = engine_.digest().to_string();
    end_.counters = named_counters(engine_, *world_);
  }

  void list_log() {
    std::optional<FileChecksum> log = world_->log_checksum();
    if (log) writer_.vouch({round_log_file, std::move(*log)});
  }

  // The queues and what waits are left out: what they are made of cannot be trusted any more.
  std::string end_with_failed_invariant(const std::string& why) {
    end_as_failed(why);
    count();
    end_.warnings = warnings_.messages();
    writer_.finish(end_);
    world_->give_up();
    list_log();
    return fmt::format("{} has the run up to that point", plan_.folder.string());
  }

  void warn_of_figures() {
    const EngineCounters& counters = engine_.counters();
    for (const std::string& text :
         warnings_of_figures(end_, writer_.input(), counters, experiment_, scheduler_.label)) {
      warnings_.add(text);
    }
    end_.warnings = warnings_.messages();
    // The run's folder has them as figures.
    for (const std::string& text : {rejection_text(end_.rejections, counters.jobs_ended),
                                    failure_text(end_.failures, counters.jobs_ended)}) {
      if (!text.empty()) observer_.warned(fmt::format("{}: {}", scheduler_.label, text));
    }
  }

  FinishedReplay account() {
    if (control_) control_->finish();
    end_.machine_loads = world_->machine_loads();
    end_.served_bytes = world_->served_bytes();
    count();
    if (control_) {
      for (NamedCount& each : control_->counters()) end_.counters.push_back(std::move(each));
    }
    end_.decide_seconds = timer_.spread();
    sampler_.describe(last_round_, end_);
    end_.rejections = writer_.rejections();
    end_.failures = writer_.failures();
    warn_of_figures();
    writer_.write_queues(sampler_.queues());
    list_log();
    const RunMetrics metrics = writer_.finish(end_);
    FinishedReplay finished = finished_replay(plan_, end_, metrics, engine_.counters().jobs_ended);
    if (end_.stall) finished.stall_chain = stall_chain(*end_.stall, surroundings_.dimensions);
    finished.record = writer_.record();
    finished.failure = failure_;
    return finished;
  }

  const ExperimentReplays& shared_;
  const ResolvedExperiment& experiment_;
  const ReplayPlan& plan_;
  RunObserver& observer_;
  const std::vector<PlannedCrash> crashes_;
  Warnings warnings_;
  std::vector<ListedFile> copies_;  // of the scheduler's files
  const ScheduledConfigurations configurations_;
  const ResolvedScheduler& scheduler_;  // of those
  Names names_;
  const std::unique_ptr<WorkloadSource> jobs_;
  const std::unique_ptr<Submissions> submissions_;
  const std::unique_ptr<RunWorld> world_;
  RunFolderWriter writer_;
  ApplicationHistory history_;
  RecordTee records_;
  DecisionTimer timer_;
  const SchedulerSurroundings surroundings_;
  Engine engine_;
  const NamenodeView namenode_;
  const EndOfService end_of_service_;
  RequestedChanges changes_;
  std::optional<ReplayControl> control_;
  RunSampler sampler_;
  const SnapshotBuilder snapshots_;
  ProgressReporter reporter_;
  SteadyClock::time_point began_;
  TraceTime last_round_{};
  RunEnd end_;
  std::exception_ptr failure_;
};

FinishedReplay ExperimentReplays::run(const ReplayPlan& plan, RunObserver& observer) const {
  return ReplayRun(*this, plan, observer).run();
}

}  // namespace tracebed
