#include "agents/launcher/syscall_filter.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "core/check.h"

namespace tracebed {
namespace {

using Instruction = sock_filter;
using Block = std::vector<Instruction>;

constexpr Instruction load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
constexpr Instruction jump(std::uint16_t how, std::uint32_t value, std::size_t if_true,
                           std::size_t if_false) {
  return BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | how | BPF_K), value,
                  static_cast<std::uint8_t>(if_true), static_cast<std::uint8_t>(if_false));
}
constexpr Instruction answer(std::uint32_t action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}
constexpr Instruction allow = answer(SECCOMP_RET_ALLOW);
constexpr Instruction refuse(int error) {
  return answer(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
}
// The lower half, which is all of an int, of an argument.
constexpr Instruction load_argument(std::size_t index) {
  return load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
}

// Calls that are refused whatever their arguments are. A task or master makes none of them.
constexpr std::array refused_calls = {
    // Other processes: their memory, descriptors, registers and signals. A user id of its own keeps
    // a container from others already; this holds where they have one, and for the kernel's
    // defects.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise,
    SYS_process_mrelease, SYS_kcmp, SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal,
    SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_setpriority,
    SYS_ioprio_set, SYS_sched_setaffinity, SYS_sched_setattr, SYS_sched_setparam, SYS_migrate_pages,
    SYS_move_pages,
    // Objects that outlive processes and belong to no cgroup.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget,
    SYS_semop, SYS_semtimedop, SYS_semctl, SYS_mq_open, SYS_mq_unlink, SYS_add_key, SYS_request_key,
    SYS_keyctl,
    // Namespaces and mounts.
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_move_mount,
    SYS_open_tree, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr,
    // Large and young parts of the kernel.
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter,
    SYS_io_uring_register, SYS_memfd_secret, SYS_fanotify_init, SYS_fanotify_mark,
    SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_lookup_dcookie, SYS_vmsplice,
    // The machine's.
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
    SYS_reboot, SYS_swapon, SYS_swapoff, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
    SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_iopl, SYS_ioperm, SYS_modify_ldt,
    SYS_personality, SYS_acct, SYS_quotactl, SYS_quotactl_fd, SYS_syslog, SYS_vhangup, SYS_uselib,
    SYS_ustat, SYS_sysfs, SYS__sysctl, SYS_nfsservctl};

constexpr std::uint32_t namespace_flags = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                          CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                          CLONE_NEWNET;
// 32-bit calls of the x32 ABI have this bit.
constexpr std::uint32_t x32_bit = 0x40000000;

// A call and what to do with it: instructions of which each way ends with an answer.
struct Rule {
  std::uint32_t call = 0;
  Block block;
};

Rule refused_if(std::uint32_t call, std::size_t argument, std::uint16_t how, std::uint32_t value,
                int error) {
  return {call, {load_argument(argument), jump(how, value, 0, 1), refuse(error), allow}};
}
Rule refused_unless(std::uint32_t call, std::size_t argument, std::vector<std::uint32_t> values,
                    int error) {
  Block block = {load_argument(argument)};
  for (std::size_t left = values.size(); left > 0; --left) {
    block.push_back(jump(BPF_JEQ, values[values.size() - left], left, 0));
  }
  block.push_back(refuse(error));
  block.push_back(allow);
  return {call, std::move(block)};
}

std::vector<Rule> rules() {
  std::vector<Rule> all;
  for (const long call : refused_calls) {
    all.push_back({static_cast<std::uint32_t>(call), {refuse(EPERM)}});
  }
  // Its flags lie in memory, where no filter looks; without it the C library uses clone.
  all.push_back({SYS_clone3, {refuse(ENOSYS)}});
  all.push_back(refused_if(SYS_clone, 0, BPF_JSET, namespace_flags, EPERM));
  for (const int call : {SYS_socket, SYS_socketpair}) {
    all.push_back(refused_unless(static_cast<std::uint32_t>(call), 0,
                                 {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}, EAFNOSUPPORT));
  }
  all.push_back(refused_unless(SYS_prlimit64, 0, {0}, EPERM));  // of itself only
  // abort() and raise() send the process's own signals so. The number is filled in by install().
  all.push_back(refused_unless(SYS_tgkill, 0, {0}, EPERM));
  // What a terminal would take for typed.
  all.push_back({SYS_ioctl,
                 {load_argument(1), jump(BPF_JEQ, TIOCSTI, 1, 0), jump(BPF_JEQ, TIOCLINUX, 0, 1),
                  refuse(EPERM), allow}});
  std::sort(all.begin(), all.end(), [](const Rule& a, const Rule& b) { return a.call < b.call; });
  return all;
}

void append(Block& block, const Block& more) {
  block.insert(block.end(), more.begin(), more.end());
}

// By halves, since the kernel goes through it for every call there is when it is installed.
Block search(const std::vector<Rule>& rules, std::size_t begin, std::size_t end) {
  constexpr std::size_t jump_max = 255;
  if (end - begin == 1) {
    const Rule& rule = rules[begin];
    Block block = {jump(BPF_JEQ, rule.call, 0, rule.block.size())};
    append(block, rule.block);
    block.push_back(allow);
    return block;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  const Block lower = search(rules, begin, middle);
  TRACEBED_CHECK(lower.size() <= jump_max, "a jump in a filter goes 255 instructions at most");
  Block block = {jump(BPF_JGE, rules[middle].call, lower.size(), 0)};
  append(block, lower);
  append(block, search(rules, middle, end));
  return block;
}

}  // namespace

SyscallFilter::SyscallFilter() {
  program_ = {load(offsetof(seccomp_data, arch)), jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
              answer(SECCOMP_RET_KILL_PROCESS),   load(offsetof(seccomp_data, nr)),
              jump(BPF_JGE, x32_bit, 0, 1),       answer(SECCOMP_RET_KILL_PROCESS)};
  const std::vector<Rule> all = rules();
  append(program_, search(all, 0, all.size()));
  for (std::size_t i = 0; i < program_.size(); ++i) {
    const Instruction& one = program_[i];
    if (one.code != (BPF_JMP | BPF_JEQ | BPF_K) || one.k != SYS_tgkill) continue;
    own_process_ = i + 2;  // behind the comparison and the load of the argument
  }
  TRACEBED_CHECK(own_process_ > 0 && program_.size() <= BPF_MAXINSNS, "the filter is whole");
}

__attribute__((no_sanitize("address", "undefined", "thread"))) int SyscallFilter::install(
    std::uint32_t own_process) {
  sock_filter* const first = program_.data();
  first[own_process_].k = own_process;
  const sock_fprog whole = {static_cast<unsigned short>(program_.size()), first};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0 ? 0 : errno;
}

bool has_syscall_filters() {
  // With a filter of nothing a kernel that knows filters finds a bad address; others know no such
  // mode.
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) != 0 && errno == EFAULT;
}

}  // namespace tracebed
