#include "agents/cgroups/sweep.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include "agents/cgroups/account_files.h"
#include "agents/cgroups/cgroup_tree.h"
#include "agents/cgroups/directories.h"
#include "core/check.h"
#include "system/file_descriptor.h"
#include "system/files.h"

namespace tracebed {
namespace {

// All directories from `top` down, parents before children.
std::vector<std::string> tree_of(const std::string& top) {
  std::vector<std::string> all = {top};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::string& name : subdirectories(all[i])) all.push_back(all[i] + "/" + name);
  }
  return all;
}

bool has_file(const std::string& directory, const char* file) {
  return access((directory + "/" + file).c_str(), F_OK) == 0;
}

void kill_each_below(const std::string& top) {
  for (const std::string& directory : tree_of(top)) {
    kill_processes_in(AT_FDCWD, (directory + "/cgroup.procs").c_str(), 1);
  }
}

void kill_below(const std::string& top) {
  if (has_file(top, "cgroup.kill")) {
    if (write_kernel_file(AT_FDCWD, (top + "/cgroup.kill").c_str(), "1") == 0) return;
  }
  if (has_file(top, "freezer.state")) {
    const std::string state = top + "/freezer.state";
    freeze_v1(AT_FDCWD, state.c_str());
    kill_each_below(top);
    write_kernel_file(AT_FDCWD, state.c_str(), "THAWED");
    return;
  }
  kill_each_below(top);
}

// Hierarchies that kill for certain come first: after them the others have nothing left to fork.
bool kills_for_certain(const std::string& directory) {
  return has_file(directory, "cgroup.kill") || has_file(directory, "freezer.state");
}

// One pass over `top`; returns 0, or the errno of the first directory that stays.
int remove_below(const std::string& top, std::size_t& removed) {
  const std::vector<std::string> all = tree_of(top);
  int first_error = 0;
  for (auto directory = all.rbegin(); directory != all.rend(); ++directory) {
    if (rmdir(directory->c_str()) == 0) {
      ++removed;
    } else if (errno != ENOENT && first_error == 0) {
      first_error = errno;
    }
  }
  return first_error;
}

std::vector<std::string> project_directories(const std::vector<CgroupMount>& mounts,
                                             const std::vector<CgroupMembership>& memberships) {
  std::vector<std::string> projects;
  for (const CgroupMount& mount : mounts) {
    for (const std::string& place : own_and_ancestors(mount, memberships)) {
      projects.push_back(place + "/" + std::string(project_directory));
    }
  }
  return projects;
}

// Wherever they are below `directory`.
void add_project_directories(const std::string& directory, std::vector<std::string>& projects) {
  for (const std::string& name : subdirectories(directory)) {
    const std::string below = directory + "/" + name;
    if (name == project_directory) {
      projects.push_back(below);
    } else {
      add_project_directories(below, projects);
    }
  }
}

bool holds_processes(const std::string& top) {
  const std::vector<std::string> all = tree_of(top);
  return std::any_of(all.begin(), all.end(), [](const std::string& directory) {
    return !processes_in(AT_FDCWD, (directory + "/cgroup.procs").c_str()).empty();
  });
}

// Agents' directories with the locks that keep a launcher from taking them up meanwhile.
struct Abandoned {
  std::vector<std::string> directories;
  std::vector<FileDescriptor> locks;
};

Abandoned find_abandoned(const std::vector<std::string>& projects) {
  Abandoned abandoned;
  for (const std::string& project : projects) {
    for (const std::string& run : subdirectories(project)) {
      for (const std::string& agent : subdirectories(project + "/" + run)) {
        const std::string directory = project + "/" + run + "/" + agent;
        FileDescriptor lock = lock_if_abandoned(directory);
        if (!lock.is_open()) continue;
        abandoned.directories.push_back(directory);
        abandoned.locks.push_back(std::move(lock));
      }
    }
  }
  return abandoned;
}

