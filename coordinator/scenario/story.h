// Plays a scenario on the engine, step by step. Its machines do nothing by themselves: they report
// when a step says so, and end what the engine kills at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coordinator/scenario/scenario.h"
#include "coordinator/scenario/story_facts.h"
#include "core/time.h"
#include "schedulers/registry.h"

namespace tracebed {

struct PlayedStep {
  std::string title;  // "heartbeat of n1"
  TraceTime at{};     // when it was over
  bool shows_all = false;
  StoryFacts facts;
  std::vector<std::string> unmet;  // expectations that do not hold
  // What is ignored in the scheduler's files, where it got them: a sentence each.
  std::vector<std::string> remarks = {};
};

using StepListener = std::function<void(PlayedStep)>;

// The start, then every step, each passed on as soon as it was played; of a scenario whose
// scheduler must be refused, that alone. Throws InputError, naming the place in the file, for what
// cannot happen: a scheduler that cannot be made, a container that has no room, a node that does
// not exist.
void play(const Scenario& scenario, const SchedulerRegistry& schedulers,
          const StepListener& listener);
// All of them.
std::vector<PlayedStep> play(const Scenario& scenario, const SchedulerRegistry& schedulers);

}  // namespace tracebed
