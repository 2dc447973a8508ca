// Removes what a killed launcher left: processes first, then their cgroups.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agents/cgroups/directories.h"
#include "agents/cgroups/mounts.h"
#include "core/result.h"

namespace tracebed {

struct SweepReport {
  std::size_t cgroups_removed = 0;
  // "directory: why", for each one that still exists after the time allowed (5 s).
  std::vector<std::string> left;
};

// Kills everything inside the given cgroup directories and removes them with everything below them.
// Directories of different hierarchies that hold the same processes are given together, so that a
// tree of forking processes can be frozen in one and counted in all.
SweepReport sweep_directories(std::vector<std::string> directories);

// Sweeps everything directly below the given directories, which are kept; the error names what is
// left.
Status sweep_children(const std::vector<std::string>& directories);

// Removes what launchers of any run left if they died and nothing cleaned up after them: their
// agents' directories, below this process's own cgroups and their ancestors, are not locked. If
// there is one, the whole hierarchies are searched, since the dead launchers may have been in
// cgroups that are no ancestors of this process's. Nothing is killed: containers die with their
// launcher, and a directory that holds processes nevertheless is left and reported.
SweepReport sweep_abandoned(const std::vector<CgroupMount>& mounts,
                            const std::vector<CgroupMembership>& memberships);

// Sweeps all agents of a run, in every directory of that run in this process's own cgroup or an
// ancestor of it. Live launchers of the run lose their containers too.
SweepReport sweep_run(const std::vector<CgroupMount>& mounts,
                      const std::vector<CgroupMembership>& memberships, const std::string& run);

// Likewise of one agent, whose launcher was killed; the others of the run keep theirs.
SweepReport sweep_agent(const std::vector<CgroupMount>& mounts,
                        const std::vector<CgroupMembership>& memberships, const AgentName& name);

}  // namespace tracebed
