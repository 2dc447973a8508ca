#include "schedulers/policy_harness.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

// One unit less is preferred at `place`, if any was.
template <class PlaceId>
void take_one(std::vector<PlaceCount<PlaceId>>& counts, PlaceId place) {
  const auto found = std::lower_bound(
      counts.begin(), counts.end(), place,
      [](const PlaceCount<PlaceId>& entry, PlaceId id) { return entry.place < id; });
  if (found != counts.end() && found->place == place && found->count > 0) --found->count;
}

}  // namespace

NodeId PolicyHarness::add_node(const Resources& capacity, RackId rack,
                               std::vector<std::string> labels) {
  Node node;
  node.labels = std::move(labels);
  node.id = NodeId(model_.nodes.size());
  node.rack = rack;
  node.capacity = capacity;
  model_.racks = std::max(model_.racks, rack.index() + 1);
  model_.nodes.push_back(node);
  bring_back(node.id);
  return node.id;
}

void PolicyHarness::bring_back(NodeId id) {
  Node& node = model_.nodes[id.index()];
  TRACEBED_CHECK(!node.alive, "a node joins once");
  node.alive = true;
  node.free = node.capacity;
  node.report = {.used = {}, .io_pressure = -1, .allocated = {}, .at = now_};
  model_.capacity += node.capacity;
  model_.free += node.capacity;
  events_.push_back(NodeAdded{id});
}

void PolicyHarness::remove_node(NodeId id) {
  std::vector<ContainerId> held;
  model_.containers.for_each([&](ContainerId container, const Container& state) {
    if (state.node == id) held.push_back(container);
  });
  for (ContainerId container : held) release(container, ContainerEnd::node_lost);
  Node& node = model_.nodes[id.index()];
  node.alive = false;
  model_.capacity -= node.capacity;
  model_.free -= node.capacity;
  node.free = Resources();
  events_.push_back(NodeRemoved{id});
}

void PolicyHarness::heartbeat(NodeId id, const Resources& used, std::int32_t io_pressure) {
  Node& node = model_.nodes[id.index()];
  node.report = {used, io_pressure, node.capacity - node.free, now_};
  events_.push_back(NodeUpdated{id});
}

void PolicyHarness::heartbeat_all() {
  for (const Node& node : model_.nodes) {
    if (node.alive) heartbeat(node.id);
  }
}

ApplicationId PolicyHarness::submit(const Application& application) {
  const ApplicationId id = model_.applications.emplace(application);
  accepted_.push_back(0);
  rejections_.emplace_back();
  events_.push_back(ApplicationAdded{id});
  return id;
}

AskId PolicyHarness::ask(ApplicationId application, const AskFigures& figures) {
  TRACEBED_CHECK(is_accepted(application), "only an accepted application asks");
  Ask ask;
  ask.application = application;
  ask.priority = figures.priority;
  ask.demand = figures.demand;
  ask.pending = figures.pending;
  ask.kind = figures.kind;
  ask.relax_locality = figures.relax_locality;
  ask.is_master = figures.is_master;
  ask.label = figures.label;
  ask.nodes = figures.nodes;
  ask.racks = figures.racks;
  const AskId id = model_.asks.emplace(ask);
  auto& asks = model_.applications[application].asks;
  asks.push_back(id);
  std::stable_sort(asks.begin(), asks.end(), [&](AskId a, AskId b) {
    return model_.asks[a].priority < model_.asks[b].priority;
  });
  events_.push_back(AskChanged{id});
  return id;
}

AskId PolicyHarness::submit_and_ask(const AskFigures& figures, const Application& application) {
  const ApplicationId id = submit(application);
  settle();
  return ask(id, figures);
}

void PolicyHarness::set_pending(AskId ask, std::uint32_t pending) {
  model_.asks[ask].pending = pending;
  events_.push_back(AskChanged{ask});
}

void PolicyHarness::close(AskId ask) {
  const ApplicationId application = model_.asks[ask].application;
  model_.asks.erase(ask);
  auto& asks = model_.applications[application].asks;
  asks.erase(std::find(asks.begin(), asks.end(), ask));
  events_.push_back(AskRemoved{ask, application});
}

void PolicyHarness::finish(ApplicationId application) {
  const auto asks = model_.applications[application].asks;
  for (AskId ask : asks) close(ask);
  model_.applications.erase(application);
  events_.push_back(ApplicationRemoved{application});
}

void PolicyHarness::end(ContainerId container, ContainerEnd how) {
  release(container, how);
}

void PolicyHarness::drain(NodeId id) {
  Node& node = model_.nodes[id.index()];
  node.alive = false;
  node.is_withheld = true;
  model_.capacity -= node.capacity;
  model_.free -= node.free;
  events_.push_back(NodeRemoved{id});
}

