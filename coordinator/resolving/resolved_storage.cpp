#include "coordinator/resolving/resolved_storage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "coordinator/resolving/namenode_settings.h"
#include "coordinator/storage/replica_placement.h"
#include "core/input_error.h"
#include "core/output_files.h"
#include "core/resources.h"
#include "traces/scale_model.h"

namespace tracebed {
namespace {

constexpr std::string_view namenode_prefix = "namenode.";
constexpr std::string_view smallest_block = "min_block_size";
constexpr std::int64_t chunk_bytes = 512;  // dfs.bytes-per-checksum

// What a run record has besides the namenode's own settings. Rates are bytes per second, 0 is
// unlimited.
constexpr std::array recorded_keys{
    SettingDescription{"replication", "3", ""},
    SettingDescription{"block_size", "134217728", ""},
    SettingDescription{"placement", "default", ""},
    SettingDescription{"store", "generated", ""},
    SettingDescription{"capacity", "1", ""},
    SettingDescription{"disk_rate", "0", ""},
    SettingDescription{"network_rate", "0", ""},
    SettingDescription{"seek_us", "0", ""},
    SettingDescription{"block_report_interval_us", "1", ""},
    SettingDescription{"socket_timeout_ms", "60000", ""},
    SettingDescription{"output_replication", "0", ""},
    SettingDescription{"rack_rate", "0", ""},
    SettingDescription{"shuffle", "false", ""},
    SettingDescription{"shuffle_parallel_copies", "5", ""},
    SettingDescription{"sort_bytes", "0", ""},
    SettingDescription{"writer", "", ""},
    SettingDescription{"transfer_weights", "-1", ""},  // the resource's number
};

std::int64_t scaled_block(std::int64_t size, double factor) {
  const std::int64_t chunks = (scale_down(size, factor) + chunk_bytes - 1) / chunk_bytes;
  return std::max<std::int64_t>(1, chunks) * chunk_bytes;
}

std::optional<std::int64_t> scaled_rate(std::optional<std::int64_t> rate, double factor) {
  if (rate)
    rate = std::clamp<std::int64_t>(scale_down(*rate, factor), 1, DatanodeOptions::rate_max);
  return rate;
}

// Clients renew leases and wait for answers by the wall clock, on which trace time passes `time`
// times as fast.
bool is_time_of_clients(std::string_view setting) {
  constexpr std::array times{"lease_soft_limit_ms", "lease_hard_limit_ms", "report_wait_ms",
                             "retry_cache_expiry_ms"};
  return std::find(times.begin(), times.end(), setting) != times.end();
}
std::string on_trace_clock(const std::string& milliseconds, double time) {
  const double scaled = std::ceil(static_cast<double>(std::stoll(milliseconds)) * time);
  return fmt::format("{}", std::min(static_cast<std::int64_t>(scaled), namenode_longest_ms));
}

DatanodeOptions scaled(DatanodeOptions datanodes, double data, Duration heartbeat) {
  datanodes.capacity = scale_down(datanodes.capacity, data);
  datanodes.disk_rate = scaled_rate(datanodes.disk_rate, data);
  datanodes.network_rate = scaled_rate(datanodes.network_rate, data);
  datanodes.rack_rate = scaled_rate(datanodes.rack_rate, data);
  datanodes.heartbeat = heartbeat;
  return datanodes;
}

void check_files(const StorageChoice& storage, const NamenodeOptions& options) {
  const auto refuse = [&](const std::string& message) {
    throw InputError(fmt::format("{}: {}", storage.where, message));
  };
  if (storage.block_size < options.limits.block_size_min) {
    refuse(fmt::format("block_size: expected at least namenode.min_block_size, {} bytes, got {}",
                       options.limits.block_size_min, storage.block_size));
  }
  if (storage.block_size % chunk_bytes != 0) {
    refuse(fmt::format("block_size: expected a multiple of {} bytes, got {}", chunk_bytes,
                       storage.block_size));
  }
  if (storage.replication < options.replication_min ||
      storage.replication > options.limits.replication_max) {
    refuse(
        fmt::format("replication: expected a number from namenode.replication_min to "
                    "namenode.replication_max, {} to {}, got {}",
                    options.replication_min, options.limits.replication_max, storage.replication));
  }
  const bool is_written = storage.replication_of_outputs > 0;
  if (is_written && (storage.replication_of_outputs < options.replication_min ||
                     storage.replication_of_outputs > options.limits.replication_max)) {
    refuse(fmt::format(
        "output_replication: expected 0, or a number from "
        "namenode.replication_min to namenode.replication_max, {} to {}, got {}",
        options.replication_min, options.limits.replication_max, storage.replication_of_outputs));
  }
  constexpr auto timeout_min = 2 * output_silence_max;
  if (is_written && storage.datanodes.socket_timeout < timeout_min) {
    refuse(fmt::format(
        "socket_timeout: expected at least {} s with output_replication, since "
        "tasks may write nothing for {} s, got {} ms",
        timeout_min / std::chrono::seconds(1), output_silence_max / std::chrono::seconds(1),
        storage.datanodes.socket_timeout.count()));
  }
  if (const auto placement = make_replica_placement(storage.placement); !placement) {
    throw InputError(fmt::format("{}: {}", storage.placement_where, placement.error().message));
  }
}

// None: tasks fetch nothing from each other.
std::optional<ShuffleOptions> shuffle_of(const StorageChoice& storage, double data) {
  const auto refuse = [](const std::string& where, std::string_view setting) {
    throw InputError(fmt::format("{}: expected only with {} = true", where, setting));
  };
  if (storage.is_spilling && !storage.is_shuffling) refuse(storage.spills_where, "shuffle");
  // The default may stand there anyhow, as in a list of all keys.
  if (!storage.is_spilling && storage.sort_memory != StorageChoice().sort_memory) {
    refuse(storage.sort_memory_where, "spills");
  }
  if (!storage.is_shuffling) return std::nullopt;
  ShuffleOptions shuffle = storage.shuffle;
  if (storage.is_spilling) {
    shuffle.sort_bytes = std::max<std::int64_t>(1, scale_down(storage.sort_memory, data));
  }
  return shuffle;
}

std::optional<std::size_t> transfer_weights_of(const Experiment& experiment) {
  const StorageChoice& storage = experiment.storage;
  if (storage.transfer_weights.empty()) return std::nullopt;
  const ResourceDimensions dimensions(experiment.cluster.extra_dimensions);
  const std::size_t found = dimensions.find(storage.transfer_weights);
  if (found < dimensions.size()) return found;
  std::string known = dimensions.name(0);
  for (std::size_t i = 1; i < dimensions.size(); ++i) known += ", " + dimensions.name(i);
  throw InputError(fmt::format("{}: expected a resource of the cluster ({}), got \"{}\"",
                               storage.transfer_weights_where, known, storage.transfer_weights));
}

// With storage, the namenode decides where input is.
void check_masters(const Experiment& experiment) {
  const Setting* replication = find_setting(experiment.masters, "replication");
  if (replication == nullptr) return;
  throw InputError(
      fmt::format("{}: expected only without [storage], whose `replication` holds for all input",
                  replication->where));
}

}  // namespace

std::optional<ResolvedStorage> resolve_storage(const Experiment& experiment) {
  const StorageChoice& storage = experiment.storage;
  if (!storage.is_on()) return std::nullopt;
  const auto options_of = [&](const std::vector<Setting>& settings) {
    return valid(read_namenode(to_values(settings)), storage.namenode, storage.where);
  };
  check_files(storage, options_of(storage.namenode));
  check_masters(experiment);
  const double data = experiment.scale.data;
  ResolvedStorage resolved;
  resolved.namenode_settings = with_defaults(namenode_settings(), storage.namenode, storage.where);
  for (Setting& setting : resolved.namenode_settings) {
    if (setting.key == smallest_block && data != 1) {
      setting.value = fmt::format("{}", scale_down(std::stoll(setting.value), data));
    } else if (is_time_of_clients(setting.key)) {
      setting.value = on_trace_clock(setting.value, experiment.scale.time);
    }
  }
  resolved.namenode = options_of(resolved.namenode_settings);
  resolved.namenode.default_replication = storage.replication;
  resolved.namenode.default_block_size = scaled_block(storage.block_size, data);
  resolved.namenode.replication_of_outputs = storage.replication_of_outputs;
  resolved.namenode.shuffle = shuffle_of(storage, data);
  resolved.namenode.transfer_weights = transfer_weights_of(experiment);
  resolved.namenode.placement_policy = storage.placement;
  resolved.writer = storage.writer;
  resolved.datanodes = scaled(storage.datanodes, data, resolved.namenode.intervals.heartbeat);
  return resolved;
}

NamedTexts to_record(const std::optional<ResolvedStorage>& storage) {
  NamedTexts recorded;
  if (!storage) return recorded;
  const DatanodeOptions& datanodes = storage->datanodes;
  const bool is_on_disk = datanodes.store == ReplicaStoreKind::disk;
  const std::array<std::string, recorded_keys.size()> values{
      fmt::format("{}", storage->namenode.default_replication),
      fmt::format("{}", storage->namenode.default_block_size),
      storage->namenode.placement_policy,
      is_on_disk ? "disk" : "generated",
      fmt::format("{}", datanodes.capacity),
      fmt::format("{}", datanodes.disk_rate.value_or(0)),
      fmt::format("{}", datanodes.network_rate.value_or(0)),
      fmt::format("{}", datanodes.seek.count()),
      fmt::format("{}", datanodes.block_report_interval.count()),
      fmt::format("{}", datanodes.socket_timeout.count()),
      fmt::format("{}", storage->namenode.replication_of_outputs),
      fmt::format("{}", datanodes.rack_rate.value_or(0)),
      storage->namenode.shuffle ? "true" : "false",
      fmt::format("{}", storage->namenode.shuffle.value_or(ShuffleOptions()).parallel_copies),
      fmt::format("{}", storage->namenode.shuffle.value_or(ShuffleOptions()).sort_bytes),
      storage->writer,
      storage->namenode.transfer_weights ? fmt::format("{}", *storage->namenode.transfer_weights)
                                         : "-1"};
  for (std::size_t i = 0; i < recorded_keys.size(); ++i) {
    recorded.emplace_back(recorded_keys[i].name, values[i]);
  }
  for (const Setting& setting : storage->namenode_settings) {
    recorded.emplace_back(std::string(namenode_prefix) + setting.key, setting.value);
  }
  return recorded;
}

std::optional<ResolvedStorage> storage_of_record(const NamedTexts& recorded,
                                                 const std::string& place) {
  if (recorded.empty()) return std::nullopt;
  SettingValues own;
  ResolvedStorage storage;
  for (const auto& [key, value] : recorded) {
    if (!key.starts_with(namenode_prefix)) {
      own[key] = value;
      continue;
    }
    storage.namenode_settings.push_back(
        {key.substr(namenode_prefix.size()), value, fmt::format("{}: {}", place, key)});
  }
  storage.namenode =
      valid(read_namenode(to_values(storage.namenode_settings)), storage.namenode_settings, place);
  constexpr std::int64_t amount_max = std::int64_t{1} << 60;
  SettingReader reader("storage", recorded_keys, own);
  storage.namenode.default_replication =
      static_cast<std::uint32_t>(reader.integer("replication", 1, 512));
  storage.namenode.default_block_size = reader.integer("block_size", 1, amount_max);
  storage.namenode.replication_of_outputs =
      static_cast<std::uint32_t>(reader.integer("output_replication", 0, 512));
  const bool is_shuffling = reader.choice("shuffle", {"false", "true"}) == 1;
  ShuffleOptions shuffle;
  shuffle.parallel_copies = static_cast<std::uint32_t>(
      reader.integer("shuffle_parallel_copies", 1, ShuffleOptions::parallel_copies_max));
  shuffle.sort_bytes = reader.integer("sort_bytes", 0, amount_max);
  if (is_shuffling) storage.namenode.shuffle = shuffle;
  const std::int64_t weights =
      reader.integer("transfer_weights", -1, Resources::dimensions_max - 1);
  if (weights >= 0) storage.namenode.transfer_weights = static_cast<std::size_t>(weights);
  const std::initializer_list<std::string_view> placements{"default", "rack_fault_tolerant",
                                                           "same_rack_second"};
  storage.namenode.placement_policy =
      *(placements.begin() + reader.choice("placement", placements));
  if (const auto writer = own.find("writer"); writer != own.end()) storage.writer = writer->second;
  DatanodeOptions& datanodes = storage.datanodes;
  datanodes.store = static_cast<ReplicaStoreKind>(reader.choice("store", {"generated", "disk"}));
  datanodes.capacity = reader.integer("capacity", 1, amount_max);
  const auto rate = [&](std::string_view key) -> std::optional<std::int64_t> {
    const std::int64_t bytes = reader.integer(key, 0, DatanodeOptions::rate_max);
    if (bytes == 0) return std::nullopt;
    return bytes;
  };
  datanodes.disk_rate = rate("disk_rate");
  datanodes.network_rate = rate("network_rate");
  datanodes.rack_rate = rate("rack_rate");
  datanodes.seek = microseconds(reader.integer("seek_us", 0, amount_max));
  datanodes.block_report_interval =
      microseconds(reader.integer("block_report_interval_us", 1, amount_max));
  datanodes.socket_timeout = std::chrono::milliseconds(
      reader.integer("socket_timeout_ms", 1, datanode_socket_timeout_max.count()));
  datanodes.heartbeat = storage.namenode.intervals.heartbeat;
  if (const Status status = reader.status(); !status) {
    throw InputError(fmt::format("{}: {}", place, status.error().message));
  }
  return storage;
}

}  // namespace tracebed
