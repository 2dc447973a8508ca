// The reproductions of this room, each in a source file of its own name.
#pragma once

#include "coordinator/reproductions/reproduction.h"

namespace tracebed {

Reproduction dbd_reproduction();
Reproduction lian_reproduction();
Reproduction mfs_reproduction();

}  // namespace tracebed
