#include "coordinator/config/world_tables.h"

#include <array>
#include <string_view>

#include "coordinator/config/machine_texts.h"
#include "coordinator/config/workload_texts.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 2> machine_models{"modelled", "ideal"};
constexpr std::array virtual_keys{
    TomlKey<VirtualChoice>{"model",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.ideal = value.choice(machine_models) == 1;
                           }},
    TomlKey<VirtualChoice>{"launch_latency",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.launch_latency = value.duration({}, seconds(3600));
                           }},
    TomlKey<VirtualChoice>{"launch_spread",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.launch_spread = value.number(1, 1000);
                           }},
    TomlKey<VirtualChoice>{"task_overhead",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.task_overhead = value.duration({}, seconds(3600));
                           }},
    TomlKey<VirtualChoice>{"task_overhead_spread",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.task_overhead_spread = value.number(1, 1000);
                           }},
    TomlKey<VirtualChoice>{"calibration",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.calibration = {"calibration", value.text(), value.where()};
                           }},
    TomlKey<VirtualChoice>{"swap_cost",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.swap_cost = value.number(0, 1000);
                           }},
    TomlKey<VirtualChoice>{"heartbeat_jitter",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.heartbeat_jitter = value.duration({}, seconds(3600));
                           }},
    TomlKey<VirtualChoice>{"heartbeat_jitter_spread",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.heartbeat_jitter_spread = value.number(1, 1000);
                           }},
    TomlKey<VirtualChoice>{"node_expiry",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.node_expiry = value.duration({}, seconds(86'400));
                           }},
    TomlKey<VirtualChoice>{"checkpoint_time",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.checkpoint_time = value.duration({}, seconds(86'400));
                           }},
    TomlKey<VirtualChoice>{"master_startup",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.master_startup = value.duration({}, seconds(86'400));
                           }},
    TomlKey<VirtualChoice>{"master_startup_spread",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.master_startup_spread = value.number(1, 1000);
                           }},
    TomlKey<VirtualChoice>{"parallel",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.parallel = static_cast<std::uint32_t>(value.integer(1, 256));
                           }},
    TomlKey<VirtualChoice>{"trace_memory",
                           [](const TomlValue& value, VirtualChoice& simulated) {
                             simulated.trace_memory_bytes = value.bytes(0, std::int64_t{1} << 40);
                           }},
};
static_assert(describe_all(virtual_keys, virtual_texts));

