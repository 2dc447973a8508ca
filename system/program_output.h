// What a program prints, for programs that answer a question and end.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "core/result.h"

namespace tracebed {

struct ProgramCall {
  std::string program;  // a path
  std::vector<std::string> arguments;
  std::chrono::nanoseconds timeout{};
  std::size_t output_bytes_max = 0;
};

// Its standard output, if it ends by itself, in time, with exit code 0 and without more output than
// allowed; else a sentence that says what went wrong, with the end of its standard error. It runs
// in a session of its own, without input; whatever of that is left after the call is killed.
Result<std::string> program_output(const ProgramCall& call);

}  // namespace tracebed
