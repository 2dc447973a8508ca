// Which system calls the processes of a container may make (seccomp): all but those that a task or
// master never makes, and that reach other processes, the kernel's rarely used and so least tested
// parts, or the machine's settings. The table in syscall_filter.cpp lists them with the reasons.
//
// A call that is refused fails with EPERM (clone3 with ENOSYS, after which the C library uses
// clone; a socket of another family than UNIX, IPv4, IPv6 and NETLINK with EAFNOSUPPORT). Calls of
// another architecture end the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <linux/filter.h>
#include <vector>

namespace tracebed {

class SyscallFilter {
 public:
  SyscallFilter();

  // For a new process that is about to execute its program, and may still do anything. It may send
  // signals to itself alone, which is its number. Changes the filter in place, and makes nothing
  // but system calls, so that a child that shares its parent's memory may call it. 0, or an errno.
  int install(std::uint32_t own_process);

  // The instructions, for tests.
  const std::vector<sock_filter>& program() const { return program_; }

 private:
  std::vector<sock_filter> program_;
  std::size_t own_process_ = 0;  // the instruction that compares with it
};

// Whether the kernel supports this at all.
bool has_syscall_filters();

}  // namespace tracebed
