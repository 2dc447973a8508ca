// Arrays within documents, walked with a check of every element. Missing arrays are empty ones.
#pragma once

#include <functional>
#include <string_view>

#include "traces/json/json_fields.h"

namespace tracebed {

// Visits every object of the array `key`. False if `visit` was, or if something that is no object
// is in it, which is reported.
bool each_object(const JsonFields& fields, std::string_view key,
                 const std::function<bool(const JsonFields&)>& visit);
// The same for texts.
bool each_text(const JsonFields& fields, std::string_view key,
               const std::function<bool(std::string_view)>& visit);

}  // namespace tracebed
