// Texts of the keys of machines, of worlds and of the log.
#pragma once

#include <array>

#include "coordinator/config/key_text.h"

namespace tracebed {

inline constexpr auto group_texts = std::to_array<KeyText>({
    {"nodes", "integer", "required",
     "how many machines; at most 200 in the local world, 100,000 in all", "4"},
    {"vcores", "number", "required", "of each machine; thousandths are possible", "6"},
    {"memory", "size", "required", "of each machine", "\"8 GiB\""},
    {"racks", "integer", "1", "machines are dealt to racks in equal blocks", "2"},
    {"labels", "list of texts", "none", "of each machine", "[\"ssd\"]"},
    {"speed", "number", "1",
     "of its CPUs, against those of the trace (0.01 to 100): tasks compute faster or slower by "
     "this factor, in every world"},
    {"extra", "table", "none", "further dimensions, at most six: `extra = { gpu = 2 }`",
     "{ gpu = 2 }"},
});

// Beside the keys of a group, or `group` in their place.
inline constexpr auto cluster_texts = std::to_array<KeyText>({
    {"heartbeat", "duration", "\"1s\"", "interval of the nodes' heartbeats"},
    {"out_of_band_heartbeat", "boolean", "false", "`true`: an ended container is reported at once"},
    {"limit_vcores", "boolean", "false",
     "`true`: containers on a machine never have more vcores together than it has, also under "
     "schedulers that count memory alone (YARN's FIFO, and its Capacity Scheduler with the default "
     "calculator)"},
    {"cpu_enforcement", "text", "\"quota\"",
     "`\"quota\"`: a container never has more CPU time than its vcores, also while cores are idle "
     "(YARN's `strict-resource-usage`, Kubernetes' limits); `\"weight\"`: its vcores are a weight "
     "while its machine's cores are short, and what is idle is anybody's (YARN's default, "
     "Kubernetes' requests). On ideal machines tasks do not slow each other"},
    {"devices", "table", "none",
     "which of the `extra` resources are devices, and how much of one is a device: containers have "
     "amounts of single devices ([devices](schedulers.md#devices)); 0: it is none, amounts are "
     "sums. Of `gpu_milli`, 1000 are a device unless this says otherwise",
     "# { gpu_milli = 1000 }"},
    {"change", "list of tables", "none", "`[[cluster.change]]`: machines leave and join"},
});

inline constexpr auto grouped_texts = std::to_array<KeyText>({
    {"group", "list of tables", "none",
     "`[[cluster.group]]`: one for each kind of machine, with the keys from `nodes` to `extra` in "
     "place of those here; each group has its own racks"},
    cluster_texts[0],
    cluster_texts[1],
    cluster_texts[2],
    cluster_texts[3],
    cluster_texts[4],
    cluster_texts[5],
});

inline constexpr auto machine_file_texts = std::to_array<KeyText>({
    {"machines", "text", "required",
     "the file, relative to the experiment, or `\"${TRACEBED_TRACES}/…\"`",
     "# \"machine_events.csv.gz\""},
    {"machines_format", "text", "detected", "the format's name, where the content does not show it",
     "# \"google_machines\""},
    {"vcores", "number", "10", "of machines for which the file has none", "# 8"},
    {"memory", "size", "\"10 GiB\"",
     "of machines for which the file has none; the default is that of YARN's simulator",
     "# \"16 GiB\""},
    {"dimensions", "list of texts", "none",
     "at most six resources that are counted in addition to vcores and memory",
     "# [\"gpu_milli\"]"},
    with_example(cluster_texts[0], "# \"1s\""),
    with_example(cluster_texts[1], "# false"),
    with_example(cluster_texts[2], "# false"),
    with_example(cluster_texts[3], "# \"quota\""),
    cluster_texts[4],
});

inline constexpr auto change_texts = std::to_array<KeyText>({
    {"node", "text", "required", "the machine", "\"node4\""},
    {"at", "duration", "required", "when", "\"2m\""},
    {"state", "text", "required", "`\"down\"` or `\"up\"`", "\"down\""},
});

inline constexpr auto virtual_texts = std::to_array<KeyText>({
    {"model", "text", "\"modelled\"", "`\"ideal\"`: no launch latency, no heartbeat delay"},
    {"launch_latency", "duration", "\"3ms\"", "the median of a log-normal distribution"},
    {"launch_spread", "number", "2.0", "the 95th percentile of launch latencies over their median"},
    {"task_overhead", "duration", "\"0s\"",
     "the median of the time by which a task without contention lasts longer than its work; "
     "log-normal, too"},
    {"task_overhead_spread", "number", "2.0", "its 95th percentile over its median"},
    {"calibration", "path", "none",
     "a file that `tracebed calibrate` wrote, which replaces latency, overhead and master_startup "
     "by what was measured on that machine, times `scale.time`",
     "# \"calibration.toml\""},
    {"swap_cost", "number", "4",
     "while the containers of a machine use more memory than it has, its tasks are slower by 1 + "
     "this × (used / capacity − 1); 0: no cost"},
    {"heartbeat_jitter", "duration", "\"0s\"",
     "the median of the time by which a heartbeat is late, at most a period; log-normal, too"},
    {"heartbeat_jitter_spread", "number", "2.0", "its 95th percentile over its median"},
    {"node_expiry", "duration", "\"10m\"", "from a machine's last heartbeat to its loss"},
    {"checkpoint_time", "duration", "\"1s\"", "time in which a task writes its progress"},
    {"master_startup", "duration", "\"0s\"",
     "with am = \"container\": from the start of a master's process to its registration; "
     "log-normal, too"},
    {"master_startup_spread", "number", "1", "its 95th percentile over its median"},
    {"parallel", "integer", "number of processors", "runs at a time, at most 256", "2"},
    {"trace_memory", "size", "\"512 MiB\"",
     "if the jobs need more, each run reads the trace again"},
});

inline constexpr auto local_texts = std::to_array<KeyText>({
    {"oversubscribe", "boolean", "false", "`true`: agents may offer more than the machine has"},
    {"isolation", "text", "\"auto\"",
     "`\"cgroup\"`: the run fails without cgroups; `\"none\"`: cgroups are not used"},
    {"agent_lost_after", "duration", "\"10s\"", "an agent that is silent for this long is lost"},
    {"time_limit_factor", "number", "0",
     "a container that runs longer than this multiple of its time is killed; 0: never"},
    {"time_limit_minimum", "duration", "\"30s\"", "but not before this"},
});

inline constexpr auto agents_texts = std::to_array<KeyText>({
    {"count", "integer", "1",
     "agents that must have registered before the first replay; those without a launcher do not "
     "count"},
    {"timeout", "duration", "\"60s\"",
     "the run fails if they have not registered by then; the error names the missing agents, with "
     "the reason"},
    {"lost_after", "duration", "\"10s\"",
     "an agent that is silent for this long is lost; its tasks are retried elsewhere"},
    {"orphan_grace", "duration", "\"60s\"",
     "how long an agent without its coordinator keeps its containers"},
    {"time_limit_factor", "number", "0", "as in `[local]`"},
    {"time_limit_minimum", "duration", "\"30s\"", "as in `[local]`"},
});

inline constexpr auto log_texts = std::to_array<KeyText>({
    {"redis", "text", "a private server",
     "local world: a running server, such as `\"unix:/run/redis.sock\"`",
     "# \"unix:/run/redis.sock\""},
    {"durability", "text", "\"every-second\"",
     "where a round is before a decision made of it leaves. `\"none\"`: on its way to Redis' "
     "memory; `\"every-second\"`: there, and on the private Redis' disk a second later; "
     "`\"always\"`: on its disk. The run's folder has every round in any case, written before "
     "Redis gets it"},
    {"keep", "boolean", "true", "virtual world: whether the log of rounds is written"},
    {"compression", "text", "\"zstd\"", "of the log in the run's folder: `\"zstd\"` or `\"none\"`"},
});

}  // namespace tracebed
