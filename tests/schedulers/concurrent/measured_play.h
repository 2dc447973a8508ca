// Concurrent schedulers whose decisions are made elsewhere, on a cluster that changes at random.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/decision_threads.h"
#include "core/scheduler_events.h"

namespace tracebed::test {

struct MeasuredPlay {
  std::string scheduler;
  std::string policy;
  std::uint64_t seed = 1;
};

struct MeasuredOutcome {
  std::string placements;  // step by step
  std::uint64_t committed = 0;
  std::uint64_t in_conflict = 0;
};

// Which decisions arrive at a step. Asked until all that began have.
using DecisionArrivals = std::function<std::vector<DecisionMade>(std::size_t step)>;

// Jobs with input and labels come and change, containers end, machines leave, return and report;
// all of it follows from the seed and from what was placed.
MeasuredOutcome play(const MeasuredPlay& given, DecisionThreads& threads,
                     const DecisionArrivals& arrivals);

// The policies that concurrent schedulers take, and the names of these.
const std::vector<std::string>& concurrent_policies();
const std::vector<std::string>& concurrent_schedulers();

}  // namespace tracebed::test
