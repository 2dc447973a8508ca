#include "coordinator/config/master_table.h"

#include <array>
#include <fmt/format.h>

#include "coordinator/config/cluster_table.h"
#include "coordinator/config/disturbance_texts.h"
#include "coordinator/config/longest_duration.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

template <Duration MasterContainerOptions::*Field>
void read_interval(const TomlValue& value, MasterContainerOptions& options) {
  options.*Field = value.duration(milliseconds(1), longest_duration);
}

constexpr std::array keys{
    TomlKey<MasterContainerOptions>{"vcores",
                                    [](const TomlValue& value, MasterContainerOptions& options) {
                                      options.demand[Resources::vcores_dimension] =
                                          milli_vcores(value);
                                    }},
    TomlKey<MasterContainerOptions>{"memory",
                                    [](const TomlValue& value, MasterContainerOptions& options) {
                                      options.demand[Resources::memory_dimension] =
                                          value.mebibytes(1, std::int64_t{1} << 30);
                                    }},
    TomlKey<MasterContainerOptions>{"attempts",
                                    [](const TomlValue& value, MasterContainerOptions& options) {
                                      options.attempts_max =
                                          static_cast<std::uint32_t>(value.integer(1, 1'000));
                                    }},
    TomlKey<MasterContainerOptions>{"heartbeat",
                                    read_interval<&MasterContainerOptions::heartbeat_interval>},
    TomlKey<MasterContainerOptions>{"expiry", read_interval<&MasterContainerOptions::expiry>},
    TomlKey<MasterContainerOptions>{"allocation_expiry",
                                    read_interval<&MasterContainerOptions::allocation_expiry>},
};
static_assert(describe_all(keys, master_container_texts));

}  // namespace

void read_master_container(const TomlValue& value, MasterChoice& choice) {
  choice.where = value.where();
  read_table<MasterContainerOptions>(value.table(), value.key(), keys, choice.container);
  for (const auto& [key, node] : value.table()) choice.given.emplace(key.str());
}

void check_masters(const MasterChoice& choice) {
  if (!choice.in_containers && !choice.where.empty()) {
    throw InputError(fmt::format(
        "{}: expected am = \"container\", since other masters have no containers", choice.where));
  }
  if (choice.in_containers && choice.container.expiry <= choice.container.heartbeat_interval) {
    throw InputError(
        fmt::format("{}: expected an expiry longer than the heartbeat's interval", choice.where));
  }
}

}  // namespace tracebed
