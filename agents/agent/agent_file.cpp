#include "agents/agent/agent_file.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/input_error.h"
#include "system/key_file.h"
#include "system/open_address.h"
#include "system/own_machine.h"
#include "system/toml_value.h"

namespace tracebed::agent {
namespace {

constexpr std::int64_t vcores_max = 10'000;
constexpr std::int64_t memory_mib_max = std::int64_t{1} << 30;
constexpr std::int64_t amount_max = std::int64_t{1} << 40;

std::int64_t milli_vcores(const TomlValue& value, double low) {
  return static_cast<std::int64_t>(std::round(value.number(low, vcores_max) * 1'000));
}

constexpr std::array capacity_keys{
    TomlKey<AgentFile>{"vcores",
                       [](const TomlValue& value, AgentFile& file) {
                         file.milli_vcores = milli_vcores(value, 0.001);
                       }},
    TomlKey<AgentFile>{"memory",
                       [](const TomlValue& value, AgentFile& file) {
                         file.memory_mib = value.mebibytes(1, memory_mib_max);
                       }},
    TomlKey<AgentFile>{"reserved_vcores",
                       [](const TomlValue& value, AgentFile& file) {
                         file.reserved_milli_vcores = milli_vcores(value, 0);
                       }},
    TomlKey<AgentFile>{"reserved_memory",
                       [](const TomlValue& value, AgentFile& file) {
                         file.reserved_memory_mib = value.mebibytes(0, memory_mib_max);
                       }},
    TomlKey<AgentFile>{"resources",
                       [](const TomlValue& value, AgentFile& file) {
                         for (const TomlValue& amount : value.elements()) {
                           file.more_resources.push_back(amount.integer(0, amount_max));
                         }
                         if (file.more_resources.size() > Resources::dimensions_max - 2) {
                           value.fail_expected("at most 6 amounts");
                         }
                       }},
};

constexpr std::array key_keys{
    TomlKey<AgentFile>{
        "own", [](const TomlValue& value, AgentFile& file) { file.key_file = value.text(); },
        Presence::required},
    TomlKey<AgentFile>{
        "coordinator",
        [](const TomlValue& value, AgentFile& file) { file.coordinator_key = read_key(value); },
        Presence::required},
};

constexpr std::array metrics_keys{
    TomlKey<AgentFile>{"address",
                       [](const TomlValue& value, AgentFile& file) {
                         file.metrics_address = ipv4_address(value);
                       }},
    TomlKey<AgentFile>{"port",
                       [](const TomlValue& value, AgentFile& file) {
                         file.metrics_port = static_cast<std::uint16_t>(value.integer(0, 65'535));
                       },
                       Presence::required},
    TomlKey<AgentFile>{
        "token_file",
        [](const TomlValue& value, AgentFile& file) { file.metrics_token_file = value.text(); }},
};

constexpr std::array shuffle_keys{
    TomlKey<AgentShuffle>{"folder",
                          [](const TomlValue& value, AgentShuffle& shuffle) {
                            shuffle.folder = value.text();
                            if (!shuffle.folder.starts_with('/')) {
                              value.fail_expected("an absolute path");
                            }
                          }},
    TomlKey<AgentShuffle>{"port",
                          [](const TomlValue& value, AgentShuffle& shuffle) {
                            shuffle.port = static_cast<std::uint16_t>(value.integer(1, 65'535));
                          }},
    TomlKey<AgentShuffle>{"connections",
                          [](const TomlValue& value, AgentShuffle& shuffle) {
                            shuffle.connections_max = static_cast<std::uint32_t>(
                                value.integer(1, shuffle_connections_max));
                          }},
};

constexpr std::array root_keys{
    TomlKey<AgentFile>{
        "coordinator",
        [](const TomlValue& value, AgentFile& file) { file.coordinator = value.text(); },
        Presence::required},
    TomlKey<AgentFile>{"name",
                       [](const TomlValue& value, AgentFile& file) { file.name = value.text(); }},
    TomlKey<AgentFile>{"rack",
                       [](const TomlValue& value, AgentFile& file) {
                         file.rack = value.text();
                         if (!file.rack.starts_with('/'))
                           value.fail_expected("a path like \"/rack1\"");
                       }},
    TomlKey<AgentFile>{
        "labels", [](const TomlValue& value, AgentFile& file) { file.labels = value.text_list(); }},
    TomlKey<AgentFile>{"speed",
                       [](const TomlValue& value, AgentFile& file) {
                         file.speed =
                             static_cast<std::uint32_t>(value.number(0.01, 100) * 1'000 + 0.5);
                       }},
    TomlKey<AgentFile>{"address", [](const TomlValue& value,
                                     AgentFile& file) { file.address = ipv4_address(value); }},
    TomlKey<AgentFile>{"interface",
                       [](const TomlValue& value, AgentFile& file) {
                         if (!file.address.empty())
                           value.fail("expected either this or `address`, got both");
                         file.interface = value.text();
                       }},
    TomlKey<AgentFile>{
        "launcher_socket",
        [](const TomlValue& value, AgentFile& file) { file.launcher_socket = value.text(); }},
    TomlKey<AgentFile>{"capacity",
                       [](const TomlValue& value, AgentFile& file) {
                         read_table<AgentFile>(value.table(), value.key(), capacity_keys, file);
                       }},
    TomlKey<AgentFile>{"metrics",
                       [](const TomlValue& value, AgentFile& file) {
                         read_table<AgentFile>(value.table(), value.key(), metrics_keys, file);
                       }},
    TomlKey<AgentFile>{"shuffle",
                       [](const TomlValue& value, AgentFile& file) {
                         read_table<AgentShuffle>(value.table(), value.key(), shuffle_keys,
                                                  file.shuffle.emplace());
                       }},
    TomlKey<AgentFile>{"keys",
                       [](const TomlValue& value, AgentFile& file) {
                         read_table<AgentFile>(value.table(), value.key(), key_keys, file);
                       }},
};

}  // namespace

AgentFile read_agent_file(const std::filesystem::path& path) {
  AgentFile file;
  const toml::table root = parse_toml_file(path);
  read_table<AgentFile>(root, "", root_keys, file);
  if (file.name.empty()) file.name = host_name();
  if (file.metrics_token_file.empty()) {
    check_is_loopback(path.string() + ": metrics.address", file.metrics_address);
  }
  if (file.address.empty() && file.interface.empty()) {
    throw InputError(
        fmt::format("{}: expected `address` or `interface`, the source of connections, got neither",
                    path.string()));
  }
  return file;
}

Resources capacity_of(const AgentFile& file, const Resources& detected) {
  Resources capacity;
  capacity[Resources::vcores_dimension] =
      file.milli_vcores.value_or(detected.milli_vcores() - file.reserved_milli_vcores);
  capacity[Resources::memory_dimension] =
      file.memory_mib.value_or(detected.memory_mib() - file.reserved_memory_mib);
  if (capacity.milli_vcores() <= 0 || capacity.memory_mib() <= 0) {
    throw InputError(fmt::format(
        "capacity: expected the reserve to leave something of the {} thousandths of a vcore and {} "
        "MiB that this machine has, got {} and {}",
        detected.milli_vcores(), detected.memory_mib(), file.reserved_milli_vcores,
        file.reserved_memory_mib));
  }
  for (std::size_t i = 0; i < file.more_resources.size(); ++i) {
    capacity[Resources::memory_dimension + 1 + i] = file.more_resources[i];
  }
  return capacity;
}

}  // namespace tracebed::agent
