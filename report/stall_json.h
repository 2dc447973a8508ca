// A stall as a part of run.json (core/stall.h).
#pragma once

#include "core/stall.h"
#include "report/json_fields.h"

namespace tracebed {

void write_stall(JsonOutput& fields, const Stall& stall, const ResourceDimensions& dimensions);
// Throws InputError naming the key.
void read_stall(JsonInput& fields, Stall& stall, const ResourceDimensions& dimensions);

}  // namespace tracebed
