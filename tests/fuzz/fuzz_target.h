// What a fuzz target is made of: one file defines both functions, for libFuzzer and for the replay
// that runs as a test in every build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracebed::fuzz {

// Well-formed inputs to start from; they come from the project's own writers, so that they follow
// every change of a format.
std::vector<std::string> seeds();

}  // namespace tracebed::fuzz

// Takes any bytes. A crash, a sanitizer's report, a failed check or an exception that is not a
// documented refusal is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
