// What was asked back of applications, what became of it, and what it cost: the work of attempts
// that were cut short, of which what was kept for the next attempt is saved and the rest is lost.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/names.h"
#include "core/records.h"

namespace tracebed {

struct PreemptionCounts {
  // Containers. asked = in_time + forced + cancelled + lost once a run has ended.
  std::uint64_t asked = 0;
  std::uint64_t in_time = 0;    // given up, kept, or paid for with others
  std::uint64_t forced = 0;     // killed
  std::uint64_t cancelled = 0;  // the need had gone
  std::uint64_t lost = 0;       // with their nodes
  // Of tasks' attempts that were killed or told to keep their progress: resources times time.
  double lost_vcore_seconds = 0;
  double lost_gib_seconds = 0;
  double saved_vcore_seconds = 0;
  double saved_gib_seconds = 0;

  bool operator==(const PreemptionCounts&) const = default;
};

struct QueuePreemption {
  std::string queue;
  PreemptionCounts counts;

  bool operator==(const QueuePreemption&) const = default;
};

struct PreemptionFigures {
  PreemptionCounts all;
  std::vector<QueuePreemption> queues;  // those of whose applications anything was asked, by name

  bool operator==(const PreemptionFigures&) const = default;
};

class PreemptionCounter {
 public:
  void add(const PreemptionRecord& record);
  // An attempt that did not succeed.
  void add(const AttemptRecord& record);

  bool empty() const { return counts_.empty(); }
  PreemptionFigures figures(const Names& names) const;

 private:
  std::map<QueueId, PreemptionCounts> counts_;
};

}  // namespace tracebed
