// How numbers and resources are written for people, as YARN's programs do.
#pragma once

#include <string>

#include "core/figure.h"
#include "core/resources.h"

namespace tracebed {

// "10.0", with up to six digits.
std::string number_text(double number);
// "75.0%" of 0.75, with up to six digits.
std::string percent_text(double fraction);
// "memory: 4096, vCores: 4", as YARN writes resources; vCores only if there are some.
std::string resources_text(const Resources& resources);
// With those of its further dimensions that are not zero: "memory: 1024, vCores: 1, gpu: 2".
std::string resources_text(const Resources& resources, const ResourceDimensions& dimensions);
// "memory: 4096, vCores: unlimited", with all further dimensions: "gpu: unlimited".
std::string limit_text(const ResourceLimit& limit, const ResourceDimensions& dimensions);

}  // namespace tracebed
