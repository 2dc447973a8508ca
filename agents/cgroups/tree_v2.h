// The version 2 backend. A container is one directory; the starting process is cloned into it. Out
// of memory ends the whole container (memory.oom.group).
#pragma once

#include <memory>
#include <string>

#include "agents/cgroups/cgroup_tree.h"
#include "agents/cgroups/directories.h"

namespace tracebed {

// `place` is a cgroup from which the controllers cpu, memory and pids can be handed down: the root,
// or one whose cgroup.subtree_control has them, or one without processes of its own. io is handed
// down too if it is available.
Result<std::unique_ptr<CgroupTree>> open_tree_v2(const std::string& place, const AgentName& name);

// Hands the controllers down to the agent's directories of a run, which is there; whether io is
// among them.
Result<bool> hand_down_to_run(const std::string& place, const std::string& run);

// Of the cgroup `name` below the directory, or with "." of its own.
bool can_limit_swap_v2(int directory, std::string_view name);
Status set_limits_v2(int directory, bool limits_swap, std::string_view name,
                     const CgroupLimits& limits);

// Moves this process, the only one in `own`, to a leaf below it, so that `own` can hand down its
// controllers: a cgroup with processes cannot (cgroups(7), "no internal processes").
Status move_to_leaf(const std::string& own);

// True if `controllers`, the text of a cgroup.controllers or cgroup.subtree_control, names `name`.
bool has_controller(std::string_view controllers, std::string_view name);

}  // namespace tracebed
