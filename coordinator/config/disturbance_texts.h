// Texts of the keys of disturbances, and of masters that run in containers.
#pragma once

#include <array>

#include "coordinator/config/key_text.h"

namespace tracebed {

inline constexpr auto master_container_texts = std::to_array<KeyText>({
    {"vcores", "number", "1", "of a master's container (yarn.app.mapreduce.am.resource.cpu-vcores)",
     "# 1"},
    {"memory", "size", "\"1536 MiB\"",
     "of a master's container (yarn.app.mapreduce.am.resource.mb)", "# \"1536 MiB\""},
    {"attempts", "integer", "2",
     "failures that fail the job (yarn.resourcemanager.am.max-attempts)", "# 2"},
    {"heartbeat", "duration", "\"1s\"",
     "between one call of a master and its next "
     "(yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms)",
     "# \"1s\""},
    {"expiry", "duration", "\"10m\"",
     "a master that is silent for this long has failed "
     "(yarn.am.liveness-monitor.expiry-interval-ms)",
     "# \"10m\""},
    {"allocation_expiry", "duration", "\"10m\"",
     "a container in which nothing was launched is taken back after this time "
     "(yarn.resourcemanager.rm.container-allocation.expiry-interval-ms)",
     "# \"10m\""},
});

inline constexpr auto drain_texts = std::to_array<KeyText>({
    {"node", "text", "required", "the machine", "\"node3\""},
    {"at", "duration", "required", "when", "\"10m\""},
    {"grace", "duration", "required", "how long until what still runs there is killed", "\"1m\""},
    {"until", "duration", "it stays out", "when it comes back", "\"20m\""},
});

inline constexpr auto crash_texts = std::to_array<KeyText>({
    {"node", "text", "any, with `when`", "the machine", "\"node4\""},
    {"at", "duration", "none", "when", "\"30m\""},
    {"when", "text", "none",
     "`\"preemption\"`: as soon as a container on the machine is marked for preemption",
     "# \"preemption\""},
    {"down", "duration", "it stays away", "how long until the machine is back", "\"5m\""},
});

inline constexpr auto fault_texts = std::to_array<KeyText>({
    {"ignored_checkpoints", "number", "0",
     "the part of all attempts that continue when told to checkpoint and exit"},
    {"exceeded_memory", "number", "0",
     "the part of all attempts that touch twice the memory of their container"},
    {"repeated_answers", "number", "0",
     "the part of attempts at masters that send their answers twice"},
    {"late_answers", "number", "0",
     "the part of attempts at masters that answer after the deadline"},
    {"foreign_answers", "number", "0",
     "the part of attempts at masters that give up containers of others"},
    {"garbage_answers", "number", "0",
     "the part of attempts at masters that send half a message, which nobody can read, and then "
     "actions that mean nothing"},
    {"crashes_during_preemption", "number", "0",
     "the part of attempts at masters that crash when containers are requested"},
});

}  // namespace tracebed
