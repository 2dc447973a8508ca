// Amounts as YARN's objects have them (ResourceInfo of
// org.apache.hadoop.yarn.server.resourcemanager.webapp.dao).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/resources.h"

namespace tracebed {

// A whole number, as YARN's are: what is had is rounded down and what is taken is rounded up, so
// that both together are what there is.
enum class Had : std::uint8_t { free, taken };
std::int64_t whole_vcores(const Resources& amount, Had had);

// {"memory": 4096, "vCores": 4}; beside a rounded number of vcores "exactVCores", which YARN does
// not have.
nlohmann::ordered_json resource_info(const Resources& amount, Had had = Had::free);

// "<memory:4096, vCores:4>", as Resource.toString writes what is taken.
std::string resource_text(const Resources& taken);

// Of a number that YARN computes as a 32-bit float: further digits are noise. Null if it is not
// finite.
nlohmann::ordered_json float_info(double number);

}  // namespace tracebed
