// Ways to start a process in a cgroup with limits that a machine may have beside ours, for
// comparison: a process for each start, as a script would make it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace tracebed {

// What is started, under which limits.
struct ContainerToStart {
  std::string program;             // statically linked
  std::vector<std::string> words;  // the first is its name
  int milli_vcores = 1'000;
  int memory_mib = 64;
  int pids = 9;
};

// A command that starts one container and waits for its end, and the CPU time that all of them
// took.
class OtherLauncher {
 public:
  OtherLauncher(std::string name, std::vector<std::string> command)
      : name_(std::move(name)), command_(std::move(command)) {}

  const std::string& name() const { return name_; }
  // Throws std::runtime_error for a command that fails.
  void start_and_end(std::uint32_t first, std::uint32_t count);
  double cpu_used() const { return cpu_seconds_; }

 private:
  std::string name_;
  std::vector<std::string> command_;
  double cpu_seconds_ = 0;
};

// `runc run` of a bundle without network, user or process namespaces, or a keyring of its own: what
// is not isolated by us is not by it. None if there is no runc. `folder` gets the bundle.
std::optional<OtherLauncher> runc_run(const ContainerToStart& container,
                                      const std::filesystem::path& folder);
// `systemd-run --scope`. None if systemd does not run this machine.
std::optional<OtherLauncher> systemd_run_scope(const ContainerToStart& container);

// Cgroups that runc leaves when all its containers have ended.
void remove_runc_cgroups();

}  // namespace tracebed
