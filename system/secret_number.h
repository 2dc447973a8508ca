// A number that nobody can guess, for what a process is to prove that it was told. It decides
// nothing, so a run that is decided again needs none.
#pragma once

#include <cstdint>

#include "core/result.h"
#include "system/file_descriptor.h"

namespace tracebed {

// From the kernel, and never 0. Throws EnvironmentError if it gives none.
std::uint64_t secret_number();

// How one process tells it to another that it starts: a pipe that holds the number and nothing
// else, to be the other's standard input. Unlike a command line or an environment, which every user
// of the machine may read in /proc, it is open to the two processes alone, and empty once it is
// read. The descriptor is close-on-exec. Fails where no pipe can be had.
Result<FileDescriptor> pipe_that_holds(std::uint64_t number);
// The other end's part: reads `descriptor` to its end. Fails if it held anything but a number.
Result<std::uint64_t> read_secret_number(int descriptor);

}  // namespace tracebed
