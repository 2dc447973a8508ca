// Users who bid for slots (mapred.DynamicPriorityScheduler.Allocations and BudgetQueue of Hadoop's
// contrib/dynamic-scheduler, as of 0.21): what each spends, and which part of the slots it has for
// that.
//
// At each multiple of the interval, with u the slots that a user's tasks take, of each kind at most
// its quota:
//   price = Σ bids of the users that have tasks and whose budget is no less than their bid
//   a user that has tasks, and whose budget is no less than its bid and than bid × u, pays bid × u
//   and has the share bid / price until the next; any other has none.
// Its quota of a kind is share × the slots of that kind, rounded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "schedulers/hadoop1/waiting_by_demand.h"
#include "schedulers/parts/named_weights.h"

namespace tracebed {

struct BidTerms {
  NamedWeights bids;               // by user, in thousandths of a credit per slot and interval
  NamedWeights budgets;            // by user, in thousandths of a credit; others have no limit
  std::int64_t other_bid = 1'000;  // of users without a bid
  Duration interval = seconds(20);
};

struct Bidder {
  std::string name;
  std::int64_t bid = 0;
  std::optional<std::int64_t> budget;  // what is left of it; none: no limit
  bool could_pay = true;               // when the slots were divided last
  std::int64_t spending = 0;           // since the last multiple of the interval: the bid, or 0
  PerKind<std::int64_t> quota;
  PerKind<std::int64_t> slots;    // taken by its tasks
  PerKind<std::int64_t> pending;  // its tasks without one
  // Its jobs with pending tasks, by submission.
  PerKind<WaitingByDemand<ApplicationId, SlotJobKey>> waiting;

  bool has_tasks() const {
    return slots != PerKind<std::int64_t>() || pending != PerKind<std::int64_t>();
  }
  bool is_out_of_budget() const { return budget && *budget < bid; }
};

class Bidders {
 public:
  explicit Bidders(BidTerms terms) : terms_(std::move(terms)) {}

  // Divides the slots at each multiple of the interval up to `now`, with jobs as they were left by
  // the last call.
  void catch_up(TraceTime now, const PerKind<std::int64_t>& slots);
  // Takes over what the job wants and runs now.
  void refresh(const SlotJob& job, const std::string& user);
  void drop(ApplicationId job);

  // Users that have waiting jobs of the kind and run less than their quota, by their first job,
  // with what these jobs demand.
  const WaitingByDemand<UserId, std::pair<SlotJobKey, UserId>>& within_quota(SlotKind kind) const {
    return within_quota_[kind];
  }
  // All jobs with pending tasks of the kind, by submission.
  const WaitingByDemand<ApplicationId, SlotJobKey>& waiting(SlotKind kind) const {
    return waiting_[kind];
  }
  const std::map<UserId, Bidder>& all() const { return bidders_; }
  const Bidder* find(UserId user) const;
  std::int64_t price() const { return price_; }
  const BidTerms& terms() const { return terms_; }

 private:
  struct Counted {
    UserId user;
    PerKind<std::int64_t> slots;
    PerKind<std::int64_t> pending;
  };

  void divide(const PerKind<std::int64_t>& slots);
  void rank(UserId user, const Bidder& bidder);

  BidTerms terms_;
  std::map<UserId, Bidder> bidders_;
  std::map<ApplicationId, Counted> jobs_;
  PerKind<WaitingByDemand<ApplicationId, SlotJobKey>> waiting_;
  PerKind<WaitingByDemand<UserId, std::pair<SlotJobKey, UserId>>> within_quota_;
  std::int64_t price_ = 0;
  TraceTime divided_{};
};

}  // namespace tracebed
