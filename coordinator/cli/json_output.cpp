#include "coordinator/cli/json_output.h"

#include <fmt/core.h>

namespace tracebed {

void print_json(const nlohmann::ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace tracebed