void PolicyHarness::undrain(NodeId id) {
  Node& node = model_.nodes[id.index()];
  node.alive = true;
  node.is_withheld = false;
  model_.capacity += node.capacity;
  model_.free += node.free;
  events_.push_back(NodeAdded{id});
}

void PolicyHarness::release(ContainerId id, ContainerEnd how) {
  const Container container = model_.containers[id];
  preemptions_.erase(id);
  Node& node = model_.nodes[container.node.index()];
  node.free += container.resources;
  --node.containers;
  if (node.alive) model_.free += container.resources;
  model_.containers.erase(id);
  if (Application* application = model_.applications.find(container.application)) {
    application->used -= container.resources;
    --application->containers;
  }
  events_.push_back(ContainerFinished{id, container.application, container.ask, container.node,
                                      container.resources, how});
}

void PolicyHarness::advance(Duration duration) {
  const TraceTime until = now_ + duration;
  settle();
  for (;;) {
    const TraceTime deadline = next_deadline();
    if (std::min(wake_at_, deadline) > until) break;
    now_ = std::min(wake_at_, deadline);
    if (wake_at_ == now_) {
      wake_at_ = never;
      events_.push_back(Tick{});
    }
    if (deadline == now_) force_overdue();
    settle();
  }
  now_ = until;
}

std::vector<Placement> PolicyHarness::decide() {
  settle();
  return std::exchange(placements_, {});
}

void PolicyHarness::settle() {
  bool only_refusals = false;
  while (!events_.empty() && !only_refusals) {
    batch_.swap(events_);
    events_.clear();
    only_refusals = std::all_of(batch_.begin(), batch_.end(), [](const SchedulerEvent& event) {
      return std::holds_alternative<Refused>(event);
    });
    call();
  }
}

std::vector<Placement> PolicyHarness::decide_at(NodeId node) {
  heartbeat(node);
  return decide();
}

void PolicyHarness::call() {
  ++calls_;
  decisions_.clear();
  scheduler_.decide(SchedulerInput{now_, batch_, model_}, decisions_);
  for (const Decision& decision : decisions_.list()) apply(decision);
}

void PolicyHarness::apply(const Decision& decision) {
  if (const auto* one = std::get_if<Allocate>(&decision)) return allocate(*one);
  if (const auto* gang = std::get_if<AllocateGang>(&decision)) return allocate_gang(*gang);
  if (const auto* reject = std::get_if<Reject>(&decision)) {
    TRACEBED_CHECK(!is_accepted(reject->application), "an accepted application is not rejected");
    rejections_[reject->application.index()] = decisions_.reason(*reject);
    return finish(reject->application);
  }
  if (const auto* wake = std::get_if<WakeAt>(&decision)) {
    TRACEBED_CHECK(wake->at > now_, "a scheduler is woken in the future");
    wake_at_ = wake->at;
    return;
  }
  if (const auto* end = std::get_if<EndApplication>(&decision)) {
    TRACEBED_CHECK(is_accepted(end->application), "only an accepted application is ended");
    rejections_[end->application.index()] = decisions_.reason(*end);
    return finish(end->application);
  }
  if (const auto* wanted = std::get_if<Preempt>(&decision)) {
    TRACEBED_CHECK(model_.containers.contains(wanted->container), "what is there is wanted back");
    preemptions_[wanted->container] = decisions_.terms(*wanted);
    return note("ask " + std::to_string(wanted->container.value()));
  }
  if (const auto* unwanted = std::get_if<WithdrawPreemption>(&decision)) {
    TRACEBED_CHECK(preemptions_.erase(unwanted->container) == 1,
                   "what is marked for preemption is withdrawn");
    return note("withdraw " + std::to_string(unwanted->container.value()));
  }
  if (const auto* victim = std::get_if<Kill>(&decision)) return kill(victim->container, "");
  const auto* accept = std::get_if<Accept>(&decision);
  TRACEBED_CHECK(accept != nullptr, "these are all decisions that there are");
  TRACEBED_CHECK(!is_accepted(accept->application), "an application is accepted once");
  accepted_[accept->application.index()] = 1;
}

void PolicyHarness::note(const std::string& what) {
  taken_back_ += (taken_back_.empty() ? "" : ", ") + what;
}

void PolicyHarness::kill(ContainerId container, const char* how) {
  TRACEBED_CHECK(model_.containers.contains(container), "what is there is killed");
  note("kill " + std::to_string(container.value()) + how);
  preemptions_.erase(container);
  model_.containers[container].is_being_killed = true;
  if (!do_kills_linger_) release(container, ContainerEnd::preempted);
}

