#include "schedulers/yarn/fair/running_limits.h"

#include <limits>

namespace tracebed {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

// The waiting applications of the leaves from `queue` down that are not full, nor below a queue
// that is.
void gather(const LiveQueue& queue, bool ancestors_bind,
            std::vector<const std::set<ApplicationId>*>& lists) {
  const bool is_bound = queue.is_leaf || ancestors_bind;
  if (is_bound && queue.runnable >= maximum_running(queue)) return;
  if (queue.is_leaf) lists.push_back(&queue.waiting);
  for (const LiveQueue* child : queue.children) gather(*child, ancestors_bind, lists);
}

}  // namespace

std::int64_t maximum_running(const LiveQueue& queue) {
  return queue.rules.maximum_running.value_or(unlimited);
}

std::int64_t RunningLimits::maximum_of(const std::string& user) const {
  const FairAllocations& allocations = tree_.allocations();
  const auto own = allocations.maximum_running_of_users.find(user);
  if (own != allocations.maximum_running_of_users.end()) return own->second;
  return allocations.maximum_running_of_user.value_or(unlimited);
}

const LiveQueue* RunningLimits::full_queue(const LiveQueue& leaf) const {
  for (const LiveQueue* queue = &leaf; queue != nullptr; queue = queue->parent) {
    if (queue->runnable >= maximum_running(*queue)) return queue;
    if (!settings_.ancestors_bind) break;
  }
  return nullptr;
}

bool RunningLimits::can_run(const LiveApplication& application) const {
  const User& user = users_.at(application.user);
  return user.runnable < user.maximum && full_queue(*application.leaf) == nullptr;
}

void RunningLimits::count(const LiveApplication& application, std::int64_t change) {
  users_.at(application.user).runnable += change;
  for (LiveQueue* queue = application.leaf; queue != nullptr; queue = queue->parent) {
    queue->runnable += change;
  }
  application.leaf->are_shares_out_of_date = true;
}

void RunningLimits::add(LiveApplication& application, const std::string& name) {
  const auto [entry, is_new] = users_.try_emplace(application.user);
  if (is_new) entry->second.maximum = maximum_of(name);
  application.leaf->applications.insert(application.id);
  application.is_runnable = can_run(application);
  if (application.is_runnable) return count(application, 1);
  application.leaf->waiting.insert(application.id);
  entry->second.waiting.insert(application.id);
}

void RunningLimits::remove(LiveApplication& application,
                           std::vector<LiveApplication*>& now_runnable) {
  LiveQueue& leaf = *application.leaf;
  User& user = users_.at(application.user);
  leaf.applications.erase(application.id);
  if (!application.is_runnable) {
    leaf.waiting.erase(application.id);
    user.waiting.erase(application.id);
    return;
  }
  application.is_runnable = false;
  count(application, -1);
  // Its end can only let another run where it was the last that could: in the highest queue above
  // that was full, so anywhere below that one, or among its user's.
  const LiveQueue* highest = nullptr;
  for (const LiveQueue* queue = &leaf; queue != nullptr; queue = queue->parent) {
    if (queue->runnable == maximum_running(*queue) - 1) highest = queue;
    if (!settings_.ancestors_bind) break;
  }
  std::vector<const std::set<ApplicationId>*> lists;
  if (highest != nullptr) gather(*highest, settings_.ancestors_bind, lists);
  if (user.runnable == user.maximum - 1) lists.push_back(&user.waiting);
  // As in the original, at most as many as there are lists.
  make_runnable(lists, lists.size(), now_runnable);
}

void RunningLimits::make_runnable(LiveApplication& application) {
  application.is_runnable = true;
  application.leaf->waiting.erase(application.id);
  users_.at(application.user).waiting.erase(application.id);
  count(application, 1);
}

void RunningLimits::make_runnable(const std::vector<const std::set<ApplicationId>*>& lists,
                                  std::size_t most, std::vector<LiveApplication*>& now_runnable) {
  // The heads of the lists in the order of submission; an application may head two.
  std::set<std::pair<ApplicationId, std::size_t>> heads;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (!lists[i]->empty()) heads.insert({*lists[i]->begin(), i});
  }
  std::size_t made = 0;
  while (!heads.empty() && made < most) {
    const auto [id, list] = *heads.begin();
    heads.erase(heads.begin());
    LiveApplication& application = applications_[id];
    if (!application.is_runnable && can_run(application)) {
      make_runnable(application);
      now_runnable.push_back(&application);
      ++made;
    }
    const auto next = lists[list]->upper_bound(id);
    if (next != lists[list]->end()) heads.insert({*next, list});
  }
}

void RunningLimits::make_all_runnable(std::vector<LiveApplication*>& now_runnable) {
  std::vector<const std::set<ApplicationId>*> lists;
  gather(tree_.root(), settings_.ancestors_bind, lists);
  make_runnable(lists, std::numeric_limits<std::size_t>::max(), now_runnable);
}

}  // namespace tracebed
