// The schedulers that Tracebed has, for tests.
#pragma once

#include "schedulers/entries/builtin_schedulers.h"

namespace tracebed::test {

inline const SchedulerRegistry& schedulers() {
  static const SchedulerRegistry all = builtin_schedulers();
  return all;
}

}  // namespace tracebed::test
