// A comparison as a JSON object, shared by the JSON output and the HTML page.
#pragma once

#include "report/comparison.h"
#include "report/json_fields.h"

namespace tracebed {

Json comparison_object(const Comparison& comparison);

}  // namespace tracebed
