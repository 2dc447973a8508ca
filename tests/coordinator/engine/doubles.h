// A scheduler and a master simple enough that a test's expectation can be worked out by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/engine/engine.h"
#include "core/application_master.h"
#include "core/records.h"
#include "core/scheduler.h"

namespace tracebed::doubles {

// The first resource beyond vcores and memory, for tests with devices.
inline constexpr std::uint8_t gpu_dimension = Resources::memory_dimension + 1;

// Calls a function of the test for every decide().
class ScriptedScheduler final : public Scheduler {
 public:
  using Script = std::function<void(const SchedulerInput&, Decisions&)>;
  explicit ScriptedScheduler(Script script) : script_(std::move(script)) {}
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    script_(input, decisions);
  }

 private:
  Script script_;
};

// Accepts everyone. Places open asks in id order on the first nodes with room; gangs whole.
class FirstFit final : public Scheduler {
 public:
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    for (const SchedulerEvent& event : input.events) {
      if (const auto* added = std::get_if<ApplicationAdded>(&event)) {
        decisions.accept(added->application);
      }
    }
    std::vector<Resources> free;
    for (const Node& node : input.cluster.nodes) free.push_back(node.free);
    input.cluster.asks.for_each([&](AskId id, const Ask& ask) {
      std::vector<GangPiece> pieces;
      std::uint32_t left = ask.pending;
      for (std::size_t i = 0; i < free.size() && left > 0; ++i) {
        if (!input.cluster.nodes[i].alive || !may_run_on(ask, input.cluster.nodes[i])) continue;
        const auto units =
            static_cast<std::uint32_t>(std::min<std::int64_t>(left, ask.demand.count_in(free[i])));
        if (units == 0) continue;
        left -= units;
        pieces.push_back({NodeId(i), units});
      }
      if (ask.is_gang() && left > 0) return;
      for (const GangPiece& piece : pieces) {
        free[piece.node.index()] -= ask.demand * piece.units;
        for (std::uint32_t unit = 0; !ask.is_gang() && unit < piece.units; ++unit) {
          decisions.allocate(id, piece.node);
        }
      }
      if (ask.is_gang() && !pieces.empty()) decisions.allocate_gang(id, pieces);
    });
  }
  HeartbeatInterest heartbeat_interest() const override { return {}; }
};

// Asks once for all tasks of the first stage, launches each as it is granted, and asks again for
// what did not succeed.
class PlainMaster final : public ApplicationMaster {
 public:
  explicit PlainMaster(Job& job) : stage_(std::move(job.stages.at(0))) {}

  void start(TraceTime now, MasterActions& actions) override {
    const std::uint32_t tasks = task_count(stage_);
    for (std::uint32_t i = 0; i < tasks; ++i) waiting_.push_back(tasks - 1 - i);
    left_ = tasks;
    since_ = now;
    ask(actions);
  }
  void granted(TraceTime, const Grant& grant, MasterActions& actions) override {
    LaunchTask task{.container = grant.container};
    task.waiting_since = since_;
    task.task.index = waiting_.back();
    task.work = {work_of(stage_, task.task.index)};
    tasks_.emplace_back(grant.container, waiting_.back(), grant.units);
    waiting_.resize(waiting_.size() - grant.units);
    actions.push_back(task);
  }
  // A gang is launched at once, and what is left of one piece by piece.
  void gang_granted(TraceTime now, const GangGrant& grant, MasterActions& actions) override {
    if (waiting_.size() < task_count(stage_)) {
      return ApplicationMaster::gang_granted(now, grant, actions);
    }
    std::uint32_t task = 0;
    for (std::size_t i = 0; i < grant.pieces.size(); ++i) {
      tasks_.emplace_back(grant.first + i, task, grant.pieces[i].units);
      task += grant.pieces[i].units;
    }
    waiting_.clear();
    LaunchGang launch{.first = grant.first,
                      .pieces = GangPieces(grant.pieces.begin(), grant.pieces.end())};
    launch.waiting_since = since_;
    launch.work = {work_of(stage_, 0)};
    actions.push_back(launch);
  }
  void gang_ended(TraceTime, const GangEnd&, MasterActions& actions) override {
    tasks_.clear();
    left_ = 0;
    actions.push_back(FinishApplication{});
  }
  void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) override {
    const auto found = std::find_if(tasks_.begin(), tasks_.end(), [&](const auto& entry) {
      return std::get<0>(entry) == end.container;
    });
    const auto [container, task, units] = *found;
    tasks_.erase(found);
    if (end.end == ContainerEnd::succeeded) {
      left_ -= units;
      if (left_ == 0) actions.push_back(FinishApplication{});
      return;
    }
    if (end.end == ContainerEnd::failed) {
      actions.push_back(FinishApplication{JobOutcome::failed, "a task failed"});
      return;
    }
    for (std::uint32_t i = units; i > 0; --i) waiting_.push_back(task + i - 1);
    since_ = now;
    ask(actions);
  }
  void node_lost(TraceTime, NodeId, MasterActions&) override {}

 private:
  void ask(MasterActions& actions) {
    SetAsk ask;
    ask.demand = stage_.demand;
    ask.pending = static_cast<std::uint32_t>(waiting_.size());
    ask.kind = stage_.kind;
    actions.push_back(ask);
  }

  Stage stage_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::tuple<ContainerId, std::uint32_t, std::uint32_t>> tasks_;
  std::uint32_t left_ = 0;
  TraceTime since_{};
};

inline std::unique_ptr<ApplicationMaster> plain_master(ApplicationId, Job& job,
                                                       const ClusterModel&) {
  return std::make_unique<PlainMaster>(job);
}

// Keeps all records for the test to look at.
class Records final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord& record) override { attempts.push_back(record); }
  void job_ended(const JobRecord& record) override { jobs.push_back(record); }
  void preemption_ended(const PreemptionRecord& record) override { preemptions.push_back(record); }
  void sampled(const ClusterSample& sample) override { samples.push_back(sample); }

  std::vector<AttemptRecord> attempts;
  std::vector<JobRecord> jobs;
  std::vector<PreemptionRecord> preemptions;
  std::vector<ClusterSample> samples;
};

// A job of `tasks` equal tasks of one vcore and 1,024 MiB each.
inline Job plain_job(std::uint32_t id, TraceTime submit, std::uint32_t tasks, Duration duration,
                     StageKind kind = StageKind::map) {
  Job job;
  job.id = JobId(id);
  job.name = "job" + std::to_string(id);
  job.submit = submit;
  job.user = UserId(0u);
  job.queue = QueueId(0u);
  job.kind = kind == StageKind::gang ? JobKind::rigid : JobKind::map_reduce;
  Stage stage;
  stage.kind = kind;
  stage.demand = Resources(1000, 1024);
  stage.runs.push_back(
      {tasks, Work{.duration = duration, .cpu_time = duration, .memory_mib = 512}});
  job.stages.push_back(stage);
  return job;
}

inline Machine plain_machine(std::int64_t vcores, const std::string& name = "node") {
  return Machine{name, "/default-rack", Resources(vcores * 1000, vcores * 1024), {}};
}

// Jobs from a list.
class JobList final : public WorkloadSource {
 public:
  explicit JobList(std::vector<Job> jobs) : jobs_(std::move(jobs)) {}
  bool next(Job& job) override {
    if (position_ == jobs_.size()) return false;
    job = jobs_[position_++];
    return true;
  }

 private:
  std::vector<Job> jobs_;
  std::size_t position_ = 0;
};

}  // namespace tracebed::doubles
