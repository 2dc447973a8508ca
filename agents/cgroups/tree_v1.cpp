#include "agents/cgroups/tree_v1.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agents/cgroups/account_files.h"
#include "agents/cgroups/sweep.h"
#include "system/files.h"

namespace tracebed {
namespace {

Error cannot_be_set(std::string_view what, std::int64_t value, int error) {
  return Error{std::string(what) + " cannot be set to " + std::to_string(value) + ": " +
               error_text(error)};
}

Status set_number_v1(int directory, std::string_view name, std::string_view file,
                     std::int64_t value) {
  const int error =
      write_kernel_file(directory, CgroupPath(name, file).c_str(), std::to_string(value));
  return error == 0 ? success() : Status(cannot_be_set(file, value, error));
}

Status set_cpu_quota_v1(int directory, std::string_view name, std::int64_t milli_vcores) {
  const CpuQuota quota = cpu_quota(milli_vcores);
  if (quota.period_us != default_cpu_period_us) {
    Status status = set_number_v1(directory, name, "cpu.cfs_period_us", quota.period_us);
    if (!status) return status;
  }
  return set_number_v1(directory, name, "cpu.cfs_quota_us", quota.quota_us);
}

Status limit_cpu_v1(int directory, std::string_view name, const CgroupLimits& limits) {
  if (limits.milli_vcores_of_all == 0) {
    return set_cpu_quota_v1(directory, name, limits.milli_vcores);
  }
  return set_number_v1(directory, name, "cpu.shares", cpu_weight(limits, cpu_shares_range));
}

struct Hierarchy {
  CgroupPlaceV1 place;
  FileDescriptor directory;  // the agent's
};

class TreeV1 final : public CgroupTree {
 public:
  TreeV1(std::vector<Hierarchy> hierarchies, AgentName agent)
      : hierarchies_(std::move(hierarchies)), agent_(std::move(agent)) {
    for (const Hierarchy& hierarchy : hierarchies_) {
      const CgroupPlaceV1& place = hierarchy.place;
      const int directory = hierarchy.directory.number();
      if (place.cpu) cpu_ = directory;
      if (place.cpuacct) cpuacct_ = directory;
      if (place.memory) memory_ = directory;
      if (place.pids) pids_ = directory;
      if (place.freezer) freezer_ = directory;
      if (place.unified) unified_ = directory;
    }
    limits_swap_ = can_limit_swap_v1(memory_);
  }

  CgroupVersion version() const override { return CgroupVersion::v1; }
  std::string description() const override;
  Result<CgroupEntry> create(std::string_view name, const CgroupLimits& limits) override;
  Result<CgroupAccount> account(std::string_view name) const override;
  Result<CgroupUsage> usage() const override;
  Status limit_cpu_of_all(std::int64_t milli_vcores) override;
  Status renew_cpu_quota(std::string_view name) override;
  Status kill(std::string_view name) override;
  Removal remove(std::string_view name) override;
  Status close() override;

 private:
  Result<CgroupEntry> open_entry(std::string_view name) const;
  std::optional<std::int64_t> cpu_time_us(std::string_view name) const;

