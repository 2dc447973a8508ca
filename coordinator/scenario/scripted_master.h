// A job master that follows a story: it requests what the story's application requests, starts a
// task in every container that it gets, and requests nothing by itself again. One that has a
// container of its own requests that first, and the rest as soon as it runs there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/scenario/scenario.h"
#include "core/application_master.h"
#include "core/names.h"
#include "core/outcomes.h"
#include "core/records.h"

namespace tracebed {

// A container that runs in a story.
struct StoryContainer {
  ContainerId id;
  std::size_t application = 0;  // its position in the scenario
  std::string ask;              // its name
  NodeId node;
  std::uint32_t units = 1;
};

// The events since the last step, and what runs. Filled by masters and by the engine's records.
struct StoryLog {
  std::map<ContainerId, StoryContainer> running;
  std::vector<std::pair<StoryContainer, Locality>> allocated;
  std::vector<std::pair<StoryContainer, ContainerEnd>> ended;
  std::vector<std::size_t> accepted;                      // positions of applications
  std::vector<std::pair<std::size_t, JobRecord>> closed;  // applications that ended
  std::optional<std::string> refused;                     // why a refresh was, if one was
  bool is_starting = false;  // containers are placed that were running before

  // Begins a new step; what runs is kept.
  void clear_events() {
    allocated.clear();
    ended.clear();
    accepted.clear();
    closed.clear();
    refused.reset();
  }
};

// The place names of a story's asks as ids.
class StoryPlaces {
 public:
  // All outlive this.
  StoryPlaces(const Scenario& scenario, const ClusterModel& cluster, Names& names)
      : scenario_(scenario), cluster_(cluster), names_(names) {}

  // Throws InputError, as the next one, naming the place in the file.
  NodeId node(const std::string& name, const std::string& where) const;
  // The request as a master makes it. If no racks are stated, those of the nodes are preferred as
  // often as their nodes are, but not more often than the units requested.
  SetAsk request(const ScenarioAsk& ask, AskSlot slot) const;
  // The application's, which is at the job's position in the scenario.
  InputBlocks input(JobId job) const;

 private:
  RackId rack(const std::string& name, const std::string& where) const;

  const Scenario& scenario_;
  const ClusterModel& cluster_;
  Names& names_;
};

class ScriptedMaster final : public ApplicationMaster {
 public:
  // `position` is the application's in the scenario. If `holds_back`, it requests no units until
  // ask_for_all().
  ScriptedMaster(std::size_t position, std::vector<SetAsk> requests, std::vector<std::string> names,
                 bool holds_back, StoryLog& log)
      : position_(position),
        requests_(std::move(requests)),
        names_(std::move(names)),
        holds_back_(holds_back),
        runs_(requests_.empty() || !requests_.front().is_master),
        log_(log) {}

  // Its job's next stage; called for each before it starts. Reduces are of the second, if there is
  // one, and all others of the first.
  void has_stage(std::uint32_t tasks) { stages_.push_back({tasks, 0}); }

  void start(TraceTime now, MasterActions& actions) override;
  void granted(TraceTime now, const Grant& grant, MasterActions& actions) override;
  // Ends are reported by the engine's records.
  void attempt_ended(TraceTime, const AttemptEnd&, MasterActions&) override {}
  void node_lost(TraceTime, NodeId, MasterActions&) override {}

  // False until its own container runs: until then it can request nothing else.
  bool runs() const { return runs_; }
  // Ends the holding back. Returns what it requests from now on.
  MasterActions ask_for_all();
  // The story requests in its name. Returns the request to be made.
  SetAsk ask(SetAsk request, const std::string& name);
  // The slot of the ask with that name.
  AskSlot slot_of(const std::string& name) const;
  bool has(const std::string& name) const;
  std::size_t asks() const { return names_.size(); }
  const std::string& name_of(AskSlot slot) const { return names_[slot]; }
  const SetAsk& request(AskSlot slot) const { return requests_[slot]; }

 private:
  struct StageTasks {
    std::uint32_t tasks = 0;
    std::uint32_t started = 0;  // so far
  };

  void open_asks(MasterActions& actions) const;
  // The next `units` tasks of the ask's stage. Throws InputError if it has no more.
  TaskRef start_tasks(const SetAsk& request, std::uint32_t units);
  Locality take_place(const Grant& grant, MasterActions& actions);

  std::size_t position_;
  std::vector<SetAsk> requests_;  // by slot, with the preferences that are still open
  std::vector<std::string> names_;
  bool holds_back_;
  bool runs_;
  StoryLog& log_;
  std::vector<StageTasks> stages_;
};

}  // namespace tracebed
