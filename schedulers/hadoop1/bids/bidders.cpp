#include "schedulers/hadoop1/bids/bidders.h"

#include <algorithm>

namespace tracebed {
namespace {

// Math.round of slots × part / whole.
std::int64_t rounded_part(std::int64_t slots, std::int64_t part, std::int64_t whole) {
  return (2 * slots * part + whole) / (2 * whole);
}

// The order of the dynamic scheduler's list of jobs.
SlotJobKey by_submission(const SlotJob& job) {
  return {.unimportance = 0, .submitted = job.submitted, .id = job.id};
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
  drop(job.id);
  const auto [found, is_new] = bidders_.try_emplace(job.user);
  if (is_new) {
    Bidder& bidder = found->second;
    bidder.name = user;
    const auto bid = terms_.bids.find(user);
    bidder.bid = bid == terms_.bids.end() ? terms_.other_bid : bid->second;
    const auto budget = terms_.budgets.find(user);
    if (budget != terms_.budgets.end()) bidder.budget = budget->second;
  }
  const Counted counted{job.user, by_submission(job), job.slots, job.pending};
  count(counted, 1);
  jobs_.emplace(job.id, counted);
}

void Bidders::drop(ApplicationId job) {
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return;
  count(found->second, -1);
  jobs_.erase(found);
}

void Bidders::count(const Counted& counted, std::int64_t sign) {
  Bidder& bidder = bidders_.at(counted.user);
  for (const SlotKind kind : slot_kinds) {
    bidder.slots[kind] += sign * counted.slots[kind];
    bidder.pending[kind] += sign * counted.pending[kind];
    if (counted.pending[kind] == 0) continue;
    for (std::set<SlotJobKey>* keys : {&bidder.waiting[kind], &waiting_[kind]}) {
      if (sign > 0) {
        keys->insert(counted.key);
      } else {
        keys->erase(counted.key);
      }
    }
  }
  rank(counted.user, bidder);
}

void Bidders::rank(UserId user, const Bidder& bidder) {
  for (const SlotKind kind : slot_kinds) {
    std::map<UserId, SlotJobKey>& ranked = ranked_[kind];
    if (const auto old = ranked.find(user); old != ranked.end()) {
      within_quota_[kind].erase({old->second, user});
      ranked.erase(old);
    }
    if (bidder.waiting[kind].empty() || bidder.slots[kind] >= bidder.quota[kind]) continue;
    const SlotJobKey& first = *bidder.waiting[kind].begin();
    within_quota_[kind].emplace(first, user);
    ranked.emplace(user, first);
  }
}

const Bidder* Bidders::find(UserId user) const {
  const auto found = bidders_.find(user);
  return found == bidders_.end() ? nullptr : &found->second;
}

}  // namespace tracebed
