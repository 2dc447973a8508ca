#include "coordinator/resolving/relocation_settings.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tracebed {
namespace {

constexpr std::array relocation_descriptions{
    SettingDescription{"relocation.locality", "false",
                       "true: move tasks to nodes that have their input, when these have room"},
    SettingDescription{"relocation.speed", "false",
                       "true: move tasks to faster nodes, when these have room"},
    SettingDescription{"relocation.io", "false",
                       "true: move tasks from I/O-hot nodes to calm ones"},
    SettingDescription{"relocation.interval_ms", "30000",
                       "trace time between two rounds of the policy"},
    SettingDescription{"relocation.settled_ms", "30000",
                       "minimum time since a task began its work before it may be moved"},
    SettingDescription{"relocation.grace_ms", "60000", "time for the task's master to release it"},
    SettingDescription{
        "relocation.force", "false",
        "true: kill a task whose master did not release it in time; false: leave it where it is"},
    SettingDescription{"relocation.at_once", "4", "maximum number of tasks being moved at a time"},
    SettingDescription{
        "relocation.speed_gain", "1.25",
        "minimum speed of a faster node, as a multiple of the speed of the task's node"},
    SettingDescription{"relocation.io_hot", "0.4",
                       "fraction of time waiting for I/O from which a node is I/O-hot"},
    SettingDescription{"relocation.io_calm", "0.1",
                       "fraction of time waiting for I/O up to which a node is calm"},
};

}  // namespace

std::span<const SettingDescription> relocation_settings() {
  return relocation_descriptions;
}

Result<std::optional<RelocationOptions>> read_relocation(const SettingValues& values) {
  constexpr std::int64_t longest_ms = 100'000'000'000;
  SettingReader reader("relocation", relocation_descriptions, values);
  const auto is_true = [&](std::string_view name) {
    return reader.choice(name, {"false", "true"}) == 1;
  };
  const auto thousandths = [&](std::string_view name, double low, double high) {
    return static_cast<std::int32_t>(reader.fraction(name, low, high) * 1'000 + 0.5);
  };
  RelocationOptions options;
  options.for_locality = is_true("relocation.locality");
  options.for_speed = is_true("relocation.speed");
  options.for_io = is_true("relocation.io");
  options.is_forced = is_true("relocation.force");
  options.interval = reader.milliseconds_of("relocation.interval_ms", 1, longest_ms);
  options.settled = reader.milliseconds_of("relocation.settled_ms", 0, longest_ms);
  options.grace = reader.milliseconds_of("relocation.grace_ms", 0, longest_ms);
  options.at_once = static_cast<std::uint32_t>(reader.integer("relocation.at_once", 1, 1'000'000));
  options.speed_gain =
      static_cast<std::uint32_t>(thousandths("relocation.speed_gain", 1.001, 1'000));
  options.io_hot = thousandths("relocation.io_hot", 0, 1);
  options.io_calm = thousandths("relocation.io_calm", 0, 1);
  if (const Status status = reader.status(); !status) return status.error();
  if (options.io_calm >= options.io_hot) {
    const char* const to_blame =
        values.contains("relocation.io_calm") ? "relocation.io_calm" : "relocation.io_hot";
    return Error{"relocation: relocation.io_calm: expected less than relocation.io_hot", to_blame};
  }
  const bool is_on = options.for_locality || options.for_speed || options.for_io;
  return is_on ? std::optional(options) : std::nullopt;
}

std::vector<Setting> take_relocation(NamedTexts& recorded, const std::string& place) {
  const auto first = std::stable_partition(recorded.begin(), recorded.end(), [](const auto& entry) {
    return !std::string_view(entry.first).starts_with("relocation.");
  });
  const NamedTexts taken(std::make_move_iterator(first), std::make_move_iterator(recorded.end()));
  recorded.erase(first, recorded.end());
  return settings_of_record(taken, place);
}

}  // namespace tracebed