TraceTime PolicyHarness::next_deadline() const {
  TraceTime first = never;
  for (const auto& [id, terms] : preemptions_) {
    if (terms.deadline > now_) first = std::min(first, terms.deadline);
  }
  return first;
}

// As the engine does: what is overdue is killed unless the scheduler, told so, withdraws.
void PolicyHarness::force_overdue() {
  std::vector<ContainerId> overdue;
  for (const auto& [id, terms] : preemptions_) {
    if (terms.deadline == now_) overdue.push_back(id);
  }
  for (const ContainerId id : overdue) {
    events_.push_back(PreemptionDue{id, model_.containers[id].application});
  }
  settle();
  for (const ContainerId id : overdue) {
    if (preemptions_.contains(id)) kill(id, " (overdue)");
  }
  settle();
}

bool PolicyHarness::is_refused(AskId ask, NodeId node) {
  if (to_refuse_ == 0) return false;
  --to_refuse_;
  Refused refusal;
  refusal.reason = RefusalReason::does_not_fit;
  refusal.ask = ask;
  refusal.application = model_.asks[ask].application;
  refusal.node = node;
  events_.push_back(refusal);
  return true;
}

void PolicyHarness::allocate(const Allocate& decision) {
  TRACEBED_CHECK(model_.asks.contains(decision.ask), "units are placed only of open asks");
  const Ask& ask = model_.asks[decision.ask];
  TRACEBED_CHECK(!ask.is_gang() && ask.pending > 0, "no more units are placed than wanted");
  if (is_refused(decision.ask, decision.node)) return;
  grant(decision.ask, decision.node, 1);
}

void PolicyHarness::allocate_gang(const AllocateGang& decision) {
  TRACEBED_CHECK(model_.asks.contains(decision.ask), "gangs are placed only of open asks");
  const Ask& ask = model_.asks[decision.ask];
  std::uint32_t units = 0;
  NodeId previous;
  for (const GangPiece& piece : decisions_.pieces(decision)) {
    TRACEBED_CHECK(!previous.is_valid() || previous < piece.node, "pieces ascend by node");
    previous = piece.node;
    units += piece.units;
  }
  TRACEBED_CHECK(ask.is_gang() && units == ask.pending, "a gang is placed whole");
  if (is_refused(decision.ask, previous)) return;
  for (const GangPiece& piece : decisions_.pieces(decision)) {
    grant(decision.ask, piece.node, piece.units);
  }
}

void PolicyHarness::grant(AskId ask_id, NodeId node_id, std::uint32_t units) {
  Ask& ask = model_.asks[ask_id];
  Node& node = model_.nodes[node_id.index()];
  const Resources amount = ask.demand * units;
  TRACEBED_CHECK(node.alive, "only alive nodes are given units");
  TRACEBED_CHECK(model_.has_room(node, amount), "no node is given more than it has free");
  TRACEBED_CHECK(ask.relax_locality || preferred_at(ask.nodes, node_id) > 0 ||
                     preferred_at(ask.racks, node.rack) > 0,
                 "an ask that does not relax its locality is placed where it says");
  node.free -= amount;
  ++node.containers;
  model_.free -= amount;
  ask.pending -= units;
  // As masters do: a unit takes its wish for the node, and in any case that for the rack, away.
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    take_one(ask.nodes, node_id);
    take_one(ask.racks, node.rack);
  }
  Application& application = model_.applications[ask.application];
  application.used += amount;
  ++application.containers;
  Container granted;
  granted.application = ask.application;
  granted.ask = ask_id;
  granted.node = node_id;
  granted.units = units;
  granted.resources = amount;
  granted.is_master = ask.is_master;
  granted.allocated = now_;
  const ContainerId container = model_.containers.emplace(granted);
  placements_.push_back({ask_id, node_id, units, container});
  digest_.add((std::uint64_t{ask_id.value()} << 32) | node_id.value());
  digest_.add(std::uint64_t{units});
}

void PolicyHarness::verify() const {
  std::vector<Resources> used(model_.nodes.size());
  model_.containers.for_each([&](ContainerId, const Container& container) {
    used[container.node.index()] += container.resources;
  });
  for (const Node& node : model_.nodes) {
    if (!node.alive) continue;
    TRACEBED_CHECK(node.free + used[node.id.index()] == node.capacity, "free + used = capacity");
    TRACEBED_CHECK(model_.has_room(node, Resources()), "no node is given more than it has");
  }
}

std::string to_text(const std::vector<Placement>& placements) {
  std::string text;
  for (const Placement& placement : placements) {
    if (!text.empty()) text += ' ';
    text +=
        "a" + std::to_string(placement.ask.value()) + ":n" + std::to_string(placement.node.value());
    if (placement.units > 1) text += "x" + std::to_string(placement.units);
  }
  return text;
}

}  // namespace tracebed
