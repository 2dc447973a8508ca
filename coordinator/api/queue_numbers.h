// A queue's figures, which are texts for people, parsed as numbers for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/resources.h"
#include "core/scheduler_view.h"

namespace tracebed {

// Null if the queue has no such figure.
const ExplainedFigure* find_figure(const ExplainedQueue& queue, std::string_view name);

// Of "75.0%" 75.0, of "12" the whole number 12; none if it is no number, or no finite one.
std::optional<nlohmann::ordered_json> read_number(std::string_view text);

// Of "memory: 4096, vCores: 4", which is how YARN writes resources. A part that is not a number
// ("unlimited") is taken from `otherwise`, or without it the result is none. Further dimensions are
// ignored.
std::optional<Resources> read_resources(std::string_view text,
                                        const Resources* otherwise = nullptr);

// {"memory": 4096, "vCores": 4}, as YARN's ResourceInfo has them; a part of a vcore is a fraction.
nlohmann::ordered_json resource_info(const Resources& resources);

}  // namespace tracebed
