// One agent's cgroups: a directory of its own in each hierarchy of the machine, and below it one
// cgroup per container. Two backends: version 1 (cpu, memory, pids; to count CPU time and to
// kill, the unified hierarchy of a hybrid machine, or cpuacct and freezer) and version 2.
//
// All calls are made by one thread. Names of containers are short and plain ([0-9A-Za-z._-]).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "agents/cgroups/limits.h"
#include "core/result.h"
#include "system/file_descriptor.h"

namespace tracebed {

enum class CgroupVersion : std::uint8_t { v1, v2 };

// What a process needs in order to start inside: open descriptors, to be closed when it has
// started.
class CgroupEntry {
 public:
  // Directory to clone into (CLONE_INTO_CGROUP), or -1.
  int clone_into() const { return clone_into_.number(); }
  // Files to which the new process writes "0" before it executes its program.
  std::span<const FileDescriptor> attach() const { return std::span(attach_).first(count_); }

  void set_clone_into(FileDescriptor directory) { clone_into_ = std::move(directory); }
  void add_attach(FileDescriptor file) { attach_.at(count_++) = std::move(file); }

 private:
  FileDescriptor clone_into_;
  std::array<FileDescriptor, 7> attach_;
  std::size_t count_ = 0;
};

// What the processes of a container have used since it was made.
struct CgroupAccount {
  std::int64_t cpu_time_us = 0;
  std::int64_t memory_peak_bytes = 0;  // 0 if the kernel keeps no peak (version 2 before 5.19)
  std::int64_t oom_kills = 0;
  // From and to block devices. 0 without an io controller, and always in version 1: Linux 6.10 and
  // later count there only while a device has a throttling rule.
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
};

// All containers of the agent together, those that have ended included.
struct CgroupUsage {
  std::int64_t cpu_time_us = 0;
  std::int64_t memory_bytes = 0;  // now
};

enum class Removal : std::uint8_t {
  removed,  // or did not exist
  busy,     // processes are left in it
  failed,   // for another reason; trying again is of no use
};

// In the place of a container's name: the agent's directory, in which its containers are.
inline constexpr std::string_view agents_own_cgroup = ".";

class CgroupTree {
 public:
  virtual ~CgroupTree() = default;

  virtual CgroupVersion version() const = 0;
  // Where the agent's directories are and which controllers they have, for logs.
  virtual std::string description() const = 0;

  // Makes a container's cgroup with its limits. On an error nothing of it is left.
  virtual Result<CgroupEntry> create(std::string_view name, const CgroupLimits& limits) = 0;
  virtual Result<CgroupAccount> account(std::string_view name) const = 0;
  virtual Result<CgroupUsage> usage() const = 0;

  // All containers together get at most this much CPU time from now on, in addition to each one's
  // own limit; 0: any. It is set where their limits may add up to more than the machine is to
  // have, or where they have weights. Without it nothing limits them together: two limits whose
  // periods begin at different times would delay containers that keep to their own.
  virtual Status limit_cpu_of_all(std::int64_t milli_vcores) = 0;

  // Begins a new period of CPU time with the whole quota, so that a container that has
  // used up its quota, and would otherwise receive a signal only in its next period, runs at once.
  // The quota is unchanged. So does that of all containers, if there is one.
  virtual Status renew_cpu_quota(std::string_view name) = 0;
  // Sends SIGKILL to everything inside, including trees that fork, and renews its CPU quota. The
  // processes are gone a little later; remove() reports when.
  virtual Status kill(std::string_view name) = 0;
  // One try, which does not wait.
  virtual Removal remove(std::string_view name) = 0;
  // Removes the agent's own directories, and those of the run if no other agent has any in them.
  // Every container must be removed before. Nothing else may be called afterwards.
  virtual Status close() = 0;
};

std::string_view name(CgroupVersion version);

// "name/file" without an allocation.
class CgroupPath {
 public:
  CgroupPath(std::string_view name, std::string_view file);
  const char* c_str() const { return text_.data(); }

 private:
  std::array<char, 128> text_;
};

// Checks a run's or agent's name before it becomes a directory: 1 to 100 characters of
// [0-9A-Za-z._-], not starting with a dot.
Status check_cgroup_name(std::string_view what, std::string_view name);

}  // namespace tracebed
