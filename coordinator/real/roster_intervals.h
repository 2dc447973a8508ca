// How a coordinator keeps in touch with long-running daemons between runs: nothing is at stake
// then, so that heartbeats only tell who is there.
#pragma once

#include <chrono>
#include <cstdint>

#include "coordinator/real/replay_clock.h"

namespace tracebed {

inline constexpr std::uint64_t roster_epoch = 1;
inline constexpr WallDuration roster_heartbeat_period = std::chrono::seconds(2);
inline constexpr WallDuration roster_silence_max = std::chrono::seconds(10);
// After a run, for those that were silent in it: until they have to be back.
inline constexpr WallDuration roster_return_time = std::chrono::seconds(4);
// Of those that a run does not answer, which say Hello every eight seconds.
inline constexpr WallDuration bystander_silence_max = std::chrono::seconds(20);

}  // namespace tracebed
