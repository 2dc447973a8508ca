// Logging rounds, and reading them back.
#pragma once

#include "core/fleet.h"

namespace tracebed {

// Every round is appended, in order, before the engine processes it. Names of users, queues and
// racks are part of the log: an implementation is built over the run's Names and writes each on
// first use.
class RoundLog {
 public:
  virtual ~RoundLog() = default;
  virtual void append(const Round& round) = 0;
  // Returns when everything appended is as durable as the log promises. Called before a round's
  // commands are sent. Throws EnvironmentError if the log cannot be written.
  virtual void commit() = 0;
};

// A log read back.
class RoundSource {
 public:
  virtual ~RoundSource() = default;
  // Clears and fills `round`, or returns false at the end. Throws InputError on a damaged log.
  virtual bool next(Round& round) = 0;
};

}  // namespace tracebed
