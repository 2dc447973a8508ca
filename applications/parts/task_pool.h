// The independent tasks of one stage: which wait for a container, what is asked for them, and what
// is kept about those that were tried before. Masters of DAGs and of services consist of these.
#pragma once

#include <cstdint>
#include <vector>

#include "applications/parts/pending_maps.h"
#include "applications/parts/retries.h"
#include "applications/parts/stage_input.h"
#include "applications/parts/stage_places.h"
#include "applications/parts/stage_work.h"
#include "core/application_master.h"

namespace tracebed {

class TaskPool {
 public:
  // All tasks wait. The contents of `stage`, the job's stage number `slot`, are moved out; the
  // stage's ask has that number too. Places of confined tasks' input are ignored.
  TaskPool(std::uint16_t slot, Stage&& stage, StagePlaces&& places);

  std::uint32_t tasks() const { return work_.tasks(); }
  // Tasks that a grant may be used for; those that did not succeed are excluded until they are
  // asked for again.
  std::uint32_t asked() const { return waiting_.size(); }
  bool must_ask_again() const { return !again_.empty(); }
  std::uint32_t running() const { return running_; }
  std::uint32_t done() const { return done_; }
  bool is_done() const { return done_ == tasks(); }
  // False if the tasks may run only on machines that the cluster does not have.
  bool has_places() const { return !is_confined_ || !allowed_.empty(); }
  const Work& work(std::uint32_t task) const { return work_.work(task); }
  // Appends the nodes that hold the task's input.
  void append_input_nodes(std::uint32_t task, std::vector<NodeId>& nodes) const {
    for (const Replica& replica : waiting_.replicas(task)) nodes.push_back(replica.node);
  }

  // Asks for all waiting tasks, or for none if they may not run now.
  SetAsk ask(std::int32_t priority, bool may_run);

  // Launches the task, of those asked for, that suits the container best, with `work_of(task)`.
  // There must be one. Returns the task.
  template <class WorkOf>
  std::uint32_t launch(const Grant& grant, TraceTime first_asked, MasterActions& actions,
                       const WorkOf& work_of) {
    LaunchTask launched = take(grant, first_asked, actions);
    launched.work = {work_of(launched.task.index)};
    input_.add_split(launched.task.index, launched.work);
    actions.push_back(launched);
    return launched.task.index;
  }
  void succeeded() { --running_, ++done_; }
  // A running attempt did not succeed and its task waits again, but is not asked for with the
  // others before rejoin(). Returns how often the task has failed by itself.
  std::uint32_t came_to_nothing(std::uint32_t task, bool has_failed, TraceTime now);
  void rejoin(std::uint32_t task) { again_.push_back(task); }
  // What the ask of such a task states; the caller sets its number and count.
  SetAsk ask_for_one(std::uint32_t task, std::int32_t priority) const;
  // Launches such a task.
  void launch_one(const Grant& grant, std::uint32_t task, TraceTime first_asked, const Work& work,
                  MasterActions& actions);
  // A finished task's work is lost, and it waits again.
  void undone(std::uint32_t task, TraceTime now);

 private:
  LaunchTask take(const Grant& grant, TraceTime first_asked, MasterActions& actions);
  LaunchTask start(const Grant& grant, std::uint32_t task, Locality locality,
                   TraceTime first_asked);
  void name_allowed(SetAsk& ask) const;

  std::uint16_t slot_;
  Resources demand_;
  StageInput input_;
  StageWork work_;
  bool is_confined_;
  std::vector<NodeId> allowed_;
  PendingMaps waiting_;
  std::vector<std::uint32_t> again_;  // wait too, but are not asked for yet
  Retries retries_;
  std::uint32_t running_ = 0;
  std::uint32_t done_ = 0;
};

}  // namespace tracebed
