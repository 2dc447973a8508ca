// Preemption requests by application, their outcome, and their cost: the work of attempts that were
// cut short, of which what was kept for the next attempt is saved and the rest is lost.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/records.h"
#include "report/queue_names.h"

namespace tracebed {

struct PreemptionCounts {
  // Containers. asked = in_time + forced + cancelled + lost once a run has ended.
  std::uint64_t asked = 0;
  std::uint64_t in_time = 0;       // given up, checkpointed, or substituted
  std::uint64_t checkpointed = 0;  // of those in time: their tasks kept their progress
  std::uint64_t substituted = 0;   // of those in time: others ended in their stead
  std::uint64_t forced = 0;        // killed
  std::uint64_t cancelled = 0;     // no longer needed
  std::uint64_t lost = 0;          // their nodes were lost, or their applications ended
  // Of tasks' attempts that were killed or asked to keep their progress: resources times time, as
  // YARN counts an application's use (vcore-seconds, MiB-seconds).
  double lost_vcore_seconds = 0;
  double lost_mib_seconds = 0;
  double saved_vcore_seconds = 0;
  double saved_mib_seconds = 0;

  bool operator==(const PreemptionCounts&) const = default;
};

struct QueuePreemption {
  std::string queue;  // as QueueNames has it
  PreemptionCounts counts;

  bool operator==(const QueuePreemption&) const = default;
};

struct PreemptionFigures {
  PreemptionCounts all;
  std::vector<QueuePreemption> queues;  // those with preemption requests, by name

  bool operator==(const PreemptionFigures&) const = default;
};

// An application with preemption requests.
struct PreemptedApplication {
  JobId job;
  ApplicationId application;
  QueueId queue;
  LeafId leaf;
  PreemptionCounts counts;
};

// Holds a record for each application with an attempt that was cut short.
class PreemptionCounter {
 public:
  void add(const PreemptionRecord& record);
  // An attempt that did not succeed.
  void add(const AttemptRecord& record);

  PreemptionFigures figures(const QueueNames& names) const;
  std::vector<PreemptedApplication> applications() const;  // by id

 private:
  template <class Record>
  PreemptedApplication& application_of(const Record& record);

  // Those among them without requests ended attempts for other reasons.
  std::map<ApplicationId, PreemptedApplication> applications_;
};

}  // namespace tracebed
