// The reproductions of this room, each in a source file of its own name.
#pragma once

#include "coordinator/reproductions/reproduction.h"

namespace tracebed {

Reproduction lian_reproduction();

}  // namespace tracebed
