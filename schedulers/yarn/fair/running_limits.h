// How many applications may run: of a user, and in a queue and below it. Others wait, and are made
// runnable in the order of their submission as others end (scheduler.fair.MaxRunningAppsEnforcer).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/paged_table.h"
#include "schedulers/yarn/fair/fair_queue_tree.h"
#include "schedulers/yarn/fair/fair_settings.h"

namespace tracebed {

using LiveApplications = PagedTable<ApplicationId, LiveApplication>;

class RunningLimits {
 public:
  struct User {
    std::int64_t runnable = 0;
    std::set<ApplicationId> waiting;  // in the order of submission
    std::int64_t maximum = 0;
  };

  // All arguments outlive it.
  RunningLimits(const FairSettings& settings, const FairQueueTree& tree,
                LiveApplications& applications)
      : settings_(settings), tree_(tree), applications_(applications) {}

  // Adds a new application, as runnable or waiting. `name` is that of its user.
  void add(LiveApplication& application, const std::string& name);
  // Removes one that was runnable or waiting. Appends those that became runnable in its place.
  void remove(LiveApplication& application, std::vector<LiveApplication*>& now_runnable);
  // The limits changed; `name` returns the name of a user. No running application is stopped.
  template <class NameOf>
  void reload(NameOf&& name, std::vector<LiveApplication*>& now_runnable) {
    for (auto& [id, user] : users_) user.maximum = maximum_of(name(id));
    make_all_runnable(now_runnable);
  }

  const User& user(UserId id) const { return users_.at(id); }
  // The queue, from the leaf up, that has as many as may run there; null if none.
  const LiveQueue* full_queue(const LiveQueue& leaf) const;

 private:
  std::int64_t maximum_of(const std::string& user) const;
  bool can_run(const LiveApplication& application) const;
  void count(const LiveApplication& application, std::int64_t change);
  void make_runnable(LiveApplication& application);
  // Makes runnable as many of the applications in `lists` as can run, in the order of submission.
  void make_runnable(const std::vector<const std::set<ApplicationId>*>& lists, std::size_t most,
                     std::vector<LiveApplication*>& now_runnable);
  void make_all_runnable(std::vector<LiveApplication*>& now_runnable);

  const FairSettings& settings_;
  const FairQueueTree& tree_;
  LiveApplications& applications_;
  std::map<UserId, User> users_;
};

// The queue's limit; without one, unlimited.
std::int64_t maximum_running(const LiveQueue& queue);

}  // namespace tracebed
