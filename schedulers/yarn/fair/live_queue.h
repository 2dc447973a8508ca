// A queue of the Fair Scheduler at run time (FSQueue, FSParentQueue, FSLeafQueue).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"
#include "schedulers/parts/demand_census.h"
#include "schedulers/yarn/fair/fair_allocations.h"
#include "schedulers/yarn/fair/live_application.h"

namespace tracebed {

struct LiveQueue {
  std::string path;
  std::uint32_t id = 0;  // in the order of creation
  LiveQueue* parent = nullptr;
  std::vector<LiveQueue*> children;  // in the order of creation
  bool is_leaf = true;
  bool is_dynamic = false;  // created on demand, or no longer in the file
  // Its rules in the file, or those that follow for one that it does not mention. `parent` and
  // `children` are not maintained.
  FairQueue rules;

  // On the current cluster.
  Resources minimum;
  Resources maximum;  // at least the minimum
  std::optional<Resources> maximum_container;

  // As of the last update.
  Resources demand;      // at most the maximum
  Resources demand_sum;  // of its applications or children, without that limit
  Resources share;       // instantaneous

  Resources usage;            // proposals included; of a parent, the sum of its children's
  std::int64_t runnable = 0;  // applications here and below
  TraceTime start = never;    // of its earliest application, here or below

  // ---- of a leaf ----
  bool is_out_of_date = false;           // until the next update: its demand
  bool are_shares_out_of_date = false;   // likewise: the shares of its applications
  std::set<ApplicationId> applications;  // all, and so in the order of submission
  std::set<ApplicationId> waiting;       // those that are not runnable
  Resources master_usage;                // of running masters
  DemandCensus wanted;                   // demands of the asks that are offered nodes
  // For preemption: the application at its share at which the last look ended, and whether the leaf
  // had its minimum, or when a look last found that it had.
  ApplicationId content;
  bool is_at_minimum = true;
  TraceTime last_at_minimum{};

  // Those of its applications, or of its children, that are offered nodes; applications whose
  // master still waits for its container are kept apart, since maxAMShare may block all of them at
  // once.
  StandingOrder<LiveApplication> offered;
  StandingOrder<LiveApplication> offered_masters;
  DemandCensus wanted_masters;  // what each of those asks for next
  StandingOrder<LiveQueue> offered_children;
  // Its place among its parent's.
  bool is_offered = false;
  StandingOrder<LiveQueue>::iterator standing{};
  // Applications here and below that could reserve a node which has no room for them.
  std::int64_t reserving = 0;

  bool has_offers() const {
    return !offered.empty() || !offered_masters.empty() || !offered_children.empty();
  }
};

}  // namespace tracebed
