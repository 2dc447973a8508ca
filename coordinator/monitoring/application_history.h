// Which applications of a run have ended, and what those that are open have used so far.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "coordinator/monitoring/run_snapshot.h"
#include "core/names.h"
#include "core/records.h"

namespace tracebed {

// A sink of the run's records. Takes memory for the open applications and for as many of the ended
// ones as YARN's ResourceManager keeps (yarn.resourcemanager.max-completed-applications).
class ApplicationHistory final : public RecordSink {
 public:
  static constexpr std::size_t ended_max = 1'000;

  // `names` outlives this.
  explicit ApplicationHistory(const Names& names) : names_(names) {}

  void leaf_named(LeafId leaf, const std::string& path) override;
  void attempt_ended(const AttemptRecord& record) override;
  void job_ended(const JobRecord& record) override;
  void preemption_ended(const PreemptionRecord& /*record*/) override {}
  void sampled(const ClusterSample& /*sample*/) override {}

  // The latest first.
  const std::deque<ApplicationSnapshot>& ended() const { return ended_; }
  // Of those that have ended; `submitted` is left at 0.
  const ApplicationCounts& counts() const { return counts_; }
  // What containers that have ended took.
  ApplicationUse use_of(ApplicationId open) const;

 private:
  const Names& names_;
  std::vector<std::string> leaves_;  // by id
  std::unordered_map<ApplicationId, ApplicationUse> open_;
  std::vector<bool> has_ended_;  // by application; containers of some end after it
  std::deque<ApplicationSnapshot> ended_;
  ApplicationCounts counts_;
};

// Adds what a container of that size took in that time.
void add_use(ApplicationUse& use, const Resources& container, Duration held);

}  // namespace tracebed
