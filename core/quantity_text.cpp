#include "core/quantity_text.h"

#include <array>
#include <charconv>

namespace tracebed {
namespace {

// 1.5 of 1500 thousandths.
std::string thousandths_text(std::int64_t amount) {
  constexpr std::int64_t whole = 1'000;
  return amount % whole == 0 ? std::to_string(amount / whole)
                             : number_text(static_cast<double>(amount) / whole);
}

}  // namespace

std::string number_text(double number) {
  std::array<char, 32> text{};
  constexpr int digits = 6;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                 std::chars_format::general, digits);
  std::string result(text.data(), end.ptr);
  if (result.find_first_of(".e") == std::string::npos) result += ".0";
  return result;
}

std::string percent_text(double fraction) {
  return number_text(fraction * 100) + "%";
}

std::string resources_text(const Resources& resources) {
  std::string text = "memory: " + std::to_string(resources.memory_mib());
  if (resources.milli_vcores() <= 0) return text;
  return text + ", vCores: " + thousandths_text(resources.milli_vcores());
}

std::string resources_text(const Resources& resources, const ResourceDimensions& dimensions) {
  std::string text = resources_text(resources);
  for (std::size_t d = Resources::memory_dimension + 1; d < dimensions.size(); ++d) {
    if (resources[d] != 0) text += ", " + dimensions.name(d) + ": " + std::to_string(resources[d]);
  }
  return text;
}

std::string limit_text(const ResourceLimit& limit, const ResourceDimensions& dimensions) {
  const auto shown = [&](std::size_t dimension, const std::string& amount) {
    return limit.is_limited[dimension] ? amount : limit.otherwise;
  };
  std::string text =
      "memory: " + shown(Resources::memory_dimension, std::to_string(limit.most.memory_mib())) +
      ", vCores: " +
      shown(Resources::vcores_dimension, thousandths_text(limit.most.milli_vcores()));
  for (std::size_t d = Resources::memory_dimension + 1; d < dimensions.size(); ++d) {
    text += ", " + dimensions.name(d) + ": " + shown(d, std::to_string(limit.most[d]));
  }
  return text;
}

}  // namespace tracebed
