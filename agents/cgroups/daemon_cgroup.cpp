#include "agents/cgroups/daemon_cgroup.h"

#include <fcntl.h>

#include "agents/cgroups/tree_v1.h"
#include "agents/cgroups/tree_v2.h"
#include "system/files.h"

namespace tracebed {
namespace {

// The directory of this process's cgroup in the hierarchy that `place` is in.
std::string home_in(const CgroupSurroundings& surroundings, const std::string& place) {
  std::string home;
  std::size_t longest = 0;
  for (const CgroupMount& mount : surroundings.mounts) {
    const std::string below = mount.mount_point + "/";
    if ((place != mount.mount_point && !place.starts_with(below)) || below.size() < longest) {
      continue;
    }
    longest = below.size();
    home = own_and_ancestors(mount, surroundings.memberships).front();
  }
  return home;
}

int move_to(int directory) {
  return write_kernel_file(directory, "cgroup.procs", "0");
}

}  // namespace

Result<DaemonCgroup> DaemonCgroup::enter(const CgroupSurroundings& surroundings,
                                         const CgroupSupport& support, const AgentName& name,
                                         const std::optional<CgroupLimits>& limits) {
  std::vector<std::string> places;
  switch (support.kind) {
    case CgroupSupport::Kind::v1:
      for (const CgroupPlaceV1& place : support.places_v1) places.push_back(place.directory);
      break;
    case CgroupSupport::Kind::v2:
      places.push_back(support.place_v2);
      break;
    case CgroupSupport::Kind::none: {
      std::string message = "cgroups cannot be used here";
      for (const std::string& reason : support.missing) message += "; " + reason;
      return Error{message};
    }
  }
  DaemonCgroup cgroup(name);
  for (const std::string& place : places) {
    Result<FileDescriptor> directory = open_agent_directory(place, name);
    if (!directory) return directory.error();
    cgroup.entered_.push_back({place, home_in(surroundings, place), *std::move(directory)});
  }
  if (limits) {
    if (const Status limited = cgroup.limit(support, *limits); !limited) return limited.error();
  }
  for (const Entered& entered : cgroup.entered_) {
    if (const int error = move_to(entered.directory.number()); error != 0) {
      return Error{agent_path(entered.place, name) + " cannot be entered: " + error_text(error)};
    }
  }
  return cgroup;
}

// What was made is in the order of the places.
Status DaemonCgroup::limit(const CgroupSupport& support, const CgroupLimits& limits) {
  if (support.kind == CgroupSupport::Kind::v2) {
    const Result<bool> handed_down = hand_down_to_run(support.place_v2, name_.run);
    if (!handed_down) return handed_down.error();
    const int directory = entered_.front().directory.number();
    return set_limits_v2(directory, can_limit_swap_v2(directory, "."), ".", limits);
  }
  LimitedV1 limited;
  for (std::size_t i = 0; i < entered_.size(); ++i) {
    const int directory = entered_[i].directory.number();
    const CgroupPlaceV1& place = support.places_v1[i];
    if (place.cpu) limited.cpu = directory;
    if (place.memory) limited.memory = directory;
    if (place.pids) limited.pids = directory;
  }
  return set_limits_v1(limited, can_limit_swap_v1(limited.memory), ".", limits);
}

DaemonCgroup::~DaemonCgroup() {
  for (Entered& entered : entered_) {
    const FileDescriptor home(open(entered.home.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!home.is_open() || move_to(home.number()) != 0) continue;
    entered.directory.reset();
    static_cast<void>(remove_agent_directory(entered.place, name_));
  }
}

}  // namespace tracebed
