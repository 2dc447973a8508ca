// Groups of jobs in the order of their shares, and the jobs of each likewise or in the order of
// their submission: who is first has the least. Only jobs that want tasks are in the order; what
// all of them use counts. A change costs a logarithm of their numbers.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"
#include "schedulers/multi_resource/dominant_share.h"

namespace tracebed {

// Of what somebody uses: the largest part of any resource, or the parts of all resources together
// (aggregate share: A. Ghodsi et al., NSDI 2011, section 5).
enum class ShareMeasure : std::uint8_t { dominant, aggregate };
enum class JobOrder : std::uint8_t { by_share, by_submission };

class ShareOrder {
 public:
  using GroupId = std::uint32_t;
  // Jobs of equal shares are in the order of their submission.
  struct JobKey {
    DominantShare share;  // of jobs in the order of their submission, that of nothing
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

  explicit ShareOrder(ShareMeasure measure = ShareMeasure::dominant,
                      JobOrder job_order = JobOrder::by_share)
      : measure_(measure), job_order_(job_order) {}

  // Of everything. Computes all shares again if it has changed.
  void set_total(const Resources& total);
  // Of a group that has jobs.
  void set_weight(GroupId id, std::int64_t weight);

  // A group that has jobs keeps its weight.
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
  DominantShare share_of(const Resources& used, std::int64_t weight) const;
  JobKey key_of(ApplicationId id, const Job& job) const;
  void take_out(GroupId id, const Group& group);
  void put_in(GroupId id, Group& group);

  ShareMeasure measure_;
  JobOrder job_order_;
  Resources total_;
  std::map<GroupId, Group> groups_;
  std::map<ApplicationId, Job> jobs_;
  std::set<GroupKey> order_;  // of groups with jobs that want tasks
};

}  // namespace tracebed
