// JSON for programs that read what `tracebed --json` prints.
#pragma once

#include <nlohmann/json.hpp>

namespace tracebed {

// To standard output, indented, with a newline. Bytes that are no UTF-8 are replaced.
void print_json(const nlohmann::ordered_json& json);

}  // namespace tracebed
