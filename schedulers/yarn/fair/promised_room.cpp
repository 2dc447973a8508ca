#include "schedulers/yarn/fair/promised_room.h"

#include <algorithm>

#include "core/check.h"
#include "schedulers/yarn/parts/not_negative.h"

namespace tracebed {
namespace {

template <class Id>
void remove_from(std::map<Id, std::vector<PromiseId>>& lists, Id key, PromiseId promise) {
  const auto found = lists.find(key);
  std::erase(found->second, promise);
  if (found->second.empty()) lists.erase(found);
}

}  // namespace

PromiseId PromisedRoom::add(RoomPromise promise) {
  const PromiseId id = ++made_;
  by_node_[promise.node].push_back(id);
  by_application_[promise.application].push_back(id);
  nodes_.set(promise.node, true);
  promises_.emplace(id, std::move(promise));
  return id;
}

void PromisedRoom::remove(PromiseId id) {
  const auto found = promises_.find(id);
  TRACEBED_CHECK(found != promises_.end(), "a promise is removed once");
  const NodeId node = found->second.node;
  remove_from(by_node_, node, id);
  remove_from(by_application_, found->second.application, id);
  if (!by_node_.contains(node)) nodes_.set(node, false);
  promises_.erase(found);
}

const RoomPromise* PromisedRoom::find(PromiseId id) const {
  const auto found = promises_.find(id);
  return found == promises_.end() ? nullptr : &found->second;
}

std::vector<ApplicationId> PromisedRoom::beneficiaries() const {
  std::vector<ApplicationId> beneficiaries;
  for (const auto& [application, promises] : by_application_) beneficiaries.push_back(application);
  return beneficiaries;
}

void PromisedRoom::drop_victim(PromiseId id, ContainerId victim, const Resources& resources) {
  const auto found = promises_.find(id);
  if (found == promises_.end()) return;
  if (std::erase(found->second.victims, victim) > 0) found->second.requested -= resources;
}

Resources PromisedRoom::kept(NodeId node, ApplicationId application) const {
  Resources kept;
  for (const PromiseId id : on(node)) {
    const RoomPromise& promise = promises_.at(id);
    if (promise.application != application)
      kept += not_negative(promise.demand - promise.requested);
  }
  return kept;
}

Resources PromisedRoom::change(NodeId node) const {
  Resources change;
  for (const PromiseId id : on(node)) {
    const RoomPromise& promise = promises_.at(id);
    change += promise.requested - promise.demand;
  }
  return change;
}

}  // namespace tracebed
