// Starts a process straight into its cgroups, from a parent of any size: clone3 with CLONE_VM and
// CLONE_VFORK copies no page tables, so the cost does not grow with the parent (measured: fork of a
// 1 GB parent takes up to 38 ms). The child runs on a stack of its own until it has executed its
// program, and reports a failure through the shared memory.
//
// The new process: is in its cgroups before its first instruction of its own; dies with its parent
// thread (PR_SET_PDEATHSIG); leads a session; has no privileges to gain, no core dumps, no
// real-time or raised priority, no message queues, few descriptors, no environment but what it is
// given, the default signal dispositions and no blocked signals but those asked for; its standard
// streams are what it is given, or /dev/null. Every other descriptor of the parent must be
// close-on-exec, also the one that it keeps, and 0 to 2 must be the parent's standard streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <sched.h>
#include <string>
#include <sys/types.h>

#include "agents/cgroups/cgroup_tree.h"
#include "agents/launcher/syscall_filter.h"
#include "agents/launcher/task_users.h"
#include "core/result.h"

namespace tracebed {

struct ProcessToStart {
  int program = -1;  // open file (O_PATH will do): no path is looked up when a process starts
  char* const* arguments = nullptr;    // zero-terminated, as for execve
  char* const* environment = nullptr;  // likewise; none: an empty one
  int input = -1;                      // its standard input; none: /dev/null
  int output = -1;                     // its standard output and error; likewise
  int kept = -1;                       // one more descriptor that it keeps, by its number
  const CgroupEntry* entry = nullptr;  // none: no cgroups
  std::optional<TaskUsers> run_as;     // else the parent's own
  SyscallFilter* filter = nullptr;     // none: all system calls; changed by the start
  // How many processes and threads its user may have, where that is its own; 0: no limit.
  std::int64_t processes_max = 0;
  // They wait for the program to ask for them; signal n is bit n - 1.
  std::uint64_t blocked_signals = 0;
  std::int64_t address_space_bytes = 0;  // RLIMIT_AS; 0: no limit
  const cpu_set_t* cpus = nullptr;       // on which it runs; none: its parent's
};

// Which step failed, and its errno.
struct StartFailure {
  enum class Step : std::uint8_t {
    clone,
    attach,
    cpus,
    session,
    user,
    parent,
    limits,
    streams,
    filter,
    execute
  };
  Step step = Step::clone;
  int error = 0;
};
std::string describe(const StartFailure& failure);

class ProcessStarter {
 public:
  // Throws EnvironmentError if the child's stack cannot be allocated.
  ProcessStarter();
  ~ProcessStarter();
  ProcessStarter(const ProcessStarter&) = delete;
  ProcessStarter& operator=(const ProcessStarter&) = delete;

  // The new process's id; the caller is its parent and waits for it. Returns when the child has
  // executed its program or failed to; in the latter case it has been waited for already.
  Result<pid_t, StartFailure> start(const ProcessToStart& process);

 private:
  void* stack_ = nullptr;
  FileDescriptor null_device_;
};

}  // namespace tracebed
