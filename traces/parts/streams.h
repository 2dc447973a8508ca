// Pipes and devices, whose bytes come once and are gone then.
#pragma once

#include <string>

namespace tracebed {

bool is_stream(const std::string& path);
// For those who read a trace more than once: throws InputError if it is a stream.
void expect_no_stream(const std::string& path);

}  // namespace tracebed
