#include "coordinator/config/storage_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

#include "coordinator/config/machine_names.h"
#include "coordinator/config/settings_table.h"
#include "coordinator/config/storage_texts.h"
#include "core/input_error.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

constexpr std::int64_t size_max = std::int64_t{1} << 60;
constexpr std::int64_t block_size_max = std::int64_t{1} << 40;
constexpr std::int64_t replication_max = 512;

// "100 MiB/s" in bytes per second; none for "unlimited".
std::optional<std::int64_t> rate(const TomlValue& value) {
  constexpr std::string_view form = "a rate like \"100 MiB/s\" or \"unlimited\"";
  constexpr std::string_view per_second = "/s";
  if (!value.is_text()) value.fail_expected(form);
  const std::string text = value.text();
  if (text == "unlimited") return std::nullopt;
  if (!text.ends_with(per_second)) value.fail_expected(form);
  const auto parsed = parse_size(std::string_view(text).substr(0, text.size() - per_second.size()));
  if (!parsed) {
    value.fail(fmt::format("expected {}, got \"{}\": {}", form, text, parsed.error().message));
  }
  if (*parsed < 1 || *parsed > DatanodeOptions::rate_max) {
    value.fail_expected("a rate from 1 B/s to 1 TB/s");
  }
  return *parsed;
}

std::uint16_t port(const TomlValue& value) {
  return static_cast<std::uint16_t>(value.integer(0, std::numeric_limits<std::uint16_t>::max()));
}

// A node of Hadoop's NetworkTopology two levels deep: "/rack", as every rack here.
void check_rack(const TomlValue& value, const std::string& rack) {
  const bool is_path = rack.size() > 1 && rack.front() == '/' && rack.back() != '/';
  if (!is_path) value.fail_expected("a rack like \"/rack1\"");
}

void read_topology(const TomlValue& value, StorageChoice& storage) {
  storage.topology.racks_where = value.where();
  for (const auto& [key, node] : value.table()) {
    const TomlValue rack(node, join_key(value.key(), key.str()));
    const std::string text = rack.text();
    check_rack(rack, text);
    storage.topology.racks.emplace(key.str(), text);
  }
}

constexpr std::array<std::string_view, 2> stores{"generated", "disk"};
constexpr std::array storage_keys{
    TomlKey<StorageChoice>{"replication",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.replication =
                                 static_cast<std::uint32_t>(value.integer(1, replication_max));
                           }},
    TomlKey<StorageChoice>{"block_size",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.block_size = value.bytes(1, block_size_max);
                           }},
    TomlKey<StorageChoice>{"output_replication",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.replication_of_outputs =
                                 static_cast<std::uint32_t>(value.integer(0, replication_max));
                           }},
    TomlKey<StorageChoice>{"shuffle",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.is_shuffling = value.boolean();
                           }},
    TomlKey<StorageChoice>{"shuffle_parallel_copies",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.shuffle.parallel_copies = static_cast<std::uint32_t>(
                                 value.integer(1, ShuffleOptions::parallel_copies_max));
                           }},
    TomlKey<StorageChoice>{"spills",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.is_spilling = value.boolean();
                             storage.spills_where = value.where();
                           }},
    TomlKey<StorageChoice>{"sort_memory",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.sort_memory = value.bytes(1, block_size_max);
                             storage.sort_memory_where = value.where();
                           }},
    TomlKey<StorageChoice>{"transfer_weights",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.transfer_weights = value.text();
                             storage.transfer_weights_where = value.where();
                           }},
    TomlKey<StorageChoice>{"placement",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.placement = value.text();
                             storage.placement_where = value.where();
                           }},
    TomlKey<StorageChoice>{"writer",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.writer = value.text();
                             storage.writer_where = value.where();
                           }},
    TomlKey<StorageChoice>{"store",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.datanodes.store =
                                 static_cast<ReplicaStoreKind>(value.choice(stores));
                           }},
    TomlKey<StorageChoice>{"capacity",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.datanodes.capacity = value.bytes(1, size_max);
                           }},
    TomlKey<StorageChoice>{"disk_rate",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.datanodes.disk_rate = rate(value);
                           }},
    TomlKey<StorageChoice>{"network_rate",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.datanodes.network_rate = rate(value);
                           }},
    TomlKey<StorageChoice>{"rack_rate",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.datanodes.rack_rate = rate(value);
                           }},
    TomlKey<StorageChoice>{"seek",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.datanodes.seek = value.duration({}, seconds(3600));
                           }},
    TomlKey<StorageChoice>{"block_report_interval",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.datanodes.block_report_interval =
                                 value.duration(seconds(1), seconds(100'000'000));
                           }},
    TomlKey<StorageChoice>{"socket_timeout",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.datanodes.socket_timeout =
                                 std::chrono::duration_cast<std::chrono::milliseconds>(
                                     value.duration(milliseconds(1), datanode_socket_timeout_max));
                           }},
    TomlKey<StorageChoice>{
        "rpc_port",
        [](const TomlValue& value, StorageChoice& storage) { storage.rpc_port = port(value); }},
    TomlKey<StorageChoice>{
        "http_port",
        [](const TomlValue& value, StorageChoice& storage) { storage.http_port = port(value); }},
    TomlKey<StorageChoice>{
        "thrift_port",
        [](const TomlValue& value, StorageChoice& storage) { storage.thrift_port = port(value); }},
    TomlKey<StorageChoice>{"topology_script",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.topology.script = value.text();
                             storage.topology.script_where = value.where();
                           }},
    TomlKey<StorageChoice>{"topology_script_args",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.topology.script_args =
                                 static_cast<std::size_t>(value.integer(1, 100));
                           }},
    TomlKey<StorageChoice>{"topology_script_timeout",
                           [](const TomlValue& value, StorageChoice& storage) {
                             storage.topology.script_timeout =
                                 value.duration(milliseconds(1), seconds(3600));
                           }},
    TomlKey<StorageChoice>{"topology", read_topology},
    TomlKey<StorageChoice>{"namenode",
                           [](const TomlValue& value, StorageChoice& storage) {
                             read_settings(value, "", storage.namenode);
                           }},
};
static_assert(describe_all(storage_keys, storage_texts));

