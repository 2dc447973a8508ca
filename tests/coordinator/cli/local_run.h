// A small run in the local world as a user starts it, and what can be seen of it from outside: its
// processes, cgroups, sockets and folders.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

#include "coordinator/cli/program.h"

namespace tracebed {

class LocalRun {
 public:
  // `name` is the experiment's, and must be this run's own on this machine.
  explicit LocalRun(std::string name) : name_(std::move(name)) {}

  // Of `tracebed`, for an experiment of that many jobs of `seconds_each` trace seconds, ten of
  // which pass in one of the wall clock's. Six of them run at a time.
  std::vector<std::string> arguments(int jobs, int seconds_each,
                                     const std::string& node_memory = "1 GiB");
  const std::string& name() const { return name_; }
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path experiment() const { return folder_.path() / "local.toml"; }
  // Writes the file of a coordinator on a free port that takes the experiment.
  std::filesystem::path coordinator_file() const;
  std::filesystem::path runs() const { return folder_.path() / "runs"; }

  // Processes that `root` started, and those that these did, by the name of their program; "sh" is
  // the keeper of the private Redis. They are remembered for leftovers().
  std::vector<pid_t> processes(pid_t root, const std::string& program);
  // True if a container's process is there.
  bool has_containers(pid_t root) { return !processes(root, "tracebed-task").empty(); }

  // Of what has been seen: processes that still run, cgroups, folders, sockets, mounts.
  std::vector<std::string> leftovers() const;

 private:
  // With the moment of its start, since numbers come again.
  struct Process {
    pid_t id = 0;
    std::string started;
    auto operator<=>(const Process&) const = default;
  };

  std::string name_;
  TemporaryFolder folder_;
  std::set<Process> seen_;
  std::set<std::string> redis_folders_;
};

}  // namespace tracebed
