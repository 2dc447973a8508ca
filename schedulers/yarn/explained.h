// The format of figures in schedulers' explanations (core/scheduler_view.h).
#pragma once

#include <string>

#include "core/resources.h"
#include "core/scheduler_view.h"

namespace tracebed {

// "75.0%" of 0.75, with up to six digits.
std::string percent_text(double fraction);
// "10.0", with up to six digits.
std::string number_text(double number);
// "memory: 4096, vCores: 4", as YARN writes resources; vCores only if not zero.
std::string resources_text(const Resources& resources);
// With those of its further dimensions that are not zero: "memory: 1024, vCores: 1, gpu: 2".
std::string resources_text(const Resources& resources, const ResourceDimensions& dimensions);

}  // namespace tracebed
