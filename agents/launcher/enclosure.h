// What contains a container's processes: cgroups, or, on a machine that cannot write them, process
// groups (isolation "none").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>

#include "agents/cgroups/cgroup_tree.h"
#include "agents/launcher/messages.h"
#include "core/result.h"

namespace tracebed::launcher {

// What is known of a main process that has been waited for.
struct Reaped {
  pid_t process = 0;
  int status = 0;  // of waitpid
  rusage used = {};
  std::int64_t bytes_read = 0;  // storage traffic, of the process and those it waited for
  std::int64_t bytes_written = 0;
};

class Enclosure {
 public:
  virtual ~Enclosure() = default;

  virtual Isolation isolation() const = 0;
  virtual std::string description() const = 0;

  struct Opened {
    std::optional<CgroupEntry> entry;
    std::int64_t address_space_bytes = 0;  // limit to set; 0: none
  };
  // For a container that is about to start. On an error nothing is left of it.
  virtual Result<Opened> open(std::uint32_t container, const CgroupLimits& limits) = 0;
  virtual void started(std::uint32_t container, pid_t process) = 0;

  // After the main process has been waited for; final when nothing is left inside.
  virtual CgroupAccount account(std::uint32_t container, const Reaped& reaped) = 0;
  // Lets a container that has used up its CPU quota run at once, so that it receives signals.
  virtual Status renew_cpu_quota(std::uint32_t container) = 0;
  // Sends SIGKILL to all inside, which has effect at once.
  virtual Status kill(std::uint32_t container) = 0;
  // Ends the enclosure unless processes are left in it.
  virtual Removal remove(std::uint32_t container) = 0;

  // As CgroupTree::limit_cpu_of_all.
  virtual Status limit_cpu_of_all(std::int64_t milli_vcores) = 0;
  virtual Result<CgroupUsage> usage() = 0;
  // After all containers have been removed.
  virtual Status close() = 0;
};

std::unique_ptr<Enclosure> make_cgroup_enclosure(std::unique_ptr<CgroupTree> tree);

// No CPU or pids limit, neither of a container nor of all; the memory limit is on the address space
// of each process, so that a process that requests too much is refused it rather than killed. A
// process that leaves its session lives until the launcher, its next parent, finds it.
std::unique_ptr<Enclosure> make_process_group_enclosure();

}  // namespace tracebed::launcher
