#include "agents/cgroups/open_tree.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <sys/utsname.h>
#include <unistd.h>

#include "agents/cgroups/sweep.h"
#include "agents/cgroups/tree_v2.h"
#include "core/input_error.h"
#include "system/files.h"

namespace tracebed {
namespace {

std::string read_proc(const char* path) {
  const auto text = read_kernel_file(AT_FDCWD, path, std::size_t{4} << 20);
  if (!text) throw EnvironmentError(std::string(path) + " cannot be read: " + error_text(errno));
  return *text;
}

// cgroup.kill came with Linux 5.14. The root of a hierarchy does not show the file, so the kernel's
// version has to tell.
bool kernel_kills_cgroups() {
  utsname names = {};
  int major = 0;
  int minor = 0;
  if (uname(&names) != 0 || std::sscanf(names.release, "%d.%d", &major, &minor) != 2) return false;
  return std::pair(major, minor) >= std::pair(5, 14);
}

bool has(const CgroupMount& mount, std::string_view controller) {
  return std::find(mount.controllers.begin(), mount.controllers.end(), controller) !=
         mount.controllers.end();
}

// The innermost writable one, else the mount point; nullopt, and a reason, if neither can be used.
std::optional<std::string> place_in(const CgroupMount& mount, const CgroupSurroundings& around,
                                    std::string_view what, std::vector<std::string>& missing) {
  const std::vector<std::string> candidates = own_and_ancestors(mount, around.memberships);
  for (const std::string& candidate : {candidates.front(), candidates.back()}) {
    if (check_writable(candidate) == 0) return candidate;
  }
  missing.push_back(std::string(what) + ": " + candidates.front() +
                    " cannot be written: " + error_text(check_writable(candidates.front())));
  return std::nullopt;
}

struct Need {
  std::string_view controller;
  bool CgroupPlaceV1::*role;
  bool required;
};

// Adds the hierarchy of one controller, once, with all that it is used for.
void add_place(const CgroupSurroundings& around, const Need& need, CgroupSupport& support) {
  const auto mount = std::find_if(around.mounts.begin(), around.mounts.end(),
                                  [&](const auto& m) { return has(m, need.controller); });
  const std::string what = "controller " + std::string(need.controller);
  if (mount == around.mounts.end()) {
    support.missing.push_back(what + ": no version 1 hierarchy of it is mounted");
    return;
  }
  const auto place = place_in(*mount, around, what, support.missing);
  if (!place) return;
  auto& places = support.places_v1;
  auto found = std::find_if(places.begin(), places.end(),
                            [&](const auto& p) { return p.directory == *place; });
  if (found == places.end()) {
    CgroupPlaceV1 fresh;
    fresh.directory = *place;
    found = places.insert(places.end(), std::move(fresh));
  }
  (*found).*need.role = true;
}

// The unified hierarchy of a hybrid machine, if its cgroups can be killed as a whole.
bool add_unified_place(const CgroupSurroundings& around, CgroupSupport& support) {
  const auto mount = std::find_if(around.mounts.begin(), around.mounts.end(),
                                  [](const auto& m) { return m.unified; });
  if (mount == around.mounts.end()) return false;
  std::vector<std::string> reasons;
  const auto place = place_in(*mount, around, "unified hierarchy", reasons);
  if (!place || !kernel_kills_cgroups()) return false;
  CgroupPlaceV1 fresh;
  fresh.directory = *place;
  fresh.unified = true;
  support.places_v1.insert(support.places_v1.begin(), std::move(fresh));
  return true;
}

void detect_v1(const CgroupSurroundings& around, CgroupSupport& support) {
  const bool unified = add_unified_place(around, support);
  const std::array<Need, 5> needs = {{
      {"cpu", &CgroupPlaceV1::cpu, true},
      {"memory", &CgroupPlaceV1::memory, true},
      {"pids", &CgroupPlaceV1::pids, true},
      {"cpuacct", &CgroupPlaceV1::cpuacct, !unified},
      {"freezer", &CgroupPlaceV1::freezer, !unified},
  }};
  for (const Need& need : needs) {
    if (need.required) add_place(around, need, support);
  }
}

constexpr std::array<std::string_view, 3> required_v2 = {"cpu", "memory", "pids"};

std::string text_of(const std::string& directory, const char* file) {
  return read_kernel_file(AT_FDCWD, (directory + "/" + file).c_str()).value_or("");
}

bool has_all(std::string_view controllers) {
  return std::all_of(required_v2.begin(), required_v2.end(),
                     [&](auto name) { return has_controller(controllers, name); });
}

bool is_alone_in(const std::string& directory) {
  const auto processes = processes_in(AT_FDCWD, (directory + "/cgroup.procs").c_str());
  return processes.size() == 1 && processes.front() == getpid();
}

void detect_v2(const CgroupSurroundings& around, const CgroupMount& mount, CgroupSupport& support) {
  const std::vector<std::string> candidates = own_and_ancestors(mount, around.memberships);
  for (const std::string& candidate : candidates) {
    if (!has_all(text_of(candidate, "cgroup.controllers"))) {
      support.missing.push_back(candidate + ": of cpu, memory and pids it has only: " +
                                text_of(candidate, "cgroup.controllers"));
      continue;
    }
    const int error = check_writable(candidate);
    const int control_error = check_writable(candidate + "/cgroup.subtree_control");
    if (error != 0 || control_error != 0) {
      support.missing.push_back(
          candidate + " cannot be written: " + error_text(error != 0 ? error : control_error));
      continue;
    }
    // Only the root of the hierarchy has no cgroup.type; it may hold processes and hand down.
    const bool is_root = text_of(candidate, "cgroup.type").empty();
    const bool hands_down = has_all(text_of(candidate, "cgroup.subtree_control"));
    const bool is_empty = processes_in(AT_FDCWD, (candidate + "/cgroup.procs").c_str()).empty();
    const bool is_alone = is_alone_in(candidate);
    if (is_root || hands_down || is_empty || is_alone) {
      support.kind = CgroupSupport::Kind::v2;
      support.place_v2 = candidate;
      support.alone_in_place_v2 = is_alone && !is_root && !hands_down;
      return;
    }
    support.missing.push_back(candidate + ": other processes are in it, so it cannot hand " +
                              "controllers down");
  }
}

}  // namespace

CgroupSurroundings cgroup_surroundings() {
  return {parse_cgroup_mounts(read_proc("/proc/self/mountinfo")),
          parse_cgroup_memberships(read_proc("/proc/self/cgroup"))};
}

CgroupSupport detect_cgroups(const CgroupSurroundings& surroundings) {
  CgroupSupport support;
  if (surroundings.mounts.empty()) {
    support.missing.push_back("no cgroup hierarchy is mounted");
    return support;
  }
  const bool has_v1 = std::any_of(surroundings.mounts.begin(), surroundings.mounts.end(),
                                  [](const auto& m) { return !m.unified; });
  for (const CgroupMount& mount : surroundings.mounts) {
    if (!mount.unified) continue;
    detect_v2(surroundings, mount, support);
    if (support.kind == CgroupSupport::Kind::v2) {
      support.missing.clear();
      return support;
    }
  }
  if (!has_v1) return support;
  // On a hybrid machine the unified hierarchy lacks controllers by design: not worth a word.
  support.missing.clear();
  detect_v1(surroundings, support);
  if (support.missing.empty()) support.kind = CgroupSupport::Kind::v1;
  return support;
}

Result<std::unique_ptr<CgroupTree>> open_cgroup_tree(const CgroupSupport& support,
                                                     const AgentName& name) {
  for (const auto& [what, text] : {std::pair("run", name.run), std::pair("agent", name.agent)}) {
    if (Status status = check_cgroup_name(what, text); !status) return status.error();
  }
  switch (support.kind) {
    case CgroupSupport::Kind::v1:
      return open_tree_v1(support.places_v1, name);
    case CgroupSupport::Kind::v2:
      if (support.alone_in_place_v2) {
        if (Status status = move_to_leaf(support.place_v2); !status) return status.error();
      }
      return open_tree_v2(support.place_v2, name);
    case CgroupSupport::Kind::none:
      break;
  }
  std::string message = "cgroups cannot be used here";
  for (const std::string& reason : support.missing) message += "; " + reason;
  return Error{message};
}

}  // namespace tracebed
