// Which of the siblings is next under the Fair Scheduler: its three policies' comparators
// (scheduler.fair.policies.FairSharePolicy, DominantResourceFairnessPolicy, FifoPolicy).
//
// fair looks at memory only: who wants nothing comes last; who is below min(minimum, demand) comes
//   first, in order of usage over that; the others in order of usage over weight.
// drf  looks at the resource of which one uses most of the cluster, its dominant one (memory in a
//   tie): who is below the minimum in it comes first, in order of usage over minimum; the others in
//   order of share over weight; each from the dominant resource down. The minimum is not capped by
//   the demand, and who wants nothing does not come last, as in the original.
// fifo looks at the priority.
//
// Ties go by start, then by name, then by id. Quotients are taken as the original takes them: in
// double, but in float for drf with three resources or more.
//
// Deviations, each on purpose, since a sort needs a consistent order:
// - [fair-nothing-over-nothing] Nothing over nothing counts as nothing, where the original's NaN
//   equals everything.
// - [fair-no-memory-wanted] fair takes who wants no memory as one who wants nothing at all.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

enum class SharePolicy : std::uint8_t { fair, drf, fifo };

// Which policies the queues below another may have.
enum class PolicyRule : std::uint8_t {
  by_parent,  // no drf below fair, nothing below fifo (SchedulingPolicy.isChildPolicyAllowed)
  by_depth,   // any below any; fifo on leaves alone (Hadoop 2: SchedulingPolicy.isApplicableTo)
};
bool may_stand_below(SharePolicy child, SharePolicy parent, PolicyRule rule);

// A queue or an application as the policies see it. Sort snapshots: an order over figures that
// change while it is made is none (YARN-10178).
struct Schedulable {
  Resources demand;  // what it uses and still wants
  Resources usage;
  Resources minimum;  // its minimum share
  float weight = 1;
  std::int32_t priority = 0;  // larger is more important
  TraceTime start{};          // of a queue 0
  std::string_view name;
  std::uint32_t id = 0;
};

// Less: `a` is offered resources before `b`. A strict total order for distinct ids.
std::strong_ordering compare(const Schedulable& a, const Schedulable& b, SharePolicy policy,
                             const Resources& cluster);

// The weight of an application with size-based weight: log2(1 + demand in MiB); 1 without.
float size_based_weight(std::int64_t demand_mib);

}  // namespace tracebed
