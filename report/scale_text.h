// What scaling made of a workload, in words.
#pragma once

#include <string>

#include "core/scale_effects.h"

namespace tracebed {

// "Scaled: cpu ÷ 12, memory ÷ 16." in a line; empty if nothing was scaled.
std::string scale_line(const ScaleEffects& effects);

// The same, what each factor changes, and a table of the statistics that changed.
std::string scale_text(const ScaleEffects& effects);

}  // namespace tracebed
