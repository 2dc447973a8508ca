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
     "interval of a master's calls (yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms)",
     "# \"1s\""},
    {"expiry", "duration", "\"10m\"",
     "a master that is silent for this long has failed "
     "(yarn.am.liveness-monitor.expiry-interval-ms)",
     "# \"10m\""},
    {"allocation_expiry", "duration", "\"10m\"",
     "a container in which nothing was launched is released after this time "
     "(yarn.resourcemanager.rm.container-allocation.expiry-interval-ms)",
     "# \"10m\""},
});

inline constexpr auto drain_texts = std::to_array<KeyText>({
    {"node", "text", "required", "the machine", "\"node3\""},
    {"at", "duration", "required", "when", "\"10m\""},
    {"grace", "duration", "required", "how long until the remaining containers are killed",
     "\"1m\""},
    {"until", "duration", "it stays out of service", "when it returns to service", "\"20m\""},
});

inline constexpr auto crash_texts = std::to_array<KeyText>({
    {"node", "text", "any, with `when`", "the machine", "\"node4\""},
    {"at", "duration", "none", "when", "\"30m\""},
    {"when", "text", "none",
     "`\"preemption\"`: as soon as a container on the machine is marked for preemption",
     "# \"preemption\""},
    {"down", "duration", "it never is", "how long until the machine is back", "\"5m\""},
});

inline constexpr auto fault_texts = std::to_array<KeyText>({
    {"ignored_checkpoints", "number", "0",
     "the fraction of attempts that ignore checkpoint requests"},
    {"exceeded_memory", "number", "0",
     "the fraction of attempts that touch twice the memory of their container"},
    {"repeated_answers", "number", "0",
     "the fraction of master attempts that send their answers twice"},
    {"late_answers", "number", "0",
     "the fraction of master attempts that answer after the deadline"},
    {"foreign_answers", "number", "0",
     "the fraction of master attempts that release containers of others"},
    {"garbage_answers", "number", "0",
     "the fraction of master attempts that send half of a message, and then invalid actions"},
    {"crashes_during_preemption", "number", "0",
     "the fraction of master attempts that crash on a preemption request"},
});

}  // namespace tracebed
