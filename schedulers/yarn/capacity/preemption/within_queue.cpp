#include "schedulers/yarn/capacity/preemption/within_queue.h"

#include <algorithm>
#include <utility>

#include "schedulers/yarn/capacity/preemption/queue_balance.h"

namespace tracebed {
namespace {

class Within {
 public:
  Within(LeafBalance& leaf, const WithinRules& rules)
      : leaf_(leaf), rules_(rules), calculator_(rules.calculator) {}

  void balance() {
    sort_by_importance();
    set_ideals();
    set_to_preempt();
    for (auto taker = leaf_.applications.rbegin(); taker != leaf_.applications.rend(); ++taker) {
      for (ApplicationBalance& giver : leaf_.applications) {
        if (is_more(taker->needed, Resources())) give(giver, *taker);
      }
    }
    for (ApplicationBalance& each : leaf_.applications) {
      each.to_obtain = positive_part(each.to_obtain - leaf_.chosen);
    }
  }

 private:
  void sort_by_importance();
  void set_ideals();
  void set_to_preempt();
  void give(ApplicationBalance& giver, ApplicationBalance& taker);

  bool is_more(const Resources& a, const Resources& b) const {
    return calculator_.compare(a, b, rules_.cluster) > 0;
  }
  Resources smaller(const Resources& a, const Resources& b) const { return is_more(a, b) ? b : a; }
  // True if there is nothing of some dimension that the cluster has and the calculator counts.
  bool lacks_some(const Resources& amount) const {
    if (calculator_.kind() == ResourceCalculator::Kind::memory) return amount.memory_mib() <= 0;
    for (std::size_t d = 0; d < rules_.cluster.dimensions_used(); ++d) {
      if (rules_.cluster[d] > 0 && amount[d] <= 0) return true;
    }
    return false;
  }

  LeafBalance& leaf_;
  const WithinRules& rules_;
  const ResourceCalculator calculator_;
};

void Within::sort_by_importance() {
  std::vector<ApplicationBalance>& applications = leaf_.applications;
  if (!leaf_.is_fair || !rules_.spares_users_below_limit) {
    return std::sort(applications.begin(), applications.end(),
                     [](const ApplicationBalance& a, const ApplicationBalance& b) {
                       return a.priority != b.priority ? a.priority < b.priority : a.id > b.id;
                     });
  }
  std::vector<ApplicationId> oldest(leaf_.users.size());  // application of each user
  for (const ApplicationBalance& each : applications) {
    ApplicationId& of_user = oldest[each.user];
    if (!of_user.is_valid() || each.id < of_user) of_user = each.id;
  }
  const auto used = [&](std::size_t user) {
    return leaf_.users[user].used - leaf_.users[user].masters;
  };
  std::sort(applications.begin(), applications.end(),
            [&](const ApplicationBalance& a, const ApplicationBalance& b) {
              if (a.user == b.user) return std::pair(a.turn, a.id) > std::pair(b.turn, b.id);
              const auto order = calculator_.compare(used(a.user), used(b.user), rules_.cluster);
              return order != 0 ? order > 0 : oldest[a.user] > oldest[b.user];
            });
}

void Within::set_ideals() {
  Resources left = leaf_.used - leaf_.to_obtain;
  for (const ApplicationBalance& each : leaf_.applications) left -= each.master;
  for (auto each = leaf_.applications.rbegin(); each != leaf_.applications.rend(); ++each) {
    if (!is_more(left, Resources()) || (rules_.is_conservative && lacks_some(left))) return;
    UserBalance& user = leaf_.users[each->user];
    user.chosen += each->chosen;
    const Resources limit = user.limit - user.masters;
    if (!is_more(limit, user.ideal)) continue;
    const Resources kept = each->used - each->master - each->chosen;
    each->ideal = smaller(left, smaller(kept + each->pending, limit - user.ideal));
    user.ideal += each->ideal;
    if (is_more(each->ideal, kept)) each->needed = each->ideal - kept;
    left = positive_part(left - each->ideal);
  }
}

void Within::set_to_preempt() {
  Resources most = multiply_and_cut(leaf_.guaranteed, rules_.most_taken);
  most = is_more(most, leaf_.to_obtain) ? most - leaf_.to_obtain : Resources();
  most = smaller(most, rules_.allowed);
  for (ApplicationBalance& each : leaf_.applications) {
    if (!is_more(most, Resources()) || !is_more(each.used, Resources())) continue;
    Resources preemptable = each.used - each.ideal;
    preemptable = positive_part(preemptable - each.chosen);
    preemptable = positive_part(preemptable - each.master);
    if (rules_.spares_users_below_limit) {
      preemptable = positive_part(preemptable - rules_.minimum_allocation);
    }
    each.to_preempt = smaller(preemptable, most);
    most = positive_part(most - each.to_preempt);
  }
}

void Within::give(ApplicationBalance& giver, ApplicationBalance& taker) {
  if (!is_more(giver.to_preempt, giver.to_obtain)) return;
  const bool is_own = giver.user == taker.user;
  if (is_own && giver.priority >= taker.priority) return;
  UserBalance& user = leaf_.users[giver.user];
  const Resources above_limit = user.used - user.limit;
  const bool is_above_limit = is_more(above_limit, Resources());
  if (!is_own && !is_above_limit && rules_.spares_users_below_limit) return;
  Resources available = giver.to_preempt - giver.to_obtain;
  if (!is_own && giver.priority == taker.priority && is_above_limit) {
    const Resources quota = user.has_given_above_limit ? Resources() : above_limit - user.chosen;
    if (is_more(available, quota)) {
      user.has_given_above_limit = true;
      available = quota;
    }
  }
  if (!is_more(available, Resources())) return;
  const Resources given = smaller(taker.needed, available);
  taker.needed -= given;
  giver.to_obtain += given;
}

}  // namespace

void balance_within(LeafBalance& leaf, const WithinRules& rules) {
  Within(leaf, rules).balance();
}

}  // namespace tracebed
