#include "agents/cgroups/tree_v2.h"

#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/cgroups/account_files.h"
#include "agents/cgroups/sweep.h"
#include "system/files.h"

namespace tracebed {
namespace {

Status set_file(int directory, std::string_view name, std::string_view file,
                const std::string& value) {
  const int error = write_kernel_file(directory, CgroupPath(name, file).c_str(), value);
  if (error == 0) return success();
  return Error{std::string(file) + " cannot be set to " + value + ": " + error_text(error)};
}

Status set_cpu_quota_v2(int directory, std::string_view name, std::int64_t milli_vcores) {
  const CpuQuota quota = cpu_quota(milli_vcores);
  return set_file(directory, name, "cpu.max",
                  std::to_string(quota.quota_us) + ' ' + std::to_string(quota.period_us));
}

Status limit_cpu_v2(int directory, std::string_view name, const CgroupLimits& limits) {
  if (limits.milli_vcores_of_all == 0) {
    return set_cpu_quota_v2(directory, name, limits.milli_vcores);
  }
  return set_file(directory, name, "cpu.weight",
                  std::to_string(cpu_weight(limits, cpu_weight_range)));
}

class TreeV2 final : public CgroupTree {
 public:
  TreeV2(std::string place, AgentName agent, FileDescriptor directory, bool counts_io)
      : place_(std::move(place)),
        agent_(std::move(agent)),
        directory_(std::move(directory)),
        counts_io_(counts_io) {}

  CgroupVersion version() const override { return CgroupVersion::v2; }
  std::string description() const override {
    return "cgroup v2: " + place_ + (counts_io_ ? "" : " (no io controller)");
  }
  Result<CgroupEntry> create(std::string_view name, const CgroupLimits& limits) override;
  Result<CgroupAccount> account(std::string_view name) const override;
  Result<CgroupUsage> usage() const override;
  Status limit_cpu_of_all(std::int64_t milli_vcores) override;
  Status renew_cpu_quota(std::string_view name) override;
  Status kill(std::string_view name) override;
  Removal remove(std::string_view name) override;
  Status close() override;