constexpr std::array<std::string_view, 3> isolations{"auto", "cgroup", "none"};
constexpr std::array local_keys{
    TomlKey<LocalChoice>{
        "oversubscribe",
        [](const TomlValue& value, LocalChoice& local) { local.oversubscribe = value.boolean(); }},
    TomlKey<LocalChoice>{"isolation",
                         [](const TomlValue& value, LocalChoice& local) {
                           local.isolation = isolations[value.choice(isolations)];
                         }},
    TomlKey<LocalChoice>{"time_limit_factor",
                         [](const TomlValue& value, LocalChoice& local) {
                           local.time_limit_factor = value.number(0, 1000);
                         }},
    TomlKey<LocalChoice>{"time_limit_minimum",
                         [](const TomlValue& value, LocalChoice& local) {
                           local.time_limit_minimum = value.duration({}, seconds(86'400));
                         }},
    TomlKey<LocalChoice>{"agent_lost_after",
                         [](const TomlValue& value, LocalChoice& local) {
                           local.agent_lost_after = value.duration(seconds(1), seconds(3600));
                         }},
};
static_assert(describe_all(local_keys, local_texts));

constexpr std::array agents_keys{
    TomlKey<AgentsChoice>{"count",
                          [](const TomlValue& value, AgentsChoice& agents) {
                            agents.count_min = static_cast<std::size_t>(value.integer(1, 100'000));
                          }},
    TomlKey<AgentsChoice>{"timeout",
                          [](const TomlValue& value, AgentsChoice& agents) {
                            agents.timeout = value.duration({}, seconds(86'400));
                          },
                          Presence::optional, "patience"},
    TomlKey<AgentsChoice>{"lost_after",
                          [](const TomlValue& value, AgentsChoice& agents) {
                            agents.lost_after = value.duration(seconds(1), seconds(3600));
                          }},
    TomlKey<AgentsChoice>{"orphan_grace",
                          [](const TomlValue& value, AgentsChoice& agents) {
                            agents.orphan_grace = value.duration({}, seconds(86'400));
                          }},
    TomlKey<AgentsChoice>{"time_limit_factor",
                          [](const TomlValue& value, AgentsChoice& agents) {
                            agents.time_limit_factor = value.number(0, 1000);
                          }},
    TomlKey<AgentsChoice>{"time_limit_minimum",
                          [](const TomlValue& value, AgentsChoice& agents) {
                            agents.time_limit_minimum = value.duration({}, seconds(86'400));
                          }},
};
static_assert(describe_all(agents_keys, agents_texts));

constexpr std::array<std::string_view, 3> durabilities{"none", "every-second", "always"};
constexpr std::array<std::string_view, 2> compressions{"none", "zstd"};
constexpr std::array log_keys{
    TomlKey<LogChoice>{"redis",
                       [](const TomlValue& value, LogChoice& log) { log.redis = value.text(); }},
    TomlKey<LogChoice>{"durability",
                       [](const TomlValue& value, LogChoice& log) {
                         log.durability =
                             static_cast<LogChoice::Durability>(value.choice(durabilities));
                       }},
    TomlKey<LogChoice>{"keep",
                       [](const TomlValue& value, LogChoice& log) { log.keep = value.boolean(); }},
    TomlKey<LogChoice>{"compression",
                       [](const TomlValue& value, LogChoice& log) {
                         log.compression =
                             static_cast<LogChoice::Compression>(value.choice(compressions));
                       }},
};
static_assert(describe_all(log_keys, log_texts));

constexpr std::array<std::string_view, 3> replay_modes{"trace", "at_once", "think_time"};
constexpr std::array replay_keys{
    TomlKey<ReplayChoice>{"mode",
                          [](const TomlValue& value, ReplayChoice& replay) {
                            replay.mode =
                                static_cast<ReplayChoice::Mode>(value.choice(replay_modes));
                          }},
    TomlKey<ReplayChoice>{"speed",
                          [](const TomlValue& value, ReplayChoice& replay) {
                            replay.speed = value.number(1e-6, 1e9);
                          }},
    TomlKey<ReplayChoice>{"think_time",
                          [](const TomlValue& value, ReplayChoice& replay) {
                            if (value.is_text() && value.text() == "trace") return;
                            replay.think_time = value.duration({}, seconds(100'000'000));
                          },
                          Presence::optional, "think"},
};
static_assert(describe_all(replay_keys, replay_texts));

}  // namespace

void read_virtual(const TomlValue& value, VirtualChoice& simulated) {
  read_table<VirtualChoice>(value.table(), value.key(), virtual_keys, simulated);
}

void read_local(const TomlValue& value, LocalChoice& local) {
  read_table<LocalChoice>(value.table(), value.key(), local_keys, local);
}

void read_agents(const TomlValue& value, AgentsChoice& agents) {
  read_table<AgentsChoice>(value.table(), value.key(), agents_keys, agents);
}

void read_replay(const TomlValue& value, ReplayChoice& replay) {
  read_table<ReplayChoice>(value.table(), value.key(), replay_keys, replay);
  if (value.table().contains("speed") && replay.mode != ReplayChoice::Mode::trace) {
    value.fail("speed: expected only where mode is \"trace\"");
  }
  if (value.table().contains("think_time") && replay.mode != ReplayChoice::Mode::think_time) {
    value.fail("think_time: expected only where mode is \"think_time\"");
  }
}

void read_log(const TomlValue& value, LogChoice& log) {
  read_table<LogChoice>(value.table(), value.key(), log_keys, log);
}

}  // namespace tracebed
