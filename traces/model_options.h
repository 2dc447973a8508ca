// Checks of options shared by all models that generate traces.
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebed {

// Throws InputError stating what the model expects, unless the condition holds.
void require_option(bool condition, std::string_view expected);

// Throws InputError unless there is a job, and not more than a model can number.
void require_jobs(std::uint64_t jobs);

// Throws InputError if a job's submission is later than any trace may be read with.
void require_submit(double seconds);

}  // namespace tracebed
