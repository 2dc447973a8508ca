// Cgroup directories as a tree of files: made, listed and removed.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/result.h"
#include "system/file_descriptor.h"

namespace tracebed {

// Where an agent's containers live below a place that was found writable:
// <place>/tracebed/<run>/<agent>.
struct AgentName {
  std::string run;
  std::string agent;
};
inline constexpr std::string_view project_directory = "tracebed";

std::string agent_path(const std::string& place, const AgentName& name);

// Makes (or finds) the agent's directory below `place` and returns it open, locked (flock) against
// a second launcher of the same agent for as long as it stays open. If another agent that ends
// meanwhile removes the run's directory, this is tried again.
Result<FileDescriptor> open_agent_directory(const std::string& place, const AgentName& name);

// The agent's directory, locked as by open_agent_directory(), if no launcher has it; else none.
FileDescriptor lock_if_abandoned(const std::string& agent_directory);

// Removes the agent's directory, then the run's and the project's if they are empty.
Status remove_agent_directory(const std::string& place, const AgentName& name);

// Directories directly below `directory`, sorted; empty if it cannot be read.
std::vector<std::string> subdirectories(const std::string& directory);

// Process ids directly inside a cgroup; empty if it is gone.
std::vector<pid_t> processes_in(int directory, const char* procs_path);

bool is_directory(const std::string& path);

// 0, or the errno why this process may not write the file or make entries in the directory.
int check_writable(const std::string& path);

// Sends SIGKILL to all in `procs_path` again and again while the cgroup is frozen or until none is
// left; the frozen ones cannot fork away from it. Bounded to `passes_max` passes.
void kill_processes_in(int directory, const char* procs_path, int passes_max);

}  // namespace tracebed