  std::vector<Hierarchy> hierarchies_;
  AgentName agent_;
  int cpu_ = -1;
  int cpuacct_ = -1;
  int memory_ = -1;
  int pids_ = -1;
  int freezer_ = -1;
  int unified_ = -1;
  bool limits_swap_ = false;
  std::int64_t milli_vcores_of_all_ = 0;  // 0: not limited
};

std::string TreeV1::description() const {
  std::string text = "cgroup v1:";
  for (const auto& [place, directory] : hierarchies_) {
    text += ' ' + place.directory;
    text += place.unified ? " (unified, to kill)" : "";
  }
  return text;
}

Result<CgroupEntry> TreeV1::create(std::string_view name, const CgroupLimits& limits) {
  const CgroupPath path(name, "");
  for (const Hierarchy& hierarchy : hierarchies_) {
    if (mkdirat(hierarchy.directory.number(), path.c_str(), 0755) != 0) {
      const Error error{"a cgroup cannot be made in " + hierarchy.place.directory + ": " +
                        error_text(errno)};
      for (const Hierarchy& made : hierarchies_) {
        if (&made == &hierarchy) break;
        unlinkat(made.directory.number(), path.c_str(), AT_REMOVEDIR);
      }
      return error;
    }
  }
  CgroupLimits possible = limits;
  if (milli_vcores_of_all_ > 0) {
    // The kernel refuses a quota above that of all.
    possible.milli_vcores = std::min(possible.milli_vcores, milli_vcores_of_all_);
  }
  Status status = set_limits_v1({cpu_, memory_, pids_}, limits_swap_, name, possible);
  if (!status) {
    remove(name);
    return status.error();
  }
  Result<CgroupEntry> entry = open_entry(name);
  if (!entry) remove(name);
  return entry;
}

Result<CgroupEntry> TreeV1::open_entry(std::string_view name) const {
  CgroupEntry entry;
  const CgroupPath directory_path(name, "");
  const CgroupPath procs_path(name, "cgroup.procs");
  for (const Hierarchy& hierarchy : hierarchies_) {
    const int directory = hierarchy.directory.number();
    FileDescriptor opened(
        hierarchy.place.unified
            ? openat(directory, directory_path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)
            : openat(directory, procs_path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!opened.is_open()) {
      return Error{"a cgroup in " + hierarchy.place.directory +
                   " cannot be opened: " + error_text(errno)};
    }
    if (hierarchy.place.unified) {
      entry.set_clone_into(std::move(opened));
    } else {
      entry.add_attach(std::move(opened));
    }
  }
  return entry;
}

std::optional<std::int64_t> TreeV1::cpu_time_us(std::string_view name) const {
  if (unified_ >= 0) {
    const auto text = read_kernel_file(unified_, CgroupPath(name, "cpu.stat").c_str());
    return text ? find_number(*text, "usage_usec") : std::nullopt;
  }
  const auto nanoseconds = read_number(cpuacct_, CgroupPath(name, "cpuacct.usage").c_str());
  return nanoseconds ? std::optional(*nanoseconds / 1'000) : std::nullopt;
}

Result<CgroupAccount> TreeV1::account(std::string_view name) const {
  const auto cpu_time = cpu_time_us(name);
  const auto peak = read_number(memory_, CgroupPath(name, "memory.max_usage_in_bytes").c_str());
  const auto oom_text = read_kernel_file(memory_, CgroupPath(name, "memory.oom_control").c_str());
  if (!cpu_time || !peak || !oom_text) {
    return Error{"the account of a container cannot be read: " + error_text(errno)};
  }
  CgroupAccount account;
  account.cpu_time_us = *cpu_time;
  account.memory_peak_bytes = *peak;
  account.oom_kills = find_number(*oom_text, "oom_kill").value_or(0);
  return account;
}

Result<CgroupUsage> TreeV1::usage() const {
  const auto cpu_time = cpu_time_us(".");
  const auto memory = read_number(memory_, "memory.usage_in_bytes");
  if (!cpu_time || !memory) {
    return Error{"the use of all containers cannot be read: " + error_text(errno)};
  }
  return CgroupUsage{*cpu_time, *memory};
}

Status TreeV1::limit_cpu_of_all(std::int64_t milli_vcores) {
  if (milli_vcores == milli_vcores_of_all_) return success();
  const auto set = [&](std::string_view file, std::int64_t value) {
    return set_number_v1(cpu_, agents_own_cgroup, file, value);
  };
  constexpr std::int64_t without_quota = -1;
  Status status = set("cpu.cfs_quota_us", without_quota);
  if (status && milli_vcores > 0) {
    // The limit before may have had another period.
    const CpuQuota quota = cpu_quota(milli_vcores);
    status = set("cpu.cfs_period_us", quota.period_us);
    if (status) status = set("cpu.cfs_quota_us", quota.quota_us);
  }
  milli_vcores_of_all_ = status ? milli_vcores : 0;
  return status;
}

// The kernel refills the quota and wakes what is throttled whenever the file is written.
Status TreeV1::renew_cpu_quota(std::string_view name) {
  if (milli_vcores_of_all_ > 0 && name != agents_own_cgroup) {
    if (Status status = renew_cpu_quota(agents_own_cgroup); !status) return status;
  }
  const CgroupPath path(name, "cpu.cfs_quota_us");
  const auto quota = read_kernel_file(cpu_, path.c_str());
  const int error = quota ? write_kernel_file(cpu_, path.c_str(), *quota) : errno;
  if (error != 0 && error != ENOENT) return Error{"cpu.cfs_quota_us: " + error_text(error)};
  return success();
}

Status TreeV1::kill(std::string_view name) {
  if (unified_ >= 0) {
    const int error = write_kernel_file(unified_, CgroupPath(name, "cgroup.kill").c_str(), "1");
    if (error != 0 && error != ENOENT) return Error{"cgroup.kill: " + error_text(error)};
    return renew_cpu_quota(name);
  }
  if (Status status = renew_cpu_quota(name); !status) return status;  // else it is slow to freeze
  const CgroupPath state_path(name, "freezer.state");
  const CgroupPath procs_path(name, "cgroup.procs");
  freeze_v1(freezer_, state_path.c_str());
  // Once is enough when frozen. If the bounded wait for that ended first, the passes after it still
  // end all but a forking tree, and whoever finds the cgroup busy kills again.
  kill_processes_in(freezer_, procs_path.c_str(), 1);
  // SIGKILL takes effect only when thawed.
  const int error = write_kernel_file(freezer_, state_path.c_str(), "THAWED");
  if (error != 0 && error != ENOENT) return Error{"freezer.state: " + error_text(error)};
  return success();
}

Removal TreeV1::remove(std::string_view name) {
  const CgroupPath path(name, "");
  for (const Hierarchy& hierarchy : hierarchies_) {
    if (unlinkat(hierarchy.directory.number(), path.c_str(), AT_REMOVEDIR) == 0) continue;
    if (errno == EBUSY) return Removal::busy;
    if (errno != ENOENT) return Removal::failed;
  }
  return Removal::removed;
}

Status TreeV1::close() {
  std::optional<Error> first_error;
  for (Hierarchy& hierarchy : hierarchies_) {
    const Status status = remove_agent_directory(hierarchy.place.directory, agent_);
    if (!status && !first_error) first_error = status.error();
    hierarchy.directory.reset();
  }
  if (first_error) return *std::move(first_error);
  return success();
}

}  // namespace

bool can_limit_swap_v1(int memory_directory) {
  return faccessat(memory_directory, "memory.memsw.limit_in_bytes", F_OK, 0) == 0;
}

Status set_limits_v1(const LimitedV1& limited, bool limits_swap, std::string_view name,
                     const CgroupLimits& limits) {
  const auto set = [&](int directory, std::string_view file, std::int64_t value) -> int {
    return write_kernel_file(directory, CgroupPath(name, file).c_str(), std::to_string(value));
  };
  const auto fail = [](std::string_view what, std::int64_t value, int error) {
    return cannot_be_set(what, value, error);
  };
  if (Status status = limit_cpu_v1(limited.cpu, name, limits); !status) return status;
  // memory.limit_in_bytes first: a memsw limit below it is refused.
  const std::int64_t memory = memory_limit_bytes(limits);
  if (const int error = set(limited.memory, "memory.limit_in_bytes", memory)) {
    return fail("memory.limit_in_bytes", memory, error);
  }
  if (limits_swap) {
    if (const int error = set(limited.memory, "memory.memsw.limit_in_bytes", memory)) {
      return fail("memory.memsw.limit_in_bytes", memory, error);
    }
  }
  if (const int error = set(limited.pids, "pids.max", limits.pids)) {
    return fail("pids.max", limits.pids, error);
  }
  return success();
}

Result<std::unique_ptr<CgroupTree>> open_tree_v1(std::vector<CgroupPlaceV1> places,
                                                 const AgentName& name) {
  std::vector<Hierarchy> hierarchies;
  for (CgroupPlaceV1& place : places) {
    Result<FileDescriptor> directory = open_agent_directory(place.directory, name);
    if (!directory) {
      for (const Hierarchy& made : hierarchies) {
        static_cast<void>(remove_agent_directory(made.place.directory, name));
      }
      return directory.error();
    }
    hierarchies.push_back({std::move(place), *std::move(directory)});
  }
  std::vector<std::string> paths;
  for (const Hierarchy& made : hierarchies) paths.push_back(agent_path(made.place.directory, name));
  if (Status status = sweep_children(paths); !status) return status.error();
  return std::unique_ptr<CgroupTree>(std::make_unique<TreeV1>(std::move(hierarchies), name));
}

}  // namespace tracebed
