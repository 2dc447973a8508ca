#include "report/figure_json.h"

#include <cmath>

namespace tracebed {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct FigureReader {
  const ResourceDimensions& dimensions;

  OrderedJson operator()(bool value) const { return value; }
  OrderedJson operator()(std::int64_t count) const { return count; }
  OrderedJson operator()(double number) const { return number_json(number); }
  OrderedJson operator()(Ratio part) const { return number_json(part.value); }
  OrderedJson operator()(Duration time) const { return number_json(to_seconds(time)); }
  OrderedJson operator()(const Resources& amount) const {
    return resources_json(amount, dimensions);
  }
  OrderedJson operator()(const ResourceLimit& limit) const {
    OrderedJson json = resources_json(limit.most, dimensions);
    if (!limit.is_limited[Resources::memory_dimension]) json["memory"] = nullptr;
    if (!limit.is_limited[Resources::vcores_dimension]) json["vcores"] = nullptr;
    for (std::size_t d = Resources::memory_dimension + 1; d < dimensions.size(); ++d) {
      if (!limit.is_limited[d]) json[dimensions.name(d)] = nullptr;
    }
    return json;
  }
  OrderedJson operator()(Unlimited) const { return nullptr; }
  OrderedJson operator()(const std::string& text) const { return text; }
};

}  // namespace

nlohmann::ordered_json number_json(double number) {
  constexpr double exact_max = 9e15;
  if (std::abs(number) < exact_max && number == std::trunc(number)) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

nlohmann::ordered_json resources_json(const Resources& amount,
                                      const ResourceDimensions& dimensions) {
  constexpr double vcore = 1'000;
  OrderedJson json = OrderedJson::object();
  json["memory"] = amount.memory_mib();
  json["vcores"] = number_json(static_cast<double>(amount.milli_vcores()) / vcore);
  for (std::size_t d = Resources::memory_dimension + 1; d < dimensions.size(); ++d) {
    json[dimensions.name(d)] = amount[d];
  }
  return json;
}

nlohmann::ordered_json figure_json(const FigureValue& value, const ResourceDimensions& dimensions) {
  return std::visit(FigureReader{dimensions}, value);
}

}  // namespace tracebed
