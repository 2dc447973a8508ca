// Pipes and devices, whose bytes can be read only once, and standard input ("-").
#pragma once

#include <string>

namespace tracebed {

bool is_stream(const std::string& path);
// What messages call it.
std::string name_of_input(const std::string& path);
// Whether it is a folder, such as that of Google's tables.
bool is_folder(const std::string& path);
// For callers that read a trace more than once: throws InputError if it is a stream.
void expect_no_stream(const std::string& path);

}  // namespace tracebed
