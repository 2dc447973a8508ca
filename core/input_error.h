// Thrown where input from outside (a trace, an experiment, a recorded run) cannot be used. The
// message names the file and the line or key, what was expected and what came.
#pragma once

#include <stdexcept>
#include <string>

namespace tracebed {

class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

// A port, right, program or service that the run needs is missing; the message says which.
class EnvironmentError : public std::runtime_error {
 public:
  explicit EnvironmentError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace tracebed