// Those of runs, then the project's own; they stay where others are in them.
void remove_empty(const std::vector<std::string>& projects) {
  for (const std::string& project : projects) {
    for (const std::string& run : subdirectories(project)) rmdir((project + "/" + run).c_str());
    rmdir(project.c_str());
  }
}

}  // namespace

SweepReport sweep_directories(std::vector<std::string> directories) {
  using Clock = std::chrono::steady_clock;
  SweepReport report;
  std::erase_if(directories, [](const std::string& path) { return !is_directory(path); });
  std::stable_partition(directories.begin(), directories.end(), kills_for_certain);
  const auto deadline = Clock::now() + std::chrono::seconds(5);
  while (!directories.empty()) {
    for (const std::string& directory : directories) kill_below(directory);
    report.left.clear();
    std::erase_if(directories, [&](const std::string& directory) {
      const int error = remove_below(directory, report.cgroups_removed);
      if (error != 0) report.left.push_back(directory + ": " + error_text(error));
      return error == 0;
    });
    if (Clock::now() > deadline) break;
    if (!directories.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return report;
}

Status sweep_children(const std::vector<std::string>& directories) {
  std::vector<std::string> children;
  for (const std::string& directory : directories) {
    for (const std::string& name : subdirectories(directory)) {
      children.push_back(directory + "/" + name);
    }
  }
  const SweepReport report = sweep_directories(std::move(children));
  if (report.left.empty()) return success();
  return Error{"an earlier launcher's cgroup cannot be removed: " + report.left.front()};
}

SweepReport sweep_abandoned(const std::vector<CgroupMount>& mounts,
                            const std::vector<CgroupMembership>& memberships) {
  std::vector<std::string> projects = project_directories(mounts, memberships);
  std::erase_if(projects, [](const std::string& path) { return !is_directory(path); });
  if (projects.empty() || find_abandoned(projects).directories.empty()) {
    remove_empty(projects);
    return {};
  }
  projects.clear();
  for (const CgroupMount& mount : mounts) add_project_directories(mount.mount_point, projects);
  const Abandoned abandoned = find_abandoned(projects);
  SweepReport report;
  for (const std::string& directory : abandoned.directories) {
    const int error =
        holds_processes(directory) ? EBUSY : remove_below(directory, report.cgroups_removed);
    if (error != 0) report.left.push_back(directory + ": " + error_text(error));
  }
  remove_empty(projects);
  return report;
}

SweepReport sweep_run(const std::vector<CgroupMount>& mounts,
                      const std::vector<CgroupMembership>& memberships, const std::string& run) {
  // The name becomes part of a path that is removed with all below it.
  TRACEBED_CHECK(check_cgroup_name("run", run).has_value(), "a run's name is a plain word");
  const std::vector<std::string> projects = project_directories(mounts, memberships);
  std::vector<std::string> runs;
  for (const std::string& project : projects) runs.push_back(project + "/" + run);
  SweepReport report = sweep_directories(std::move(runs));
  for (const std::string& project : projects) rmdir(project.c_str());  // stays if another run's
  return report;
}

SweepReport sweep_agent(const std::vector<CgroupMount>& mounts,
                        const std::vector<CgroupMembership>& memberships, const AgentName& name) {
  for (const auto& [of, text] : {std::pair("run", name.run), std::pair("agent", name.agent)}) {
    TRACEBED_CHECK(check_cgroup_name(of, text).has_value(), "names of cgroups are plain words");
  }
  const std::vector<std::string> projects = project_directories(mounts, memberships);
  std::vector<std::string> agents;
  for (const std::string& project : projects) {
    agents.push_back(project + "/" + name.run + "/" + name.agent);
  }
  SweepReport report = sweep_directories(std::move(agents));
  for (const std::string& project : projects) {
    rmdir((project + "/" + name.run).c_str());  // stays if another agent's
    rmdir(project.c_str());
  }
  return report;
}

}  // namespace tracebed