 private:
  std::string place_;
  AgentName agent_;
  FileDescriptor directory_;
  bool counts_io_;
  // Absent without swap accounting; found out with the first container.
  std::optional<bool> limits_swap_;
  std::int64_t milli_vcores_of_all_ = 0;  // 0: not limited
};

Result<CgroupEntry> TreeV2::create(std::string_view name, const CgroupLimits& limits) {
  const CgroupPath path(name, "");
  if (mkdirat(directory_.number(), path.c_str(), 0755) != 0) {
    return Error{"a cgroup cannot be made in " + place_ + ": " + error_text(errno)};
  }
  const int directory = directory_.number();
  if (!limits_swap_) limits_swap_ = can_limit_swap_v2(directory, name);
  if (Status status = set_limits_v2(directory, *limits_swap_, name, limits); !status) {
    remove(name);
    return status.error();
  }
  FileDescriptor opened(
      openat(directory_.number(), path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) {
    const Error error{"a cgroup in " + place_ + " cannot be opened: " + error_text(errno)};
    remove(name);
    return error;
  }
  CgroupEntry entry;
  entry.set_clone_into(std::move(opened));
  return entry;
}

Result<CgroupAccount> TreeV2::account(std::string_view name) const {
  const int directory = directory_.number();
  const auto cpu_text = read_kernel_file(directory, CgroupPath(name, "cpu.stat").c_str());
  const auto events_text = read_kernel_file(directory, CgroupPath(name, "memory.events").c_str());
  if (!cpu_text || !events_text) {
    return Error{"the account of a container cannot be read: " + error_text(errno)};
  }
  CgroupAccount account;
  account.cpu_time_us = find_number(*cpu_text, "usage_usec").value_or(0);
  account.oom_kills = find_number(*events_text, "oom_kill").value_or(0);
  account.memory_peak_bytes =
      read_number(directory, CgroupPath(name, "memory.peak").c_str()).value_or(0);
  if (counts_io_) {
    const auto io_text = read_kernel_file(directory, CgroupPath(name, "io.stat").c_str());
    const BlockBytes bytes = parse_io_stat(io_text.value_or(""));
    account.bytes_read = bytes.read;
    account.bytes_written = bytes.written;
  }
  return account;
}

Result<CgroupUsage> TreeV2::usage() const {
  const auto cpu_text = read_kernel_file(directory_.number(), "cpu.stat");
  const auto memory = read_number(directory_.number(), "memory.current");
  if (!cpu_text || !memory) {
    return Error{"the use of all containers cannot be read: " + error_text(errno)};
  }
  return CgroupUsage{find_number(*cpu_text, "usage_usec").value_or(0), *memory};
}

Status TreeV2::limit_cpu_of_all(std::int64_t milli_vcores) {
  if (milli_vcores == milli_vcores_of_all_) return success();
  const int directory = directory_.number();
  Status status = milli_vcores > 0 ? set_cpu_quota_v2(directory, agents_own_cgroup, milli_vcores)
                                   : set_file(directory, agents_own_cgroup, "cpu.max", "max");
  if (status) milli_vcores_of_all_ = milli_vcores;
  return status;
}

// The kernel refills the quota and wakes what is throttled whenever the file is written.
Status TreeV2::renew_cpu_quota(std::string_view name) {
  if (milli_vcores_of_all_ > 0 && name != agents_own_cgroup) {
    if (Status status = renew_cpu_quota(agents_own_cgroup); !status) return status;
  }
  const CgroupPath path(name, "cpu.max");
  const auto quota = read_kernel_file(directory_.number(), path.c_str());
  const int error = quota ? write_kernel_file(directory_.number(), path.c_str(), *quota) : errno;
  if (error != 0 && error != ENOENT) return Error{"cpu.max: " + error_text(error)};
  return success();
}

Status TreeV2::kill(std::string_view name) {
  const int directory = directory_.number();
  const int error = write_kernel_file(directory, CgroupPath(name, "cgroup.kill").c_str(), "1");
  if (error == 0) return renew_cpu_quota(name);
  if (Status status = renew_cpu_quota(name); !status) return status;  // else it is slow to freeze
  const CgroupPath freeze_path(name, "cgroup.freeze");
  if (write_kernel_file(directory, freeze_path.c_str(), "1") == ENOENT) return success();  // gone
  // Kernels before 5.14 have no cgroup.kill. Frozen processes do not fork, and in version 2 they
  // die frozen; those that the freezer has not reached yet need the further passes.
  kill_processes_in(directory, CgroupPath(name, "cgroup.procs").c_str(), 100);
  const int thaw_error = write_kernel_file(directory, freeze_path.c_str(), "0");
  if (thaw_error != 0) return Error{"cgroup.freeze: " + error_text(thaw_error)};
  return success();
}

Removal TreeV2::remove(std::string_view name) {
  if (unlinkat(directory_.number(), CgroupPath(name, "").c_str(), AT_REMOVEDIR) == 0) {
    return Removal::removed;
  }
  if (errno == ENOENT) return Removal::removed;
  return errno == EBUSY ? Removal::busy : Removal::failed;
}

Status TreeV2::close() {
  directory_.reset();
  return remove_agent_directory(place_, agent_);
}

// Hands controllers down from `directory` to those below it; io only where it is there.
Result<bool> hand_down(const std::string& directory) {
  const std::string control = directory + "/cgroup.subtree_control";
  const int error = write_kernel_file(AT_FDCWD, control.c_str(), "+cpu +memory +pids");
  if (error != 0) {
    return Error{control + " cannot be set to +cpu +memory +pids: " + error_text(error)};
  }
  return write_kernel_file(AT_FDCWD, control.c_str(), "+io") == 0;
}

}  // namespace

bool can_limit_swap_v2(int directory, std::string_view name) {
  return faccessat(directory, CgroupPath(name, "memory.swap.max").c_str(), F_OK, 0) == 0;
}

Status set_limits_v2(int directory, bool limits_swap, std::string_view name,
                     const CgroupLimits& limits) {
  const auto set = [&](std::string_view file, const std::string& value) {
    return set_file(directory, name, file, value);
  };
  Status status = limit_cpu_v2(directory, name, limits);
  if (!status) return status;
  status = set("memory.max", std::to_string(memory_limit_bytes(limits)));
  if (!status) return status;
  if (limits_swap) {
    status = set("memory.swap.max", "0");
    if (!status) return status;
  }
  status = set("memory.oom.group", "1");
  if (!status) return status;
  return set("pids.max", std::to_string(limits.pids));
}

Result<bool> hand_down_to_run(const std::string& place, const std::string& run) {
  const std::string project = place + "/" + std::string(project_directory);
  bool counts_io = true;
  for (const std::string& level : {place, project, project + "/" + run}) {
    const Result<bool> io = hand_down(level);
    if (!io) return io.error();
    counts_io = counts_io && *io;
  }
  return counts_io;
}

bool has_controller(std::string_view controllers, std::string_view name) {
  while (!controllers.empty()) {
    const std::size_t end = std::min(controllers.find_first_of(" \n"), controllers.size());
    if (controllers.substr(0, end) == name) return true;
    controllers.remove_prefix(std::min(end + 1, controllers.size()));
  }
  return false;
}

Status move_to_leaf(const std::string& own) {
  const std::string leaf = own + "/launcher";
  if (mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) {
    return Error{leaf + " cannot be made: " + error_text(errno)};
  }
  const int error = write_kernel_file(AT_FDCWD, (leaf + "/cgroup.procs").c_str(), "0");
  if (error != 0) return Error{leaf + " cannot be entered: " + error_text(error)};
  return success();
}

Result<std::unique_ptr<CgroupTree>> open_tree_v2(const std::string& place, const AgentName& name) {
  Result<FileDescriptor> directory = open_agent_directory(place, name);
  if (!directory) return directory.error();
  if (Status status = sweep_children({agent_path(place, name)}); !status) return status.error();
  const Result<bool> run_counts_io = hand_down_to_run(place, name.run);
  const Result<bool> counts_io = run_counts_io ? hand_down(agent_path(place, name)) : run_counts_io;
  if (!counts_io) {
    static_cast<void>(remove_agent_directory(place, name));
    return counts_io.error();
  }
  return std::unique_ptr<CgroupTree>(
      std::make_unique<TreeV2>(place, name, *std::move(directory), *run_counts_io && *counts_io));
}

}  // namespace tracebed
