// What ends a switch over all constants of an enumeration: a value that is none of them.
#pragma once

#include "core/check.h"

namespace tracebed {

[[noreturn]] inline void unknown_constant() {
  invariant_failed("a known constant", __FILE__, __LINE__,
                   "an enumeration holds one of its constants");
}

}  // namespace tracebed
