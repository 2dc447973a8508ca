// Who owes which container until when (core/preemption.h). A debt begins when a container is wanted
// back and ends with the container, when it is withdrawn, or, where its terms allow, when the
// application gave as much of something else: every other container of the application that ends
// meanwhile is credited to it, and credit that covers a negotiable debt settles the oldest ones
// first. It does not matter why a container ends: what ends by itself is as free as what is killed.
//
// The book knows no clock and kills nobody; the engine asks it what is due.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/cluster_model.h"
#include "core/ids.h"
#include "core/preemption.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

struct Debt {
  ContainerId container;
  ApplicationId application;
  NodeId node;
  Resources resources;
  std::int32_t priority = 0;  // of the ask that it was given to
  PreemptionTerms terms;
  bool is_operators = false;  // otherwise the scheduler's
  TraceTime asked{};
  TraceTime told = never;
  // Its deadline has come: it is being killed, and is asked for no more.
  bool is_forced = false;
  // It is being killed with all that an attempt at its master left behind; the next attempt knows
  // nothing of it.
  bool is_orphaned = false;

  // Of the engine's relocate policy (relocation.h). What a scheduler wants back to relocate is owed
  // like anything else of its own.
  bool is_courtesy() const { return is_operators && terms.purpose == PreemptionPurpose::relocate; }
};

class DebtBook {
 public:
  bool empty() const { return debts_.empty(); }
  // Null if the container is not owed.
  const Debt* find(ContainerId container) const;
  bool owes(ApplicationId application) const { return owed_by_.contains(application); }

  // The container, which is not owed yet, is from now on.
  void owe(Debt debt);
  // It is owed already, and is on these terms from now on.
  void replace(ContainerId container, const PreemptionTerms& terms, bool is_operators);
  // It is not owed any more. It must be.
  Debt take(ContainerId container);
  // A container that is not owed ended. Takes the debts that this settles and appends them.
  void credit(ApplicationId application, const Resources& resources, std::vector<Debt>& settled);
  // Marks it as being killed; it stays until it ends.
  void force(ContainerId container);
  // Nobody is told of it any more; it stays until it ends.
  void orphan(ContainerId container) { debts_.at(container).is_orphaned = true; }

  // The earliest deadline that was not forced yet; `never` without one.
  TraceTime next_deadline() const { return deadlines_.empty() ? never : deadlines_.begin()->first; }
  // Calls visit(const Debt&) for each, by container.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (const auto& [container, debt] : debts_) visit(debt);
  }
  // Those whose deadline is not after `now`, by deadline and then container, not yet forced.
  std::vector<ContainerId> due(TraceTime now) const;

  // What the application is to be told, which counts as told then: what is told once is left out
  // the next time. Empty parts are absent.
  PreemptionMessage tell(ApplicationId application, TraceTime now);

 private:
  using Owed = std::pair<TraceTime, ContainerId>;  // since when, what
  struct Account {
    std::set<Owed> debts;
    Resources credit;
  };
  void watch(const Debt& debt);
  void unwatch(const Debt& debt);

  std::map<ContainerId, Debt> debts_;
  std::map<ApplicationId, Account> owed_by_;
  std::set<std::pair<TraceTime, ContainerId>> deadlines_;
};

}  // namespace tracebed
