#include "coordinator/config/cluster_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "coordinator/config/machine_texts.h"

namespace tracebed {

std::int64_t milli_vcores(const TomlValue& value) {
  const double vcores = value.number(0.001, 10'000);
  const double milli = std::round(vcores * 1000);
  if (std::abs(vcores * 1000 - milli) > 1e-6) {
    value.fail_expected("vcores with at most three digits after the point");
  }
  return static_cast<std::int64_t>(milli);
}

DeviceSizes device_sizes(const std::optional<TomlValue>& given,
                         const ResourceDimensions& dimensions) {
  DeviceSizes sizes;
  constexpr std::string_view gpu_shares = "gpu_milli";  // as readers of GPU traces name it
  const std::size_t default_dimension = dimensions.find(gpu_shares);
  if (default_dimension < dimensions.size()) sizes.set(default_dimension, 1'000);
  if (!given) return sizes;
  for (const auto& [key, node] : given->table()) {
    const TomlValue size(node, join_key(given->key(), key.str()));
    const std::size_t dimension = dimensions.find(key.str());
    if (dimension >= dimensions.size() || dimension <= Resources::memory_dimension) {
      size.fail(
          "expected the name of a further resource that machines have, not of vcores or memory");
    }
    sizes.set(dimension, size.integer(0, DeviceSizes::size_max));
  }
  return sizes;
}

namespace {

constexpr std::int64_t nodes_max = 100'000;

// Equal machines. The keys of a group also stand in [cluster] itself, where there is only one.
struct Group {
  std::int64_t nodes = 0;
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
  std::int64_t racks = 1;
  std::vector<std::string> labels;
  std::uint32_t speed = 1'000;  // thousandths
  std::map<std::string, std::int64_t, std::less<>> extra;
};

void read_extra(const TomlValue& value, Group& group) {
  for (const auto& [key, node] : value.table()) {
    const TomlValue amount(node, join_key(value.key(), key.str()));
    if (key.str() == "vcores" || key.str() == "memory") {
      amount.fail("this dimension is not an extra one; set it in the group itself");
    }
    group.extra.emplace(key.str(), amount.integer(1, 1'000'000'000'000));
  }
}

constexpr std::array group_keys{
    TomlKey<Group>{
        "nodes",
        [](const TomlValue& value, Group& group) { group.nodes = value.integer(1, nodes_max); },
        Presence::required},
    TomlKey<Group>{
        "vcores",
        [](const TomlValue& value, Group& group) { group.milli_vcores = milli_vcores(value); },
        Presence::required},
    TomlKey<Group>{"memory",
                   [](const TomlValue& value, Group& group) {
                     group.memory_mib = value.mebibytes(1, std::int64_t{1} << 30);
                   },
                   Presence::required},
    TomlKey<Group>{"racks", [](const TomlValue& value,
                               Group& group) { group.racks = value.integer(1, group.nodes); }},
    TomlKey<Group>{"labels",
                   [](const TomlValue& value, Group& group) { group.labels = value.text_list(); }},
    TomlKey<Group>{"speed",
                   [](const TomlValue& value, Group& group) {
                     group.speed =
                         static_cast<std::uint32_t>(value.number(0.01, 100) * 1'000 + 0.5);
                   }},
    TomlKey<Group>{"extra", read_extra},
};
static_assert(describe_all(group_keys, group_texts));

CpuEnforcement enforcement_of(const TomlValue& value) {
  return static_cast<CpuEnforcement>(value.choice(cpu_enforcement_names));
}

struct ClusterTable {
  ClusterChoice cluster;
  Group own;
  std::vector<Group> groups;
  std::optional<TomlValue> devices;
  std::optional<TomlValue> changes;
};

void read_groups(const TomlValue& value, ClusterTable& table) {
  for (const TomlValue& element : value.elements()) {
    Group group;
    read_table<Group>(element.table(), element.key(), group_keys, group);
    table.groups.push_back(std::move(group));
  }
  if (table.groups.empty()) value.fail_expected("at least one group");
}

constexpr std::array common_keys{
    TomlKey<ClusterTable>{"heartbeat",
                          [](const TomlValue& value, ClusterTable& table) {
                            table.cluster.heartbeat =
                                value.duration(milliseconds(1), seconds(3600));
                          }},
    TomlKey<ClusterTable>{"out_of_band_heartbeat",
                          [](const TomlValue& value, ClusterTable& table) {
                            table.cluster.out_of_band_heartbeat = value.boolean();
                          }},
    TomlKey<ClusterTable>{"limit_vcores",
                          [](const TomlValue& value, ClusterTable& table) {
                            table.cluster.limit_vcores = value.boolean();
                          }},
    TomlKey<ClusterTable>{"cpu_enforcement",
                          [](const TomlValue& value, ClusterTable& table) {
                            table.cluster.cpu_enforcement = enforcement_of(value);
                          }},
    TomlKey<ClusterTable>{
        "devices", [](const TomlValue& value, ClusterTable& table) { table.devices = value; }},
    TomlKey<ClusterTable>{
        "change", [](const TomlValue& value, ClusterTable& table) { table.changes = value; }},
};
static_assert(describe_all(common_keys, cluster_texts));

// The keys of a [cluster] without groups: those of its only group, and the common ones.
template <std::size_t Index>
void read_own(const TomlValue& value, ClusterTable& table) {
  std::get<Index>(group_keys).read(value, table.own);
}

template <std::size_t... Index>
constexpr auto own_keys_of(std::index_sequence<Index...>) {
  return std::array{
      TomlKey<ClusterTable>{group_keys[Index].name, read_own<Index>, group_keys[Index].presence}...,
      common_keys[0],
      common_keys[1],
      common_keys[2],
      common_keys[3],
      common_keys[4],
      common_keys[5]};
}
constexpr auto own_keys = own_keys_of(std::make_index_sequence<group_keys.size()>());
constexpr std::array grouped_keys{TomlKey<ClusterTable>{"group", read_groups},
                                  common_keys[0],
                                  common_keys[1],
                                  common_keys[2],
                                  common_keys[3],
                                  common_keys[4],
                                  common_keys[5]};
static_assert(describe_all(grouped_keys, grouped_texts));

// ---- machines from a file ----

struct FileTable {
  ClusterChoice cluster;
  const TraceFolders* folders = nullptr;
  std::optional<TomlValue> devices;
};

void read_machine_file(const TomlValue& value, FileTable& table) {
  MachineFileChoice& choice = table.cluster.machine_file;
  choice.where = value.where();
  choice.file = path_of_trace(value, *table.folders);
  if (!std::filesystem::exists(choice.file)) {
    value.fail(fmt::format("no such machine file: {}", choice.file.string()));
  }
}

void read_dimensions(const TomlValue& value, FileTable& table) {
  table.cluster.extra_dimensions = value.text_list();
  const auto& names = table.cluster.extra_dimensions;
  constexpr std::size_t extra_max = Resources::dimensions_max - 2;
  if (names.size() > extra_max) value.fail_expected("at most 6 names");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_again = std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i),
                                    names[i]) != names.begin() + static_cast<std::ptrdiff_t>(i);
    if (is_again || names[i] == "vcores" || names[i] == "memory") {
      value.fail_expected("different names, and none that is vcores or memory");
    }
  }
}

constexpr std::array file_keys{
    TomlKey<FileTable>{"machines", read_machine_file, Presence::required},
    TomlKey<FileTable>{"machines_format",
                       [](const TomlValue& value, FileTable& table) {
                         table.cluster.machine_file.format = value.text();
                       }},
    TomlKey<FileTable>{"vcores",
                       [](const TomlValue& value, FileTable& table) {
                         table.cluster.machine_file.milli_vcores = milli_vcores(value);
                       }},
    TomlKey<FileTable>{"memory",
                       [](const TomlValue& value, FileTable& table) {
                         table.cluster.machine_file.memory_mib =
                             value.mebibytes(1, std::int64_t{1} << 30);
                       }},
    TomlKey<FileTable>{"dimensions", read_dimensions},
    TomlKey<FileTable>{"heartbeat",
                       [](const TomlValue& value, FileTable& table) {
                         table.cluster.heartbeat = value.duration(milliseconds(1), seconds(3600));
                       }},
    TomlKey<FileTable>{"out_of_band_heartbeat",
                       [](const TomlValue& value, FileTable& table) {
                         table.cluster.out_of_band_heartbeat = value.boolean();
                       }},
    TomlKey<FileTable>{"limit_vcores",
                       [](const TomlValue& value, FileTable& table) {
                         table.cluster.limit_vcores = value.boolean();
                       }},
    TomlKey<FileTable>{"cpu_enforcement",
                       [](const TomlValue& value, FileTable& table) {
                         table.cluster.cpu_enforcement = enforcement_of(value);
                       }},
    TomlKey<FileTable>{"devices",
                       [](const TomlValue& value, FileTable& table) { table.devices = value; }},
};
static_assert(describe_all(file_keys, machine_file_texts));

std::vector<std::string> extra_dimensions(const TomlValue& value,
                                          const std::vector<Group>& groups) {
  std::vector<std::string> names;
  for (const Group& group : groups) {
    for (const auto& [name, amount] : group.extra) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      constexpr std::size_t extra_max = Resources::dimensions_max - 2;
      if (names.size() == extra_max) {
        value.fail(fmt::format("expected at most {} extra dimensions, got more", extra_max));
      }
      names.push_back(name);
    }
  }
  return names;
}

// `devices` is read once the dimensions are known.
void read_devices(const std::optional<TomlValue>& devices, ClusterChoice& cluster) {
  cluster.devices = device_sizes(devices, ResourceDimensions(cluster.extra_dimensions));
}

// Machines that a file has are checked when it is read.
void check_devices(const TomlValue& value, const ClusterChoice& cluster) {
  for (const Machine& machine : cluster.machines) {
    const Status status =
        check_devices(cluster.devices, machine, ResourceDimensions(cluster.extra_dimensions));
    if (!status) value.fail(status.error().message);
  }
}

// Before any of the machines is made: each has a copy of its group's labels.
void check_amounts(const TomlValue& value, const std::vector<Group>& groups) {
  constexpr std::int64_t labels_max = 1'000'000;
  std::int64_t nodes = 0;
  std::int64_t labels = 0;
  for (const Group& group : groups) {
    nodes += group.nodes;
    labels += group.nodes * std::ssize(group.labels);
  }
  if (nodes > nodes_max) {
    value.fail(
        fmt::format("expected at most {} nodes in all groups together, got {}", nodes_max, nodes));
  }
  if (labels > labels_max) {
    value.fail(fmt::format("expected at most {} labels of all nodes together, got {}", labels_max,
                           labels));
  }
}

void add_machines(const Group& group, bool is_only_rack, std::int64_t first_rack,
                  ClusterChoice& cluster) {
  const ResourceDimensions dimensions(cluster.extra_dimensions);
  Machine machine;
  machine.capacity = Resources(group.milli_vcores, group.memory_mib);
  machine.labels = group.labels;
  machine.speed = group.speed;
  for (const auto& [name, amount] : group.extra) machine.capacity[dimensions.find(name)] = amount;
  for (std::int64_t i = 0; i < group.nodes; ++i) {
    machine.name = fmt::format("node{}", cluster.machines.size() + 1);
    if (!is_only_rack) {
      machine.rack = fmt::format("/rack{}", first_rack + i * group.racks / group.nodes + 1);
    }
    cluster.machines.push_back(machine);
  }
}

// ---- [[cluster.change]] ----

struct Change {
  std::string node;
  MachineChange change;
};

constexpr std::array<std::string_view, 2> states{"down", "up"};
constexpr std::array change_keys{
    TomlKey<Change>{"node",
                    [](const TomlValue& value, Change& change) { change.node = value.text(); },
                    Presence::required},
    TomlKey<Change>{"at",
                    [](const TomlValue& value, Change& change) {
                      change.change.at += value.duration({}, seconds(100'000'000));
                    },
                    Presence::required},
    TomlKey<Change>{"state",
                    [](const TomlValue& value, Change& change) {
                      change.change.up = value.choice(states) == 1;
                    },
                    Presence::required},
};
static_assert(describe_all(change_keys, change_texts));

NodeId node_named(const TomlValue& element, const Change& change, const ClusterChoice& cluster) {
  constexpr std::string_view prefix = "node";
  if (change.node.starts_with(prefix)) {
    std::size_t number = 0;
    const char* end = change.node.data() + change.node.size();
    const auto parsed = std::from_chars(change.node.data() + prefix.size(), end, number);
    const bool is_number = parsed.ec == std::errc() && parsed.ptr == end;
    if (is_number && number >= 1 && number <= cluster.machines.size()) return NodeId(number - 1);
  }
  element.fail(fmt::format("expected a node from node1 to {}, got \"{}\"",
                           cluster.machines.back().name, change.node));
}

// A machine's changes must alternate. One whose first change is up is absent until then.
void check_alternation(const TomlValue& value, const ClusterChoice& cluster) {
  std::vector<std::optional<bool>> is_up(cluster.machines.size());
  for (const MachineChange& change : cluster.changes) {
    std::optional<bool>& state = is_up[change.node.index()];
    if (state == change.up) {
      value.fail(fmt::format("{} is set {} twice in a row",
                             cluster.machines[change.node.index()].name,
                             states[change.up ? 1 : 0]));
    }
    state = change.up;
  }
}

void read_changes(const TomlValue& value, ClusterChoice& cluster) {
  for (const TomlValue& element : value.elements()) {
    Change change;
    read_table<Change>(element.table(), element.key(), change_keys, change);
    change.change.node = node_named(element, change, cluster);
    cluster.changes.push_back(change.change);
  }
  const auto earlier = [](const MachineChange& a, const MachineChange& b) {
    return a.at != b.at ? a.at < b.at : a.node < b.node;
  };
  std::stable_sort(cluster.changes.begin(), cluster.changes.end(), earlier);
  check_alternation(value, cluster);
}

}  // namespace

ClusterChoice read_cluster(const TomlValue& value, const TraceFolders& folders) {
  if (value.table().contains("machines")) {
    FileTable from_file{{}, &folders};
    read_table<FileTable>(value.table(), value.key(), file_keys, from_file);
    read_devices(from_file.devices, from_file.cluster);
    return std::move(from_file.cluster);
  }
  ClusterTable table;
  if (value.table().contains("group")) {
    read_table<ClusterTable>(value.table(), value.key(), grouped_keys, table);
  } else {
    read_table<ClusterTable>(value.table(), value.key(), own_keys, table);
    table.groups.push_back(table.own);
  }
  ClusterChoice& cluster = table.cluster;
  cluster.extra_dimensions = extra_dimensions(value, table.groups);
  read_devices(table.devices, cluster);
  check_amounts(value, table.groups);
  const bool is_only_rack = table.groups.size() == 1 && table.groups[0].racks == 1;
  std::int64_t racks = 0;
  for (const Group& group : table.groups) {
    add_machines(group, is_only_rack, racks, cluster);
    racks += group.racks;
  }
  check_devices(value, cluster);
  if (table.changes) read_changes(*table.changes, cluster);
  return std::move(cluster);
}

}  // namespace tracebed
