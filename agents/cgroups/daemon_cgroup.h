// The cgroup of a daemon that a run starts beside an agent's launcher, so that what it uses is
// neither limited with the containers nor counted as theirs: a directory beside the agent's in each
// hierarchy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/cgroups/directories.h"
#include "agents/cgroups/limits.h"
#include "agents/cgroups/open_tree.h"
#include "core/result.h"
#include "system/file_descriptor.h"

namespace tracebed {

class DaemonCgroup {
 public:
  // Moves this process, all its threads included, into the directory, which is made, with limits if
  // there are any. On an error it may be in it in some hierarchies.
  static Result<DaemonCgroup> enter(const CgroupSurroundings& surroundings,
                                    const CgroupSupport& support, const AgentName& name,
                                    const std::optional<CgroupLimits>& limits = std::nullopt);
  // Moves it back to where it was, and removes the directory. Where that fails, or the process is
  // killed, the run's sweep removes it, or the next launcher's of this machine.
  ~DaemonCgroup();
  DaemonCgroup(DaemonCgroup&&) noexcept = default;
  DaemonCgroup& operator=(DaemonCgroup&&) = delete;

 private:
  struct Entered {
    std::string place;
    std::string home;          // the directory of the cgroup that it came from
    FileDescriptor directory;  // locked: it is not taken for one of the dead
  };
  explicit DaemonCgroup(const AgentName& name) : name_(name) {}

  Status limit(const CgroupSupport& support, const CgroupLimits& limits);

  AgentName name_;
  std::vector<Entered> entered_;
};

}  // namespace tracebed
