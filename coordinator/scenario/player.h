// Plays a scenario on the engine, one step after the other.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coordinator/engine/engine.h"
#include "coordinator/resolving/resolved_scheduler.h"
#include "coordinator/resolving/scheduler_files.h"
#include "coordinator/scenario/scripted_master.h"
#include "coordinator/scenario/story.h"
#include "core/fleet.h"
#include "core/names.h"
#include "schedulers/registry.h"

namespace tracebed {

// Keeps what the engine records of ends.
class StoryRecords final : public RecordSink {
 public:
  // `log` outlives it.
  explicit StoryRecords(StoryLog& log) : log_(log) {}

  void attempt_ended(const AttemptRecord& record) override;
  void job_ended(const JobRecord& record) override;
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

 private:
  StoryLog& log_;
};

class Player {
 public:
  // Both outlive it.
  Player(const Scenario& scenario, const SchedulerRegistry& schedulers);

  // To be called once, first. Both throw InputError for what cannot happen.
  PlayedStep start();
  PlayedStep perform(const ScenarioStep& step);

 private:
  SchedulerSurroundings surroundings() const {
    return {scenario_.seed, names_, scenario_.dimensions};
  }

  ResolvedScheduler resolved(const SchedulerChoice& choice);
  // One that keeps its choices.
  std::unique_ptr<Scheduler> make_telling_scheduler();

  // ---- time and rounds ----
  void beat();
  void begin_round();
  // Takes the step, then ends what was to be killed, until nothing more is.
  void take_round();
  void end_killed();
  void add_end(ContainerId container, NodeId node, ContainerEnd end);
  void stage(std::size_t position, const std::vector<MasterAction>& actions,
             const std::vector<StagedContainer>& containers, const std::string& where);
  PlayedStep described(std::string title, bool shows_all, std::span<const ExpectedFact> expected);

  // ---- the start ----
  std::unique_ptr<ApplicationMaster> make_master(ApplicationId id, const Job& job);
  void place_running();
  // What it requests from the start, held back until all running containers were placed.
  void ask_for_all(std::size_t position);

  // ---- names ----
  bool is_alive(NodeId node) const;
  NodeId node_there(const std::string& name, const std::string& where) const;
  std::size_t position_of(const std::string& name, const std::string& where) const;
  std::size_t open_position_of(const std::string& name, const std::string& where) const;

  // ---- steps (player_steps.cpp) ----
  void act(const ScenarioStep& step);
  void begin_at(const ScenarioStep& step);
  void wake_until(TraceTime until);
  void advance_to(TraceTime until);
  void update();
  void join(NodeId node);
  void beat_nodes(const ScenarioStep& step);
  void change_nodes(const ScenarioStep& step);
  void submit(std::size_t position);
  void refresh(const ScenarioStep& step);
  void ask(const ScenarioStep& step);
  void end_containers(const ScenarioStep& step, ContainerEnd end);

  const Scenario& scenario_;
  const SchedulerRegistry& schedulers_;
  Names names_;
  StoryLog log_;
  StoryRecords records_;
  std::vector<ScriptedMaster*> masters_;  // by position; the engine owns them
  std::vector<ApplicationId> ids_;        // likewise; invalid until submitted
  std::vector<std::string> remarks_;      // PlayedStep::remarks of the current step
  Scheduler* scheduler_ = nullptr;        // the engine's
  Engine engine_;
  StoryPlaces places_;
  Round round_;
  std::vector<Command> commands_;
  TraceTime now_{};
  bool is_time_set_ = false;  // by the step, for the first thing that happens in it
  bool is_start_ = false;
  SchedulerChoice latest_;  // the scheduler's current one
};

}  // namespace tracebed