void check_ports(const TomlValue& value, const StorageChoice& storage) {
  const std::array ports{storage.rpc_port, storage.http_port, storage.thrift_port};
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i] == 0 || std::count(ports.begin(), ports.end(), ports[i]) == 1) continue;
    value.fail(fmt::format("expected different ports, got {} twice", ports[i]));
  }
}

[[noreturn]] void fail(const std::string& where, std::string_view message) {
  throw InputError(fmt::format("{}: {}", where, message));
}

}  // namespace

void read_storage(const TomlValue& value, StorageChoice& storage) {
  storage.where = value.where();
  read_table<StorageChoice>(value.table(), value.key(), storage_keys, storage);
  check_ports(value, storage);
  if (storage.topology.script.empty()) {
    for (const char* key : {"topology_script_args", "topology_script_timeout"}) {
      if (!value.table().contains(key)) continue;
      value.fail(fmt::format("{}: expected only beside topology_script", key));
    }
  } else if (!storage.topology.racks_where.empty()) {
    value.fail("expected one of topology and topology_script");
  }
}

void place_topology_script(TopologyChoice& topology, const TraceFolders& folders) {
  if (topology.script.empty()) return;
  if (folders.confined) {
    throw InputError(topology.script_where +
                     ": a coordinator runs no program that an experiment names; expected "
                     "[storage.topology]");
  }
  topology.script = (folders.folder / topology.script).string();
}

void complete_without_trace(const toml::table& root, Experiment& experiment) {
  if (!experiment.storage.is_on()) fail_missing_key(root, "", "trace");
  for (const char* key : {"replay", "vary", "compare"}) {
    if (!root.contains(key)) continue;
    TomlValue(*root.get(key), key).fail("expected only beside [trace]");
  }
  if (experiment.world == World::simulated) {
    TomlValue(*root.get("storage"), "storage")
        .fail("without [trace] nothing happens in the virtual world");
  }
  if (experiment.schedulers.empty()) experiment.schedulers.push_back({"fifo", "fifo", {}, {}, {}});
  const bool is_one_run = experiment.schedulers.size() == 1 && experiment.repetitions == 1;
  if (is_one_run) return;
  TomlValue(*root.get("storage"), "storage")
      .fail(
          "without [trace] the cluster stays open until it is cancelled: expected one scheduler "
          "and one repetition");
}

void check_storage(const Experiment& experiment) {
  const TopologyChoice& topology = experiment.storage.topology;
  const std::string& given = topology.script.empty() ? topology.racks_where : topology.script_where;
  if (!given.empty() && experiment.world == World::cluster) {
    fail(given, "the racks of a cluster's machines are those of its agents (agent.toml)");
  }
  if (topology.racks.empty()) return;
  const MachineNames machines(experiment.cluster.machines);
  for (const auto& [name, rack] : topology.racks) {
    if (machines.may_have(name)) continue;
    fail(topology.racks_where,
         fmt::format("expected names of the {} machines of the cluster, got \"{}\"",
                     machines.size(), name));
  }
}

}  // namespace tracebed
