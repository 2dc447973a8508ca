// Thrown where input from outside (a trace, an experiment, a recorded run) cannot be used. The
// message names the file and the line or key, what was expected and what was found.
#pragma once

#include <stdexcept>
#include <string>

namespace tracebed {

class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

// A port, permission, program or service that the run needs is missing; the message names it.
class EnvironmentError : public std::runtime_error {
 public:
  explicit EnvironmentError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace tracebed
