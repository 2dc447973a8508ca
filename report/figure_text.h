// Schedulers' figures (core/figure.h) as people read them.
#pragma once

#include <string>

#include "core/figure.h"

namespace tracebed {

// "12", "10.0", "75.0%", "5 s", "true", "unlimited", "memory: 4096, vCores: 4": as the queue page
// of YARN's ResourceManager writes its figures. `dimensions` are those of the run.
std::string figure_text(const FigureValue& value, const ResourceDimensions& dimensions);

}  // namespace tracebed
