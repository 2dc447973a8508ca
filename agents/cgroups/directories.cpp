#include "agents/cgroups/directories.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "system/files.h"

namespace tracebed {
namespace {

struct Levels {
  std::string project;
  std::string run;
  std::string agent;
};

Levels levels_of(const std::string& place, const AgentName& name) {
  Levels levels;
  levels.project = place + "/" + std::string(project_directory);
  levels.run = levels.project + "/" + name.run;
  levels.agent = levels.run + "/" + name.agent;
  return levels;
}

// A process that is just being started holds its parent's descriptors for a moment after the parent
// has gone on or died, and with them the lock: so a lock that is held is tried for half a second.
bool lock(const FileDescriptor& directory) {
  constexpr int tries = 250;
  constexpr timespec pause = {0, 2'000'000};
  for (int i = 0; i < tries; ++i) {
    if (flock(directory.number(), LOCK_EX | LOCK_NB) == 0) return true;
    nanosleep(&pause, nullptr);
  }
  return false;
}

// Between opening and locking, somebody who took the directory for a dead launcher's may have
// removed it; the name may be another's by now.
bool is_still_at(const FileDescriptor& directory, const std::string& path) {
  struct stat opened = {};
  struct stat named = {};
  return fstat(directory.number(), &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

std::string agent_path(const std::string& place, const AgentName& name) {
  return levels_of(place, name).agent;
}

Result<FileDescriptor> open_agent_directory(const std::string& place, const AgentName& name) {
  const auto [project, run, agent] = levels_of(place, name);
  constexpr int tries = 100;
  for (int i = 0; i < tries; ++i) {
    for (const std::string* path : {&project, &run, &agent}) {
      if (mkdir(path->c_str(), 0755) != 0 && errno != EEXIST && errno != ENOENT) {
        return Error{*path + " cannot be made: " + error_text(errno)};
      }
    }
    FileDescriptor directory(open(agent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.is_open()) {
      if (!lock(directory)) return Error{agent + " is in use by another launcher"};
      if (is_still_at(directory, agent)) return directory;
      continue;
    }
    if (errno != ENOENT) return Error{agent + " cannot be opened: " + error_text(errno)};
  }
  return Error{agent + " is repeatedly removed by others"};
}

FileDescriptor lock_if_abandoned(const std::string& agent_directory) {
  FileDescriptor directory(open(agent_directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.is_open() && flock(directory.number(), LOCK_EX | LOCK_NB) == 0) return directory;
  return {};
}

Status remove_agent_directory(const std::string& place, const AgentName& name) {
  const auto [project, run, agent] = levels_of(place, name);
  if (rmdir(agent.c_str()) != 0 && errno != ENOENT) {
    return Error{agent + " cannot be removed: " + error_text(errno)};
  }
  // Others may still use these two; then they stay.
  rmdir(run.c_str());
  rmdir(project.c_str());
  return success();
}

std::vector<std::string> subdirectories(const std::string& directory) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(directory.c_str()), closedir);
  if (!stream) return names;
  while (const dirent* entry = readdir(stream.get())) {
    const std::string_view entry_name = entry->d_name;
    if (entry->d_type == DT_DIR && entry_name != "." && entry_name != "..") {
      names.emplace_back(entry_name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<pid_t> processes_in(int directory, const char* procs_path) {
  std::vector<pid_t> processes;
  const std::optional<std::string> text = read_kernel_file(directory, procs_path);
  if (!text) return processes;
  const char* at = text->data();
  const char* const end = at + text->size();
  while (at < end) {
    pid_t process = 0;
    const auto result = std::from_chars(at, end, process);
    if (result.ec != std::errc{}) break;
    // 0 stands for a process outside this pid namespace, which cannot be named.
    if (process > 0) processes.push_back(process);
    at = result.ptr + 1;
  }
  return processes;
}

bool is_directory(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

int check_writable(const std::string& path) {
  return faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 ? 0 : errno;
}

void kill_processes_in(int directory, const char* procs_path, int passes_max) {
  const pid_t self = getpid();
  for (int pass = 0; pass < passes_max; ++pass) {
    const std::vector<pid_t> processes = processes_in(directory, procs_path);
    if (processes.empty()) return;
    for (const pid_t process : processes) {
      if (process != self) ::kill(process, SIGKILL);
    }
  }
}

}  // namespace tracebed
