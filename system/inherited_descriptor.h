// Descriptors that a program's parent left open for it, by their numbers on its command line.
#pragma once

#include "system/file_descriptor.h"

namespace tracebed {

// Closed in programs that this one executes; of a negative number, none. Throws InputError, with
// the flag, for a number that is not open.
FileDescriptor take_inherited(const char* flag, int number);

// The same of the reading end of a pipe whose end tells that the parent has. A process that is
// stopped (SIGSTOP) would not read that, so the kernel continues it when the parent's thread that
// started it ends, however it does (PR_SET_PDEATHSIG).
FileDescriptor take_lifeline(const char* flag, int number);

}  // namespace tracebed
