// The version 1 backend, for pure v1 and hybrid machines. A container is one directory in each of
// several hierarchies, so a starting process attaches itself to each before it executes; where the
// unified hierarchy is mounted too (hybrid), it is cloned into a directory there, which has no
// controllers but counts CPU time and can be killed as a whole (cgroup.kill). Without it, CPU time
// comes from cpuacct, and killing is freeze, SIGKILL to each, thaw: a plain loop of kills loses the
// race against a process that forks (measured: over 100,000 passes).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/cgroups/cgroup_tree.h"
#include "agents/cgroups/directories.h"

namespace tracebed {

// A place in one hierarchy below which directories can be made, and what the hierarchy is used for.
struct CgroupPlaceV1 {
  std::string directory;
  bool cpu = false;
  bool cpuacct = false;
  bool memory = false;
  bool pids = false;
  bool freezer = false;
  bool unified = false;
};

// `places` has cpu, memory and pids, and unified, or freezer and cpuacct. Each hierarchy is listed
// once, with everything it is used for.
Result<std::unique_ptr<CgroupTree>> open_tree_v1(std::vector<CgroupPlaceV1> places,
                                                 const AgentName& name);

// The directories in which a cgroup's limits are set.
struct LimitedV1 {
  int cpu = -1;
  int memory = -1;
  int pids = -1;
};
// Only machines with swap accounting can limit it.
bool can_limit_swap_v1(int memory_directory);
// Of the cgroup `name` below them; "." is the directories' own.
Status set_limits_v1(const LimitedV1& limited, bool limits_swap, std::string_view name,
                     const CgroupLimits& limits);

}  // namespace tracebed
