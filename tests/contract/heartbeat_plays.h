// A story played twice: with those heartbeats alone that a scheduler says matter, and with all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "contract/random_story.h"
#include "core/scheduler.h"

namespace tracebed {

// TRACEBED_STORIES sets the number of stories (default 20).
std::uint64_t last_seed();

using MakeScheduler = std::function<std::unique_ptr<Scheduler>(const Story&)>;
using TellStory = Story (*)(std::uint64_t seed);

struct TwoPlays {
  StoryResult some;
  StoryResult all;
  bool agree() const { return some.digest == all.digest; }
};

TwoPlays play_twice(Story story, const MakeScheduler& make);

}  // namespace tracebed
