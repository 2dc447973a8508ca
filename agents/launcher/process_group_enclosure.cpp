#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <map>
#include <unistd.h>

#include "agents/cgroups/directories.h"
#include "agents/launcher/enclosure.h"
#include "agents/launcher/process_files.h"
#include "system/file_descriptor.h"

namespace tracebed::launcher {
namespace {

std::int64_t microseconds(const timeval& time) {
  return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
}

class ProcessGroupEnclosure final : public Enclosure {
 public:
  Isolation isolation() const override { return Isolation::none; }
  std::string description() const override { return "no isolation: process groups"; }

  Result<Opened> open(std::uint32_t, const CgroupLimits& limits) override {
    // Stacks and the program's own mappings count as address space but not as memory.
    constexpr std::int64_t allowance_bytes = std::int64_t{64} << 20;
    Opened opened;
    opened.address_space_bytes = memory_limit_bytes(limits) + allowance_bytes;
    return opened;
  }
  void started(std::uint32_t container, pid_t process) override {
    sessions_[container].leader = process;
  }

  CgroupAccount account(std::uint32_t container, const Reaped& reaped) override {
    CgroupAccount account;
    account.cpu_time_us = microseconds(reaped.used.ru_utime) + microseconds(reaped.used.ru_stime);
    account.memory_peak_bytes = std::int64_t{reaped.used.ru_maxrss} * 1'024;
    account.bytes_read = reaped.bytes_read;
    account.bytes_written = reaped.bytes_written;
    sessions_[container].cpu_time_us = account.cpu_time_us;
    return account;
  }

  Status renew_cpu_quota(std::uint32_t) override { return success(); }  // there is none
  // The group's number is its leader's. It is given to no other process while the group has
  // members, and without members there is nobody to reach.
  Status kill(std::uint32_t container) override {
    const auto found = sessions_.find(container);
    if (found != sessions_.end()) ::kill(-found->second.leader, SIGKILL);
    return success();
  }

  Removal remove(std::uint32_t container) override {
    const auto found = sessions_.find(container);
    if (found == sessions_.end()) return Removal::removed;
    if (::kill(-found->second.leader, 0) == 0) return Removal::busy;
    ended_cpu_time_us_ += found->second.cpu_time_us;
    sessions_.erase(found);
    kill_strays();
    return Removal::removed;
  }

  // It has no limit to add up to.
  Status limit_cpu_of_all(std::int64_t /*milli_vcores*/) override { return success(); }
  Result<CgroupUsage> usage() override {
    CgroupUsage usage{ended_cpu_time_us_, 0};
    for (const auto& [container, session] : sessions_) {
      const ProcessUse use = read_process_use(session.leader);
      usage.cpu_time_us += std::max(use.cpu_time_us, session.cpu_time_us);
      usage.memory_bytes += use.memory_bytes;
    }
    return usage;
  }
  Status close() override {
    kill_strays();
    return success();
  }

 private:
  // Children of this subreaper that lead or follow no container's session are what ended containers
  // left behind.
  void kill_strays() {
    for (const pid_t child : processes_in(AT_FDCWD, "/proc/thread-self/children")) {
      const pid_t session = getsid(child);
      const bool is_kept = std::any_of(sessions_.begin(), sessions_.end(), [&](const auto& kept) {
        return kept.second.leader == session;
      });
      if (!is_kept) ::kill(child, SIGKILL);
    }
  }

  struct Session {
    pid_t leader = 0;
    std::int64_t cpu_time_us = 0;  // once it has ended
  };
  std::map<std::uint32_t, Session> sessions_;
  std::int64_t ended_cpu_time_us_ = 0;
};

}  // namespace

std::unique_ptr<Enclosure> make_process_group_enclosure() {
  return std::make_unique<ProcessGroupEnclosure>();
}

}  // namespace tracebed::launcher
