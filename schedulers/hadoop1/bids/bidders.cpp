#include "schedulers/hadoop1/bids/bidders.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tracebed {
namespace {

// Math.round of slots × part / whole.
std::int64_t rounded_part(std::int64_t slots, std::int64_t part, std::int64_t whole) {
  return (2 * slots * part + whole) / (2 * whole);
}

}  // namespace

void Bidders::catch_up(TraceTime now, const PerKind<std::int64_t>& slots) {
  while (now - divided_ >= terms_.interval) {
    const bool has_tasks = std::any_of(bidders_.begin(), bidders_.end(), [](const auto& bidder) {
      return bidder.second.has_tasks();
    });
    if (!has_tasks && price_ == 0) {
      divided_ = TraceTime(now.time_since_epoch() - now.time_since_epoch() % terms_.interval);
      return;
    }
    divided_ += terms_.interval;
    divide(slots);
  }
}

void Bidders::divide(const PerKind<std::int64_t>& slots) {
  price_ = 0;
  for (const auto& [user, bidder] : bidders_) {
    if (bidder.has_tasks() && !bidder.is_out_of_budget()) price_ += bidder.bid;
  }
  for (auto& [user, bidder] : bidders_) {
    std::int64_t used = 0;
    for (const SlotKind kind : slot_kinds) {
      used += std::min(bidder.slots[kind], bidder.quota[kind]);
    }
    const std::int64_t cost = bidder.bid * used;
    bidder.could_pay = !bidder.budget || *bidder.budget >= std::max(bidder.bid, cost);
    const bool pays = bidder.has_tasks() && bidder.could_pay;
    if (pays && bidder.budget) *bidder.budget -= cost;
    bidder.spending = pays ? bidder.bid : 0;
    for (const SlotKind kind : slot_kinds) {
      bidder.quota[kind] = price_ > 0 ? rounded_part(slots[kind], bidder.spending, price_) : 0;
    }
    rank(user, bidder);
  }
}

void Bidders::refresh(const SlotJob& job, const std::string& user) {
  const auto [found, is_new] = bidders_.try_emplace(job.user);
  Bidder& bidder = found->second;
  if (is_new) {
    bidder.name = user;
    const auto bid = terms_.bids.find(user);
    bidder.bid = bid == terms_.bids.end() ? terms_.other_bid : bid->second;
    const auto budget = terms_.budgets.find(user);
    if (budget != terms_.budgets.end()) bidder.budget = budget->second;
  }
  Counted& counted = jobs_[job.id];
  counted.user = job.user;
  for (const SlotKind kind : slot_kinds) {
    bidder.slots[kind] += job.slots[kind] - std::exchange(counted.slots[kind], job.slots[kind]);
    bidder.pending[kind] +=
        job.pending[kind] - std::exchange(counted.pending[kind], job.pending[kind]);
    const std::vector<Resources> demands = waiting_demands(job, kind);
    for (auto* const waiting : {&bidder.waiting[kind], &waiting_[kind]}) {
      if (demands.empty()) {
        waiting->remove(job.id);
      } else {
        waiting->set(job.id, job.key_by_submission(), demands);
      }
    }
  }
  rank(job.user, bidder);
}

void Bidders::drop(ApplicationId job) {
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return;
  const Counted& counted = found->second;
  Bidder& bidder = bidders_.at(counted.user);
  for (const SlotKind kind : slot_kinds) {
    bidder.slots[kind] -= counted.slots[kind];
    bidder.pending[kind] -= counted.pending[kind];
    bidder.waiting[kind].remove(job);
    waiting_[kind].remove(job);
  }
  rank(counted.user, bidder);
  jobs_.erase(found);
}

void Bidders::rank(UserId user, const Bidder& bidder) {
  for (const SlotKind kind : slot_kinds) {
    const auto& waiting = bidder.waiting[kind];
    if (waiting.empty() || bidder.slots[kind] >= bidder.quota[kind]) {
      within_quota_[kind].remove(user);
    } else {
      within_quota_[kind].set(user, {waiting.first(), user}, waiting.demands());
    }
  }
}

const Bidder* Bidders::find(UserId user) const {
  const auto found = bidders_.find(user);
  return found == bidders_.end() ? nullptr : &found->second;
}

}  // namespace tracebed
