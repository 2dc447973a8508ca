#include "coordinator/api/resource_manager/resource_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace tracebed {
namespace {

constexpr std::int64_t vcore = 1'000;

}  // namespace

std::int64_t whole_vcores(const Resources& amount, Had had) {
  const std::int64_t milli = amount.milli_vcores();
  const std::int64_t down = milli / vcore - (milli % vcore < 0 ? 1 : 0);
  return had == Had::taken && milli % vcore != 0 ? down + 1 : down;
}

nlohmann::ordered_json resource_info(const Resources& amount, Had had) {
  nlohmann::ordered_json info = {{"memory", amount.memory_mib()},
                                 {"vCores", whole_vcores(amount, had)}};
  if (amount.milli_vcores() % vcore != 0) {
    info["exactVCores"] = static_cast<double>(amount.milli_vcores()) / vcore;
  }
  return info;
}

std::string resource_text(const Resources& taken) {
  return fmt::format("<memory:{}, vCores:{}>", taken.memory_mib(), whole_vcores(taken, Had::taken));
}

nlohmann::ordered_json float_info(double number) {
  if (!std::isfinite(number)) return nullptr;
  std::array<char, 32> text{};
  constexpr int digits = 7;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number,
                                     std::chars_format::general, digits);
  std::from_chars(text.data(), written.ptr, number);
  return number;
}

}  // namespace tracebed
