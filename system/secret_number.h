// What a process needs to authenticate itself to the coordinator: where that listens, a number that
// nobody can guess, and keys if there are any. No decision depends on it, so a run that is decided
// again needs none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "system/file_descriptor.h"
#include "system/key_file.h"

namespace tracebed {

inline constexpr std::size_t endpoint_bytes_max = 255;

// From the kernel, and never 0. Throws EnvironmentError if the kernel provides none.
std::uint64_t secret_number();

// So many bytes that nobody can guess, likewise.
std::string secret_bytes(std::size_t count);

// A pipe that holds these bytes, at most PIPE_BUF, and nothing else, to be another process's
// standard input. The descriptor is close-on-exec.
Result<FileDescriptor> pipe_with(std::string_view bytes);

struct ProcessSecret {
  std::uint64_t number = 0;  // of a master: the session of its messages
  std::string coordinator;   // its endpoint, of 1 to endpoint_bytes_max bytes
  std::optional<LinkKeys> keys;
};

// How one process passes it to another that it starts: a pipe that holds the secret and nothing
// else, to be the other's standard input. Unlike a command line or an environment, which every user
// of the machine may read in /proc, it is open to the two processes alone, and empty once it is
// read. The descriptor is close-on-exec. Fails if no pipe can be made, or if endpoint or keys are
// invalid.
Result<FileDescriptor> pipe_that_holds(const ProcessSecret& secret);
// The reader's part: reads `descriptor` to its end. Fails if it held anything but a secret.
Result<ProcessSecret> read_secret(int descriptor);

}  // namespace tracebed
