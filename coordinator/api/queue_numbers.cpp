#include "coordinator/api/queue_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t vcore = 1'000;

template <class Number>
std::optional<Number> whole_of(std::string_view text) {
  Number number{};
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

// What follows "NAME: " up to the next comma; empty if there is no such part.
std::string_view part_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(", "));
    text.remove_prefix(std::min(text.size(), part.size() + 2));
    if (part.starts_with(name) && part.substr(name.size()).starts_with(": ")) {
      return part.substr(name.size() + 2);
    }
  }
  return {};
}

}  // namespace

const ExplainedFigure* find_figure(const ExplainedQueue& queue, std::string_view name) {
  const auto found =
      std::find_if(queue.figures.begin(), queue.figures.end(),
                   [&](const ExplainedFigure& figure) { return figure.name == name; });
  return found == queue.figures.end() ? nullptr : &*found;
}

std::optional<Json> read_number(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  if (const auto count = whole_of<std::int64_t>(text)) return Json(*count);
  const auto number = whole_of<double>(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return Json(*number);
}

std::optional<Resources> read_resources(std::string_view text, const Resources* otherwise) {
  const std::string_view memory_text = part_of(text, "memory");
  if (memory_text.empty()) return std::nullopt;
  const auto memory = whole_of<std::int64_t>(memory_text);
  const std::string_view vcores_text = part_of(text, "vCores");
  const auto vcores = vcores_text.empty() ? std::optional(0.0) : whole_of<double>(vcores_text);
  const bool is_told = memory && vcores && std::isfinite(*vcores);
  if (!is_told && otherwise == nullptr) return std::nullopt;
  const bool has_vcores = vcores && std::isfinite(*vcores);
  return Resources(has_vcores ? std::llround(*vcores * vcore) : otherwise->milli_vcores(),
                   memory ? *memory : otherwise->memory_mib());
}

Json resource_info(const Resources& resources) {
  const std::int64_t milli_vcores = resources.milli_vcores();
  return {{"memory", resources.memory_mib()},
          {"vCores", milli_vcores % vcore == 0 ? Json(milli_vcores / vcore)
                                               : Json(static_cast<double>(milli_vcores) / vcore)}};
}

}  // namespace tracebed
