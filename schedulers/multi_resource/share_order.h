// Groups of jobs, and the jobs of each, in the order of their dominant shares: who is first has the
// least. Only jobs that want tasks are in the order; what all of them use counts. A change costs a
// logarithm of their numbers.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"
#include "schedulers/multi_resource/dominant_share.h"

namespace tracebed {

class ShareOrder {
 public:
  using GroupId = std::uint32_t;
  // Jobs of equal shares are in the order of their submission.
  struct JobKey {
    DominantShare share;
    TraceTime submitted{};
    ApplicationId id;
    std::strong_ordering operator<=>(const JobKey& other) const;
    bool operator==(const JobKey& other) const { return (*this <=> other) == 0; }
  };
  struct Group {
    std::int64_t weight = weight_of_one;
    Resources used;          // by its jobs, whose weights do not count
    DominantShare share;     // divided by its weight
    std::set<JobKey> jobs;   // that want tasks
    std::uint32_t size = 0;  // of all its jobs
  };
  struct GroupKey {
    DominantShare share;
    GroupId id = 0;
    std::strong_ordering operator<=>(const GroupKey& other) const;
    bool operator==(const GroupKey& other) const { return (*this <=> other) == 0; }
  };
  struct Job {
    GroupId group = 0;
    Resources used;
    DominantShare share;
    TraceTime submitted{};
    bool wants = false;
  };

  // Of everything. Computes all shares again if it has changed.
  void set_total(const Resources& total);

  void add(ApplicationId id, GroupId group, std::int64_t weight, TraceTime submitted);
  void remove(ApplicationId id);
  // What the job uses, and whether it wants tasks. Unknown jobs are ignored.
  void update(ApplicationId id, const Resources& used, bool wants);

  // Null if it is unknown.
  const Job* find(ApplicationId id) const;
  const Group& group(GroupId id) const { return groups_.at(id); }
  // Groups that have jobs, whether or not these want tasks.
  const std::map<GroupId, Group>& groups() const { return groups_; }

  // Calls visit(job) for the jobs that want tasks, group after group, until it returns false.
  // `visit` must not change this.
  template <class Visitor>
  void visit_in_order(Visitor&& visit) const {
    for (const GroupKey& key : order_) {
      for (const JobKey& job : groups_.at(key.id).jobs) {
        if (!visit(job.id)) return;
      }
    }
  }

 private:
  void take_out(GroupId id, const Group& group);
  void put_in(GroupId id, Group& group);

  Resources total_;
  std::map<GroupId, Group> groups_;
  std::map<ApplicationId, Job> jobs_;
  std::set<GroupKey> order_;  // of groups with jobs that want tasks
};

}  // namespace tracebed
