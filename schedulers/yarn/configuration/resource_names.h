// How YARN's files name resources in amounts: "memory-mb=4096, vcores=4, gpu=1".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/resources.h"

namespace tracebed {

// The dimension of that name; memory is "memory-mb", too. None if the machines have no such
// resource.
inline std::optional<std::size_t> named_dimension(std::string_view name,
                                                  const ResourceDimensions& dimensions) {
  if (name == "memory-mb") return Resources::memory_dimension;
  const std::size_t dimension = dimensions.find(name);
  return dimension == dimensions.size() ? std::nullopt : std::optional(dimension);
}

// Stands before the name of a resource that an amount names, but no machine has.
inline constexpr std::string_view missing_resource = "machines have no resource ";

// What is expected instead of it.
inline std::string expected_without(std::string_view name, const ResourceDimensions& dimensions) {
  std::string known;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    known += (d == 0 ? "" : ", ") + dimensions.name(d);
  return "amounts of " + known + "; " + std::string(missing_resource) + std::string(name);
}

}  // namespace tracebed
