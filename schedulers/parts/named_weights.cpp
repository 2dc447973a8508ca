#include "schedulers/parts/named_weights.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace tracebed {
namespace {

std::optional<std::int64_t> weight_of(std::string_view text) {
  constexpr double one = 1'000;
  double weight = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, weight);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  if (!(weight >= 1 / one && weight <= one)) return std::nullopt;
  return std::llround(weight * one);
}

// "NAME=WEIGHT,…", no name twice; nothing is no weights.
std::optional<NamedWeights> read_weights(std::string_view text) {
  NamedWeights weights;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view pair = text.substr(0, comma);
    const std::size_t sign = pair.rfind('=');
    if (sign == std::string_view::npos || sign == 0) return std::nullopt;
    const auto weight = weight_of(pair.substr(sign + 1));
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
  const auto given = parameters.settings.find("weights");
  if (given == parameters.settings.end()) return NamedWeights();
  std::optional<NamedWeights> weights = read_weights(given->second);
  if (!weights) {
    return Error{"scheduler " + std::string(scheduler) +
                     ", setting weights: expected names with weights from 0.001 to 1000, such as "
                     "\"" +
                     std::string(example) + "\", got \"" + given->second + "\"",
                 "weights"};
  }
  return *std::move(weights);
}

}  // namespace tracebed
