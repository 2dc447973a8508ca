// Where the cgroup hierarchies of this machine are, and where in them this process is: the text of
// /proc/self/mountinfo and /proc/self/cgroup as plain data (proc(5), cgroups(7)).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

// One mounted hierarchy. Version 2 is the unified one and names no controllers here: they are read
// from its cgroup.controllers.
struct CgroupMount {
  bool unified = false;
  std::vector<std::string> controllers;  // of version 1; several may share a hierarchy
  std::string mount_point;
  std::string root;  // the cgroup that is seen at mount_point, as /proc/self/cgroup would name it

  bool operator==(const CgroupMount&) const = default;
};

// Lines of other file systems, and version 1 hierarchies without a controller, are ignored. If one
// mount point is mounted twice, the later line, which covers the earlier, is kept.
std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo);

// The cgroup of this process in one hierarchy.
struct CgroupMembership {
  std::vector<std::string> controllers;  // empty for the unified hierarchy
  std::string path;

  bool operator==(const CgroupMembership&) const = default;
};

std::vector<CgroupMembership> parse_cgroup_memberships(std::string_view self_cgroup);

// The process's own cgroup and its ancestors as directories, innermost first; the last is always
// the mount point. A path outside the mount's root (seen in containers whose cgroup namespace
// differs from their mounts) leaves only the mount point.
std::vector<std::string> own_and_ancestors(const CgroupMount& mount,
                                           const std::vector<CgroupMembership>& memberships);

}  // namespace tracebed
