// The schedulers that Tracebed has. A new one is a folder of its own with its entry, named here.
#pragma once

#include "schedulers/registry.h"

namespace tracebed {

SchedulerRegistry builtin_schedulers();

}  // namespace tracebed
