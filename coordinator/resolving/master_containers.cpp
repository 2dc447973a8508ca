#include "coordinator/resolving/master_containers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <string_view>

#include "core/input_error.h"
#include "traces/scale_model.h"
#include "traces/scale_rounding.h"

namespace tracebed {
namespace {

constexpr std::string_view kind_key = "am";
constexpr std::string_view kind_text = "container";

struct MasterFigure {
  std::string_view key;
  std::int64_t (*get)(const MasterContainerOptions&);
  void (*set)(MasterContainerOptions&, std::int64_t);
};

template <Duration MasterContainerOptions::*Field>
constexpr MasterFigure duration_figure(std::string_view key) {
  return {key, [](const MasterContainerOptions& options) { return (options.*Field).count(); },
          [](MasterContainerOptions& options, std::int64_t value) {
            options.*Field = Duration(value);
          }};
}

constexpr std::array<MasterFigure, 6> figures{{
    {"am.milli_vcores",
     [](const MasterContainerOptions& options) { return options.demand.milli_vcores(); },
     [](MasterContainerOptions& options, std::int64_t value) {
       options.demand[Resources::vcores_dimension] = value;
     }},
    {"am.memory_mib",
     [](const MasterContainerOptions& options) { return options.demand.memory_mib(); },
     [](MasterContainerOptions& options, std::int64_t value) {
       options.demand[Resources::memory_dimension] = value;
     }},
    {"am.attempts",
     [](const MasterContainerOptions& options) { return std::int64_t{options.attempts_max}; },
     [](MasterContainerOptions& options, std::int64_t value) {
       options.attempts_max = static_cast<std::uint32_t>(value);
     }},
    duration_figure<&MasterContainerOptions::heartbeat_interval>("am.heartbeat_us"),
    duration_figure<&MasterContainerOptions::expiry>("am.expiry_us"),
    duration_figure<&MasterContainerOptions::allocation_expiry>("am.allocation_expiry_us"),
}};

std::int64_t number(const std::string& place, std::string_view key, const std::string& text) {
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || value <= 0) {
    throw InputError(
        fmt::format("{}: {}: expected a positive whole number, got '{}'", place, key, text));
  }
  return value;
}

}  // namespace

std::optional<MasterContainerOptions> container_masters(const MasterChoice& choice,
                                                        const ScaleChoice& scale) {
  if (!choice.in_containers) return std::nullopt;
  MasterContainerOptions options = choice.container;
  options.demand = Resources(scale_down(options.demand.milli_vcores(), scale.cpu),
                             scale_down(options.demand.memory_mib(), scale.memory));
  return options;
}

std::vector<std::string> rounding_of_masters(const MasterChoice& choice,
                                             const MasterContainerOptions& scaled,
                                             const ScaleChoice& scale) {
  ScaleRounding rounding;
  const Resources& given = choice.container.demand;
  rounding.add("vcores of masters' containers, in thousandths", "[masters]",
               static_cast<double>(given.milli_vcores()) / scale.cpu, scaled.demand.milli_vcores());
  rounding.add("memory of masters' containers, in MiB", "[masters]",
               static_cast<double>(given.memory_mib()) / scale.memory, scaled.demand.memory_mib());
  return rounding.sentences();
}

NamedTexts to_record(const std::optional<MasterContainerOptions>& containers) {
  NamedTexts recorded;
  if (!containers) return recorded;
  recorded.emplace_back(kind_key, kind_text);
  for (const MasterFigure& figure : figures) {
    recorded.emplace_back(figure.key, std::to_string(figure.get(*containers)));
  }
  return recorded;
}

std::optional<MasterContainerOptions> take_container_masters(NamedTexts& recorded,
                                                             const std::string& place) {
  const auto take = [&](std::string_view key) -> std::optional<std::string> {
    const auto found = std::find_if(recorded.begin(), recorded.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (found == recorded.end()) return std::nullopt;
    std::string value = std::move(found->second);
    recorded.erase(found);
    return value;
  };
  const std::optional<std::string> kind = take(kind_key);
  if (!kind) return std::nullopt;
  if (*kind != kind_text) {
    throw InputError(
        fmt::format("{}: {}: expected '{}', got '{}'", place, kind_key, kind_text, *kind));
  }
  MasterContainerOptions options;
  for (const MasterFigure& figure : figures) {
    const std::optional<std::string> value = take(figure.key);
    if (!value) throw InputError(fmt::format("{}: expected {}", place, figure.key));
    figure.set(options, number(place, figure.key, *value));
  }
  return options;
}

}  // namespace tracebed
