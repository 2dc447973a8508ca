#include "coordinator/engine/debts.h"

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

RequestKey key_of(const Debt& debt) {
  RequestKey key{.priority = debt.priority};
  // A node is emptied by what runs on it alone.
  if (debt.terms.purpose == PreemptionPurpose::drain) key.node = debt.node;
  key.is_counted = !debt.terms.unit.is_zero();
  key.capability = key.is_counted ? debt.terms.unit : debt.resources;
  return key;
}

}  // namespace

const Debt* DebtBook::find(ContainerId container) const {
  const auto found = debts_.find(container);
  return found == debts_.end() ? nullptr : &found->second;
}

void DebtBook::watch(const Debt& debt) {
  if (debt.terms.deadline != never && !debt.is_forced) {
    deadlines_.emplace(debt.terms.deadline, debt.container);
  }
}

void DebtBook::unwatch(const Debt& debt) {
  deadlines_.erase({debt.terms.deadline, debt.container});
}

void DebtBook::owe(Debt debt) {
  const ContainerId container = debt.container;
  owed_by_[debt.application].debts.emplace(debt.asked, container);
  const auto [place, is_new] = debts_.emplace(container, std::move(debt));
  TRACEBED_CHECK(is_new, "a container is owed once");
  watch(place->second);
}

void DebtBook::replace(ContainerId container, const PreemptionTerms& terms, bool is_operators) {
  Debt& debt = debts_.at(container);
  unwatch(debt);
  debt.terms = terms;
  debt.is_operators = is_operators;
  watch(debt);
}

Debt DebtBook::take(ContainerId container) {
  auto node = debts_.extract(container);
  TRACEBED_CHECK(!node.empty(), "only what is owed is settled");
  Debt debt = std::move(node.mapped());
  unwatch(debt);
  const auto account = owed_by_.find(debt.application);
  account->second.debts.erase({debt.asked, container});
  if (account->second.debts.empty()) owed_by_.erase(account);
  return debt;
}

void DebtBook::credit(ApplicationId application, const Resources& resources,
                      std::vector<Debt>& settled) {
  const auto account = owed_by_.find(application);
  if (account == owed_by_.end()) return;
  std::vector<ContainerId> covered;
  Resources credit = account->second.credit + resources;
  bool is_needed = false;
  for (const auto& [asked, container] : account->second.debts) {
    const Debt& debt = debts_.at(container);
    const bool may_be_substituted = debt.terms.kind == PreemptionKind::negotiable &&
                                    debt.terms.may_be_substituted && !debt.is_forced;
    if (!may_be_substituted) continue;
    if (!debt.resources.fits_in(credit)) {
      is_needed = true;
      continue;
    }
    credit -= debt.resources;
    covered.push_back(container);
  }
  account->second.credit = is_needed ? credit : Resources();
  for (const ContainerId container : covered) settled.push_back(take(container));
}

void DebtBook::force(ContainerId container) {
  Debt& debt = debts_.at(container);
  unwatch(debt);
  debt.is_forced = true;
}

std::vector<ContainerId> DebtBook::due(TraceTime now) const {
  std::vector<ContainerId> containers;
  for (const auto& [deadline, container] : deadlines_) {
    if (deadline > now) break;
    containers.push_back(container);
  }
  return containers;
}

PreemptionMessage DebtBook::tell(ApplicationId application, TraceTime now) {
  PreemptionMessage message;
  const auto account = owed_by_.find(application);
  if (account == owed_by_.end()) return message;
  std::map<RequestKey, RequestSum> sums;
  std::size_t named = 0;
  for (const auto& [asked, container] : account->second.debts) {
    Debt& debt = debts_.at(container);
    if (debt.is_forced || debt.is_orphaned) continue;
    if (!debt.terms.is_repeated && debt.told != never) continue;
    if (++named > preemption_containers_max) break;
    if (debt.told == never) debt.told = now;
    const PreemptionPurpose purpose = debt.terms.purpose;
    const PreemptionContainer named_container{
        .container = container,
        .deadline = debt.terms.deadline,
        .leaves_node = purpose == PreemptionPurpose::move || purpose == PreemptionPurpose::relocate,
        .destination = debt.terms.destination};
    if (debt.terms.kind == PreemptionKind::strict) {
      if (!message.strict) message.strict.emplace();
      message.strict->containers.push_back(named_container);
    } else {
      if (!message.negotiable) message.negotiable.emplace();
      message.negotiable->containers.push_back(named_container);
      RequestSum& sum = sums[key_of(debt)];
      ++sum.containers;
      sum.resources += debt.resources;
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
