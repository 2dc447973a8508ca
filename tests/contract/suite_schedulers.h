// Over what the suites of this folder run. They declare these two, and each program that links them
// says what they are: builtin_schedulers.cpp for Tracebed's own schedulers.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/scheduler.h"

namespace tracebed {

// Names of tests, which are good for ever.
std::vector<std::string_view> suite_schedulers();

// By one of these names, for a run with these resources, and nodes that beat so often.
std::unique_ptr<Scheduler> make_for_suite(std::string_view name, std::uint64_t seed = 1,
                                          const ResourceDimensions& dimensions = {},
                                          Duration heartbeat = {});

}  // namespace tracebed
