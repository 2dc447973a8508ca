// Drives a scheduler by hand: holds a cluster model, hands over events, applies the decisions and
// stops on any that breaks the contract. Smaller than the engine: no masters, time passes only when
// told to, and refusals can be forced.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/cluster_model.h"
#include "core/decisions.h"
#include "core/digest.h"
#include "core/scheduler.h"

namespace tracebed {

struct AskFigures {
  Resources demand{1000, 1024};
  std::uint32_t pending = 1;
  std::int32_t priority = 0;
  StageKind kind = StageKind::map;
  bool relax_locality = true;
  bool is_master = false;
  LabelId label;
  std::vector<PlaceCount<NodeId>> nodes;
  std::vector<PlaceCount<RackId>> racks;
};

// A container that was allocated.
struct Placement {
  AskId ask;
  NodeId node;
  std::uint32_t units = 1;
  ContainerId container;
};

class PolicyHarness {
 public:
  explicit PolicyHarness(Scheduler& scheduler) : scheduler_(scheduler) {
    model_.limits = scheduler.limited_dimensions();
  }
  // From the start, as with EngineSetup::limit_vcores.
  void limit_vcores() { model_.limits = LimitedDimensions::all(); }

  // Events; the scheduler hears of them at the next decide().
  NodeId add_node(const Resources& capacity, RackId rack = RackId(0u),
                  std::vector<std::string> labels = {});
  void bring_back(NodeId node);
  // Its containers end.
  void remove_node(NodeId node);
  // It reports that so much is used.
  void heartbeat(NodeId node, const Resources& used = {}, std::int32_t io_pressure = -1);
  void heartbeat_all();
  // What the scheduler left to a thread is decided.
  void decision_made(const DecisionMade& made) { events_.push_back(made); }
  ApplicationId submit(const Application& application = {});
  AskId ask(ApplicationId application, const AskFigures& figures);
  // submit(), then ask() once it was accepted.
  AskId submit_and_ask(const AskFigures& figures, const Application& application = {});
  void set_pending(AskId ask, std::uint32_t pending);
  void close(AskId ask);
  void finish(ApplicationId application);
  // Takes the node out of service, or back into it; its containers go on.
  void drain(NodeId node);
  void undrain(NodeId node);
  void end(ContainerId container, ContainerEnd how = ContainerEnd::succeeded);
  // The next `count` allocations are refused, whatever they are.
  void refuse_next(std::uint32_t count) { to_refuse_ += count; }

  // What the scheduler wants back, and when it is killed.
  const std::map<ContainerId, PreemptionTerms>& preemptions() const { return preemptions_; }
  // What was asked for, withdrawn or killed since the last time, in order: "ask 3, withdraw 3,
  // kill 4 (overdue)".
  std::string taken_back() { return std::exchange(taken_back_, {}); }
  // Of what is killed: it stays, being killed, until it is ended by hand.
  void let_kills_linger() { do_kills_linger_ = true; }

  // Lets time pass, with the wake-ups that the scheduler asked for, and deadlines.
  void advance(Duration duration);
  TraceTime now() const { return now_; }
  // When the scheduler is to be woken; `never` if it is not.
  TraceTime wake_at() const { return wake_at_; }

  // Calls the scheduler until no event is left; returns what was allocated since the last time, in
  // order.
  std::vector<Placement> decide();
  // decide() after a heartbeat of the node.
  std::vector<Placement> decide_at(NodeId node);

  ClusterModel& cluster() { return model_; }
  const ClusterModel& cluster() const { return model_; }
  bool is_accepted(ApplicationId application) const { return accepted_[application.index()] != 0; }
  // Why it was rejected, or ended by the scheduler; empty if it was not. It is gone then.
  const std::string& rejection(ApplicationId application) const {
    return rejections_[application.index()];
  }
  const Digest& digest() const { return digest_; }
  std::uint64_t calls() const { return calls_; }
  // Stops unless what the model derives agrees with its containers.
  void verify() const;

 private:
  void settle();
  void call();
  void apply(const Decision& decision);
  TraceTime next_deadline() const;
  void force_overdue();
  void kill(ContainerId container, const char* how);
  void note(const std::string& what);
  void allocate(const Allocate& decision);
  void allocate_gang(const AllocateGang& decision);
  bool is_refused(AskId ask, NodeId node);
  void grant(AskId ask, NodeId node, std::uint32_t units);
  void release(ContainerId container, ContainerEnd how);

  Scheduler& scheduler_;
  ClusterModel model_;
  std::vector<SchedulerEvent> events_;
  std::vector<SchedulerEvent> batch_;
  Decisions decisions_;
  std::vector<Placement> placements_;
  std::vector<std::uint8_t> accepted_;   // by application
  std::vector<std::string> rejections_;  // by application
  TraceTime now_{};
  TraceTime wake_at_ = never;
  std::uint32_t to_refuse_ = 0;
  std::map<ContainerId, PreemptionTerms> preemptions_;
  std::string taken_back_;
  bool do_kills_linger_ = false;
  std::uint64_t calls_ = 0;
  Digest digest_;
};

// "a2:n0 a2:n1x3 …": the placements as ask, node and units where there are several.
std::string to_text(const std::vector<Placement>& placements);

}  // namespace tracebed
