// How many containers of each application, and of each user, are on each node, including those that
// were proposed. The model has no such counts, so it follows events and proposals. Of several
// concurrent schedulers each follows its own applications.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/scheduler.h"

namespace tracebed {

class ApplicationContainers {
 public:
  // To be called first in every decide(). After a refusal everything is counted anew.
  void follow(const SchedulerInput& input);
  // A container of the user's application was proposed, or a proposal of the same call is taken
  // back.
  void add(ApplicationId application, UserId user, NodeId node);
  void take(ApplicationId application, NodeId node);

  // Fill in the counts by node, for all nodes of the cluster. Return the largest.
  std::uint32_t counts_of(ApplicationId application, std::size_t nodes,
                          std::vector<std::uint32_t>& counts) const {
    return filled(applications_, application, nodes, counts);
  }
  std::uint32_t counts_of(UserId user, std::size_t nodes,
                          std::vector<std::uint32_t>& counts) const {
    return filled(users_, user, nodes, counts);
  }

 private:
  template <class Owner>
  using Counts = std::map<std::pair<Owner, NodeId>, std::uint32_t>;  // none is zero

  template <class Owner>
  static std::uint32_t filled(const Counts<Owner>& all, Owner owner, std::size_t nodes,
                              std::vector<std::uint32_t>& counts);
  template <class Owner>
  static void take_one(Counts<Owner>& counts, Owner owner, NodeId node);
  void count_anew(const ClusterModel& cluster);

  Counts<ApplicationId> applications_;
  Counts<UserId> users_;
  std::map<ApplicationId, UserId> user_of_;  // of those that have containers, which may be closed
};

}  // namespace tracebed
