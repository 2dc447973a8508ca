// The papers whose experiments `tracebed reproduce` knows.
#pragma once

#include <string_view>
#include <vector>

#include "coordinator/reproductions/reproduction.h"

namespace tracebed {

// In alphabetical order.
std::vector<Reproduction> builtin_reproductions();

// Throws InputError for an unknown name, with the known ones.
const Reproduction& find_reproduction(const std::vector<Reproduction>& reproductions,
                                      std::string_view name);

}  // namespace tracebed
