#include "bench/other_launchers.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace tracebed {
namespace {

constexpr const char* runc_cgroup = "tracebed-runc-bench";
constexpr int period_us = 100'000;

std::optional<std::string> find_program(const std::string& name) {
  for (const char* folder : {"/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"}) {
    const std::string path = std::string(folder) + "/" + name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Returns the CPU time that it took with all that it waited for.
double run_to_end(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t process = -1;
  if (::posix_spawn(&process, words[0], nullptr, nullptr, words.data(), environ) != 0) {
    throw std::runtime_error(command.front() + " cannot be started");
  }
  int status = 0;
  rusage usage = {};
  ::wait4(process, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(command.front() + " failed");
  }
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

}  // namespace

void OtherLauncher::start_and_end(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<std::string> command = command_;
    for (std::string& word : command) {
      if (word == "{}") word = fmt::format("tracebed-bench-{}-{}", ::getpid(), first + i);
    }
    cpu_seconds_ += run_to_end(command);
  }
}

std::optional<OtherLauncher> runc_run(const ContainerToStart& container,
                                      const std::filesystem::path& folder) {
  const auto runc = find_program("runc");
  if (!runc) return std::nullopt;
  std::filesystem::create_directories(folder / "rootfs/proc");
  std::filesystem::copy_file(container.program, folder / "rootfs/task",
                             std::filesystem::copy_options::overwrite_existing);
  std::vector<std::string> words = container.words;
  words[0] = "/task";
  const nlohmann::json bundle = {
      {"ociVersion", "1.0.2"},
      {"process",
       {{"terminal", false},
        {"user", {{"uid", 0}, {"gid", 0}}},
        {"args", words},
        {"cwd", "/"},
        {"noNewPrivileges", true}}},
      {"root", {{"path", "rootfs"}, {"readonly", true}}},
      {"mounts", {{{"destination", "/proc"}, {"type", "proc"}, {"source", "proc"}}}},
      {"linux",
       {{"cgroupsPath", fmt::format("/{}/one", runc_cgroup)},
        {"resources",
         {{"cpu", {{"quota", period_us * container.milli_vcores / 1'000}, {"period", period_us}}},
          {"memory", {{"limit", std::int64_t{container.memory_mib} << 20}}},
          {"pids", {{"limit", container.pids}}}}},
        {"namespaces", {{{"type", "mount"}}}}}}};
  std::ofstream(folder / "config.json") << bundle.dump();
  return OtherLauncher("runc run", {*runc, "--root", (folder / "state").string(), "run",
                                    "--no-new-keyring", "--bundle", folder.string(), "{}"});
}

std::optional<OtherLauncher> systemd_run_scope(const ContainerToStart& container) {
  const auto program = find_program("systemd-run");
  if (!program || !std::filesystem::is_directory("/run/systemd/system")) return std::nullopt;
  std::vector<std::string> command = {*program,
                                      "--scope",
                                      "--quiet",
                                      "--property",
                                      fmt::format("CPUQuota={}%", container.milli_vcores / 10),
                                      "--property",
                                      fmt::format("MemoryMax={}M", container.memory_mib),
                                      "--property",
                                      fmt::format("TasksMax={}", container.pids),
                                      "--unit",
                                      "{}",
                                      container.program};
  command.insert(command.end(), container.words.begin() + 1, container.words.end());
  return OtherLauncher("systemd-run --scope", std::move(command));
}

void remove_runc_cgroups() {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/fs/cgroup", error)) {
    ::rmdir((entry.path() / runc_cgroup).c_str());
  }
  ::rmdir((std::filesystem::path("/sys/fs/cgroup") / runc_cgroup).c_str());
}

}  // namespace tracebed
