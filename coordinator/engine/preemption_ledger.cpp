#include "coordinator/engine/preemption_ledger.h"

#include <algorithm>
#include <tuple>

#include "core/check.h"

namespace tracebed {
namespace {

// What the amounts of a negotiable contract are gathered by.
struct RequestKey {
  std::int32_t priority = 0;
  NodeId node;
  Resources capability;
  bool is_counted = false;  // in units of `capability`, which containers are larger than

  bool operator<(const RequestKey& other) const {
    const auto before = std::tuple(priority, node, is_counted);
    const auto others = std::tuple(other.priority, other.node, other.is_counted);
    if (before != others) return before < others;
    for (std::size_t i = 0; i < Resources::dimensions_max; ++i) {
      if (capability[i] != other.capability[i]) return capability[i] < other.capability[i];
    }
    return false;
  }
};

struct RequestSum {
  std::uint32_t containers = 0;
  Resources resources;
};

// How many of `unit` cover the amount, in the dimension that needs most of them.
std::uint32_t units_of(const Resources& amount, const Resources& unit) {
  std::int64_t units = 0;
  for (std::size_t i = 0; i < Resources::dimensions_max; ++i) {
    if (unit[i] > 0) units = std::max(units, (amount[i] + unit[i] - 1) / unit[i]);
  }
  return static_cast<std::uint32_t>(units);
}

RequestKey key_of(const PreemptionRequest& request) {
  RequestKey key{.priority = request.priority};
  // A node is emptied by what runs on it alone.
  if (request.terms.purpose == PreemptionPurpose::drain) key.node = request.node;
  key.is_counted = !request.terms.unit.is_zero();
  key.capability = key.is_counted ? request.terms.unit : request.resources;
  return key;
}

}  // namespace

const PreemptionRequest* PreemptionLedger::find(ContainerId container) const {
  const auto found = requests_.find(container);
  return found == requests_.end() ? nullptr : &found->second;
}

void PreemptionLedger::arm(const PreemptionRequest& request) {
  if (request.terms.deadline != never && !request.is_forced) {
    deadlines_.emplace(request.terms.deadline, request.container);
  }
}

void PreemptionLedger::disarm(const PreemptionRequest& request) {
  deadlines_.erase({request.terms.deadline, request.container});
}

void PreemptionLedger::add(PreemptionRequest request) {
  const ContainerId container = request.container;
  by_application_[request.application].requests.emplace(request.asked, container);
  const auto [place, is_new] = requests_.emplace(container, std::move(request));
  TRACEBED_CHECK(is_new, "a container is marked for preemption once");
  arm(place->second);
}

void PreemptionLedger::replace(ContainerId container, const PreemptionTerms& terms,
                               bool is_administrators) {
  PreemptionRequest& request = requests_.at(container);
  disarm(request);
  request.terms = terms;
  request.is_administrators = is_administrators;
  arm(request);
}

PreemptionRequest PreemptionLedger::take(ContainerId container) {
  auto node = requests_.extract(container);
  TRACEBED_CHECK(!node.empty(), "only what is marked for preemption is settled");
  PreemptionRequest request = std::move(node.mapped());
  disarm(request);
  const auto account = by_application_.find(request.application);
  account->second.requests.erase({request.asked, container});
  if (account->second.requests.empty()) by_application_.erase(account);
  return request;
}

void PreemptionLedger::credit(ApplicationId application, const Resources& resources,
                              std::vector<PreemptionRequest>& settled) {
  const auto account = by_application_.find(application);
  if (account == by_application_.end()) return;
  std::vector<ContainerId> covered;
  Resources credit = account->second.credit + resources;
  bool is_needed = false;
  for (const auto& [asked, container] : account->second.requests) {
    const PreemptionRequest& request = requests_.at(container);
    const bool may_be_substituted = request.terms.kind == PreemptionKind::negotiable &&
                                    request.terms.may_be_substituted && !request.is_forced;
    if (!may_be_substituted) continue;
    if (!request.resources.fits_in(credit)) {
      is_needed = true;
      continue;
    }
    credit -= request.resources;
    covered.push_back(container);
  }
  account->second.credit = is_needed ? credit : Resources();
  for (const ContainerId container : covered) settled.push_back(take(container));
}

void PreemptionLedger::force(ContainerId container) {
  PreemptionRequest& request = requests_.at(container);
  disarm(request);
  request.is_forced = true;
}

std::vector<ContainerId> PreemptionLedger::due(TraceTime now) const {
  std::vector<ContainerId> containers;
  for (const auto& [deadline, container] : deadlines_) {
    if (deadline > now) break;
    containers.push_back(container);
  }
  return containers;
}

PreemptionMessage PreemptionLedger::next_message(ApplicationId application, TraceTime now) {
  PreemptionMessage message;
  const auto account = by_application_.find(application);
  if (account == by_application_.end()) return message;
  std::map<RequestKey, RequestSum> sums;
  std::size_t named = 0;
  for (const auto& [asked, container] : account->second.requests) {
    PreemptionRequest& request = requests_.at(container);
    if (request.is_forced || request.is_orphaned) continue;
    if (!request.terms.is_repeated && request.notified != never) continue;
    if (++named > preemption_containers_max) break;
    if (request.notified == never) request.notified = now;
    const PreemptionPurpose purpose = request.terms.purpose;
    const PreemptionContainer named_container{
        .container = container,
        .deadline = request.terms.deadline,
        .leaves_node = purpose == PreemptionPurpose::move || purpose == PreemptionPurpose::relocate,
        .destination = request.terms.destination};
    if (request.terms.kind == PreemptionKind::strict) {
      if (!message.strict) message.strict.emplace();
      message.strict->containers.push_back(named_container);
    } else {
      if (!message.negotiable) message.negotiable.emplace();
      message.negotiable->containers.push_back(named_container);
      RequestSum& sum = sums[key_of(request)];
      ++sum.containers;
      sum.resources += request.resources;
    }
  }
  for (const auto& [key, sum] : sums) {
    message.negotiable->requests.push_back(
        {.priority = key.priority,
         .node = key.node,
         .capability = key.capability,
         .count = key.is_counted ? units_of(sum.resources, key.capability) : sum.containers,
         .relax_locality = !key.node.is_valid()});
  }
  const auto by_id = [](const PreemptionContainer& a, const PreemptionContainer& b) {
    return a.container < b.container;
  };
  if (message.strict) {
    std::sort(message.strict->containers.begin(), message.strict->containers.end(), by_id);
  }
  if (message.negotiable) {
    std::sort(message.negotiable->containers.begin(), message.negotiable->containers.end(), by_id);
  }
  return message;
}

}  // namespace tracebed
