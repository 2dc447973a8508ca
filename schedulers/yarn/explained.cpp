#include "schedulers/yarn/explained.h"

#include <array>
#include <charconv>
#include <cmath>

namespace tracebed {

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
  const bool is_whole = resources.milli_vcores() % 1000 == 0;
  return text + ", vCores: " +
         (is_whole ? std::to_string(resources.milli_vcores() / 1000)
                   : number_text(static_cast<double>(resources.milli_vcores()) / 1000));
}

std::string resources_text(const Resources& resources, const ResourceDimensions& dimensions) {
  std::string text = resources_text(resources);
  for (std::size_t d = Resources::memory_dimension + 1; d < dimensions.size(); ++d) {
    if (resources[d] != 0) text += ", " + dimensions.name(d) + ": " + std::to_string(resources[d]);
  }
  return text;
}

}  // namespace tracebed
