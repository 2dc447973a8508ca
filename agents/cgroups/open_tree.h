// Finds out how containers can be isolated on this machine, and reports exactly what is missing if
// they cannot.
//
// Where the agent's directory is made. Version 1: in each hierarchy below the process's own cgroup
// if that can be written, else below the mount point (the own cgroups may differ between
// hierarchies). Version 2: below the process's own cgroup or the nearest ancestor that can hand
// controllers down, which is one that does so already, or the root; if this process is alone in its
// own cgroup (a service with delegation), it moves to a leaf of it, and that is the place. Version
// 2 is chosen if its hierarchy has the controllers cpu, memory and pids; else version 1.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/cgroups/cgroup_tree.h"
#include "agents/cgroups/directories.h"
#include "agents/cgroups/mounts.h"
#include "agents/cgroups/tree_v1.h"

namespace tracebed {

struct CgroupSurroundings {
  std::vector<CgroupMount> mounts;
  std::vector<CgroupMembership> memberships;
};
// Of this process. Throws EnvironmentError if /proc is not readable.
CgroupSurroundings cgroup_surroundings();

// What was found. Without a version, `missing` has the reasons: one sentence per hierarchy or
// right.
struct CgroupSupport {
  enum class Kind : std::uint8_t { none, v1, v2 };
  Kind kind = Kind::none;
  std::vector<CgroupPlaceV1> places_v1;
  std::string place_v2;
  bool alone_in_place_v2 = false;  // the process must move to a leaf first
  std::vector<std::string> missing;
};
// Reads and checks rights; changes nothing.
CgroupSupport detect_cgroups(const CgroupSurroundings& surroundings);

// Opens the agent's tree and holds it locked against a second launcher of the same agent; what an
// earlier one left in it is killed and removed first. The error names what is missing.
Result<std::unique_ptr<CgroupTree>> open_cgroup_tree(const CgroupSupport& support,
                                                     const AgentName& name);

}  // namespace tracebed
