// Schedulers' figures (core/figure.h) as programs read them: numbers, never text made of them.
#pragma once

#include <nlohmann/json.hpp>

#include "core/figure.h"

namespace tracebed {

// A whole number where it is one.
nlohmann::ordered_json number_json(double number);
// {"memory": 4096, "vcores": 1.5, "gpu": 2}, with all further dimensions.
nlohmann::ordered_json resources_json(const Resources& amount,
                                      const ResourceDimensions& dimensions);
// Parts as parts of 1, times in seconds; null where there is no limit.
nlohmann::ordered_json figure_json(const FigureValue& value, const ResourceDimensions& dimensions);

}  // namespace tracebed
