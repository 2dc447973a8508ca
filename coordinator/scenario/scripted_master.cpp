#include "coordinator/scenario/scripted_master.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/check.h"
#include "core/input_error.h"
#include "core/map_reduce_priorities.h"

namespace tracebed {
namespace {

template <class PlaceId>
void add_place(std::vector<PlaceCount<PlaceId>>& places, PlaceId place, std::uint32_t count) {
  const auto at = std::lower_bound(
      places.begin(), places.end(), place,
      [](const PlaceCount<PlaceId>& entry, PlaceId id) { return entry.place < id; });
  if (at != places.end() && at->place == place) {
    at->count += count;
  } else {
    places.insert(at, {place, count});
  }
}

template <class PlaceId>
bool take_one(std::vector<PlaceCount<PlaceId>>& places, PlaceId place) {
  for (PlaceCount<PlaceId>& entry : places) {
    if (entry.place != place || entry.count == 0) continue;
    --entry.count;
    return true;
  }
  return false;
}

}  // namespace

NodeId StoryPlaces::node(const std::string& name, const std::string& where) const {
  for (std::size_t i = 0; i < scenario_.nodes.size(); ++i) {
    if (scenario_.nodes[i].machine.name == name) return NodeId(i);
  }
  throw InputError(fmt::format("{}: there is no node \"{}\"", where, name));
}

InputBlocks StoryPlaces::input(JobId job) const {
  const ScenarioApplication& application = scenario_.applications[job.index()];
  InputBlocks blocks;
  std::vector<NodeId> holders;
  for (const std::vector<std::string>& names : application.input) {
    holders.clear();
    for (const std::string& name : names) {
      holders.push_back(node(name, application.where + ".input"));
    }
    blocks.add_block(holders);
  }
  return blocks;
}

RackId StoryPlaces::rack(const std::string& name, const std::string& where) const {
  for (std::size_t i = 0; i < scenario_.nodes.size(); ++i) {
    // Racks are numbered as their first nodes join.
    const bool has_joined = i < cluster_.nodes.size() && cluster_.nodes[i].rack.is_valid();
    if (scenario_.nodes[i].machine.rack == name && has_joined) return cluster_.nodes[i].rack;
  }
  throw InputError(fmt::format("{}: no node of the rack \"{}\" has joined yet", where, name));
}

SetAsk StoryPlaces::request(const ScenarioAsk& ask, AskSlot slot) const {
  SetAsk request;
  request.slot = slot;
  request.priority = ask.priority;
  request.demand = ask.demand;
  request.pending = ask.count;
  request.kind = ask.gang ? StageKind::gang : map_reduce_kind(ask.priority);
  request.relax_locality = ask.relax_locality;
  request.is_master = ask.is_master;
  if (!ask.label.empty()) request.label = names_.labels.intern(ask.label);
  for (const ScenarioPlace& place : ask.nodes) {
    const NodeId id = node(place.name, ask.where);
    add_place(request.nodes, id, place.count);
    if (ask.racks) continue;
    const std::string& name = scenario_.nodes[id.index()].machine.rack;
    add_place(request.racks, rack(name, ask.where), place.count);
  }
  for (PlaceCount<RackId>& entry : request.racks) entry.count = std::min(entry.count, ask.count);
  if (ask.racks) {
    for (const ScenarioPlace& place : *ask.racks) {
      add_place(request.racks, rack(place.name, ask.where), place.count);
    }
  }
  return request;
}

void ScriptedMaster::start(TraceTime, MasterActions& actions) {
  log_.accepted.push_back(position_);
  open_asks(actions);
}

// Its own first, and nothing else before it runs.
void ScriptedMaster::open_asks(MasterActions& actions) const {
  for (const SetAsk& request : requests_) {
    if (request.is_master == runs_) continue;
    SetAsk first = request;
    if (holds_back_) first.pending = 0;
    actions.emplace_back(std::move(first));
  }
}

MasterActions ScriptedMaster::ask_for_all() {
  holds_back_ = false;
  MasterActions actions;
  for (const SetAsk& request : requests_) {
    if (request.pending > 0 && (runs_ || request.is_master)) actions.emplace_back(request);
  }
  return actions;
}

void ScriptedMaster::granted(TraceTime now, const Grant& grant, MasterActions& actions) {
  const StoryContainer container{grant.container, position_, names_[grant.slot], grant.node,
                                 grant.units};
  log_.running[grant.container] = container;
  Locality locality = Locality::none_asked;
  if (!log_.is_starting) {
    locality = take_place(grant, actions);
    log_.allocated.emplace_back(container, locality);
    requests_[grant.slot].pending -= grant.units;
  }
  if (requests_[grant.slot].is_master) {
    actions.emplace_back(LaunchMasterProcess{grant.container, 1, now});
    runs_ = true;
    return open_asks(actions);
  }
  LaunchTask launch{.container = grant.container};
  launch.task = start_tasks(requests_[grant.slot], grant.units);
  launch.locality = locality;
  launch.waiting_since = now;
  actions.emplace_back(launch);
}

TaskRef ScriptedMaster::start_tasks(const SetAsk& request, std::uint32_t units) {
  const bool is_reduce = request.kind == StageKind::reduce && stages_.size() > 1;
  const std::uint16_t number = is_reduce ? 1 : 0;
  StageTasks& stage = stages_[number];
  const TaskRef first{number, stage.started};
  stage.started += units;
  if (stage.started > stage.tasks) {
    throw InputError(fmt::format("application {}: expected at most {} {}, as it states, got {}",
                                 position_ + 1, stage.tasks, is_reduce ? "reduces" : "maps",
                                 stage.started));
  }
  return first;
}

// What YARN takes off the counts of a request when it allocates (AppSchedulingInfo): the node's and
// its rack's, or the rack's alone.
Locality ScriptedMaster::take_place(const Grant& grant, MasterActions& actions) {
  SetAsk& request = requests_[grant.slot];
  if (request.nodes.empty() && request.racks.empty()) return Locality::none_asked;
  AdjustPlaces adjusted{.slot = grant.slot, .fewer_nodes = {}, .fewer_racks = {}};
  Locality locality = Locality::off_switch;
  if (take_one(request.nodes, grant.node)) {
    adjusted.fewer_nodes.push_back(grant.node);
    locality = Locality::node;
  }
  if (take_one(request.racks, grant.rack)) {
    adjusted.fewer_racks.push_back(grant.rack);
    if (locality != Locality::node) locality = Locality::rack;
  }
  actions.emplace_back(std::move(adjusted));
  return locality;
}

SetAsk ScriptedMaster::ask(SetAsk request, const std::string& name) {
  if (has(name)) {
    request.slot = slot_of(name);
    requests_[request.slot] = request;
  } else {
    request.slot = static_cast<AskSlot>(names_.size());
    names_.push_back(name);
    requests_.push_back(request);
  }
  return request;
}

bool ScriptedMaster::has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

AskSlot ScriptedMaster::slot_of(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  TRACEBED_CHECK(found != names_.end(), "only asks that were made are looked for");
  return static_cast<AskSlot>(found - names_.begin());
}

}  // namespace tracebed
