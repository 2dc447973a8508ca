// A comparison as a JSON object, shared by the JSON output and the HTML page.
#pragma once

#include <filesystem>

#include "report/comparison.h"
#include "report/json_fields.h"

namespace tracebed {

// Folders of runs are given relative to the folder `base`; empty: unchanged.
Json comparison_object(const Comparison& comparison, const std::filesystem::path& base);

}  // namespace tracebed
