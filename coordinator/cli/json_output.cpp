#include "coordinator/cli/json_output.h"

#include <fmt/core.h>

#include "coordinator/cli/text_output.h"

namespace tracebed {

void print_json(const nlohmann::ordered_json& json) {
  print_lines(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace tracebed
