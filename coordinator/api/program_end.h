// How the programs of this project end: an exception becomes a message and an exit code.
#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include "core/exit_codes.h"

namespace tracebed {

// What a run ends with of which no job succeeded.
struct NoneSucceeded : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// What a run ends with of which a replay was given up.
struct RunStalled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Of a program that ends because of it; a defect of Tracebed where nobody throws what it is.
ExitCode exit_code_of(const std::exception& error);

// Runs `body`, with every exception caught, its message written to stderr after the program's name,
// and standard output flushed. For main.
int end_program(const std::string& program, const std::function<ExitCode()>& body);

}  // namespace tracebed
