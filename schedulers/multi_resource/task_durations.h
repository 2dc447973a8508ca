// How long the tasks of jobs took, and so how long others are estimated to take.
#pragma once

#include <boost/container/small_vector.hpp>
#include <map>
#include <optional>
#include <unordered_map>

#include "core/time.h"
#include "schedulers/hadoop1/slots.h"

namespace tracebed {

// By job and kind.
class TaskDurations {
 public:
  void started(AskId ask, NodeId node, TraceTime when) { starts_[ask][node].push_back(when); }
  // What was proposed for the ask did not happen.
  void refused(AskId ask);
  // A container of the ask ended on the node. It is taken for the one that ran longest there, which
  // changes no sum; without a kind it does not count.
  void ended(AskId ask, NodeId node, ApplicationId job, std::optional<SlotKind> kind,
             TraceTime when);
  void forget(ApplicationId job) { of_jobs_.erase(job); }

  // In microseconds, at least 1.
  std::int64_t estimate(ApplicationId job, SlotKind kind) const;

 private:
  struct Mean {
    std::int64_t sum = 0;
    std::int64_t count = 0;
  };
  // Ascending; of an ask there are few on a node.
  using Starts = boost::container::small_vector<TraceTime, 2>;

  std::unordered_map<AskId, std::map<NodeId, Starts>> starts_;  // looked up, never iterated
  std::map<ApplicationId, PerKind<Mean>> of_jobs_;
  PerKind<Mean> of_all_;
};

}  // namespace tracebed
