#include "schedulers/parts/named_weights.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace tracebed {
namespace {

std::optional<std::int64_t> weight_of(std::string_view text, std::int64_t most) {
  constexpr double one = 1'000;
  double weight = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, weight);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  if (!(weight >= 1 / one && weight <= static_cast<double>(most))) return std::nullopt;
  return std::llround(weight * one);
}

// "NAME=WEIGHT,…", no name twice; nothing is no weights.
std::optional<NamedWeights> read_weights(std::string_view text, std::int64_t most) {
  NamedWeights weights;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view pair = text.substr(0, comma);
    const std::size_t sign = pair.rfind('=');
    if (sign == std::string_view::npos || sign == 0) return std::nullopt;
    const auto weight = weight_of(pair.substr(sign + 1), most);
    if (!weight || !weights.emplace(pair.substr(0, sign), *weight).second) return std::nullopt;
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::nullopt;  // a comma promises another
  }
  return weights;
}

}  // namespace

Result<NamedWeights> read_named_weights(const SchedulerParameters& parameters,
                                        std::string_view scheduler, std::string_view example) {
  return read_named_weights(parameters, scheduler, NamedWeightsSetting{.example = example});
}

Result<NamedWeights> read_named_weights(const SchedulerParameters& parameters,
                                        std::string_view scheduler,
                                        const NamedWeightsSetting& setting) {
  const auto given = parameters.settings.find(setting.name);
  if (given == parameters.settings.end()) return NamedWeights();
  std::optional<NamedWeights> weights = read_weights(given->second, setting.most);
  if (!weights) {
    const std::string name(setting.name);
    return Error{"scheduler " + std::string(scheduler) + ", setting " + name +
                     ": expected names with " + name + " from 0.001 to " +
                     std::to_string(setting.most) + ", such as \"" + std::string(setting.example) +
                     "\", got \"" + given->second + "\"",
                 name};
  }
  return *std::move(weights);
}

}  // namespace tracebed
