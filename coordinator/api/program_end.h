// How the programs of this project end: an exception becomes a message and an exit code.
#pragma once

#include <functional>
#include <string>

#include "core/exit_codes.h"

namespace tracebed {

// Runs `body`, with every exception caught, its message written to stderr after the program's name,
// and standard output flushed. For main.
int end_program(const std::string& program, const std::function<ExitCode()>& body);

}  // namespace tracebed
