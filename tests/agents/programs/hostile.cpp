// In tracebed-task's place: a process that does to its launcher, to other containers and to the
// machine whatever it can (attacks.h). Plain system calls, as the C library would refuse some.
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "agents/programs/attacks.h"

namespace {

using tracebed::Attack;

constexpr unsigned life_max_seconds = 120;

[[noreturn]] void wait_for_the_end() {
  sleep(life_max_seconds);
  _exit(9);
}

// Every process of the machine that this one sees, but itself.
std::vector<pid_t> others() {
  std::vector<pid_t> found;
  DIR* const folder = opendir("/proc");
  if (folder == nullptr) return found;
  while (const dirent* entry = readdir(folder)) {
    const int process = std::atoi(entry->d_name);
    // Not the test's own, in whose place nothing would be seen to fail, and not the machine's
    // first.
    if (process > 1 && process != getpid()) found.push_back(process);
  }
  closedir(folder);
  return found;
}

std::string contents_of(const std::string& path) {
  std::string text;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::array<char, 4096> bytes;
  for (ssize_t got = 0; file >= 0 && (got = read(file, bytes.data(), bytes.size())) > 0;) {
    text.append(bytes.data(), static_cast<std::size_t>(got));
  }
  if (file >= 0) close(file);
  return text;
}

int successes = 0;
void must_fail(long result) {
  if (result >= 0) ++successes;
}

// ---- on its streams ----

[[noreturn]] void shut_streams_down() {
  for (;;) {
    for (const int stream : {0, 1, 2}) {
      for (const int how : {SHUT_RD, SHUT_WR, SHUT_RDWR}) shutdown(stream, how);
    }
    usleep(1'000);
  }
}

[[noreturn]] void change_stream_flags() {
  for (int flags = 0;; flags ^= O_NONBLOCK | O_APPEND) {
    for (const int stream : {0, 1, 2}) {
      fcntl(stream, F_SETFL, flags);
      fcntl(stream, F_SETOWN, getppid());
      fcntl(stream, F_SETSIG, SIGKILL);
      fcntl(stream, F_SETFL, flags | O_ASYNC);
      fcntl(stream, F_SETPIPE_SZ, 4096);
      const int on = 1;
      ioctl(stream, FIONBIO, &on);
      ftruncate(stream, 0);
    }
    usleep(1'000);
  }
}

[[noreturn]] void flood(std::size_t bytes) {
  const std::string packet(bytes, 'x');
  for (;;) {
    for (const int stream : {1, 2}) {
      if (send(stream, packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        static_cast<void>(!write(stream, packet.data(), packet.size()));
      }
    }
  }
}

[[noreturn]] void pass_descriptors() {
  for (;;) {
    std::array<int, 3> passed = {0, 1, open("/dev/zero", O_RDONLY)};
    char byte = 'x';
    iovec bytes = {&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(passed))> control = {};
    msghdr message = {};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(passed));
    std::memcpy(CMSG_DATA(header), passed.data(), sizeof(passed));
    for (const int stream : {0, 1, 2}) sendmsg(stream, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(passed[2]);
    usleep(100);
  }
}

[[noreturn]] void fork_bomb() {
  for (;;) {
    if (fork() == 0) setsid();
  }
}

// Each lives for a moment and is nobody's, so that the launcher has to wait for it.
[[noreturn]] void leave_orphans() {
  for (;;) {
    const pid_t child = fork();
    if (child == 0) {
      setsid();
      for (int i = 0; i < 8; ++i) {
        if (fork() == 0) _exit(0);
      }
      _exit(0);
    }
    if (child > 0) waitpid(child, nullptr, 0);
  }
}

// ---- on others ----

void kill_all() {
  for (const int signal : {SIGSTOP, SIGUSR1, SIGTERM, SIGKILL}) {
    must_fail(kill(-1, signal));
    must_fail(kill(0, signal));
    must_fail(kill(getppid(), signal));
    must_fail(kill(-getppid(), signal));
  }
}

void kill_each() {
  siginfo_t info = {};
  info.si_code = SI_QUEUE;
  for (const pid_t process : others()) {
    for (const int signal : {SIGSTOP, SIGKILL}) {
      info.si_signo = signal;
      must_fail(kill(process, signal));
      must_fail(syscall(SYS_tkill, process, signal));
      must_fail(syscall(SYS_tgkill, process, process, signal));
      must_fail(syscall(SYS_rt_sigqueueinfo, process, signal, &info));
      must_fail(syscall(SYS_rt_tgsigqueueinfo, process, process, signal, &info));
      const long handle = syscall(SYS_pidfd_open, process, 0);
      if (handle >= 0) must_fail(syscall(SYS_pidfd_send_signal, handle, signal, nullptr, 0));
    }
  }
}

void trace() {
  for (const pid_t process : others()) {
    must_fail(ptrace(PTRACE_SEIZE, process, nullptr, nullptr));
    must_fail(ptrace(PTRACE_ATTACH, process, nullptr, nullptr));
    must_fail(syscall(SYS_kcmp, process, getpid(), 0, 1, 1));
    const long handle = syscall(SYS_pidfd_open, process, 0);
    if (handle >= 0) must_fail(syscall(SYS_pidfd_getfd, handle, 0, 0));
  }
}

void read_memory() {
  std::array<char, 16> bytes;
  const iovec here = {bytes.data(), bytes.size()};
  for (const pid_t process : others()) {
    const iovec there = {reinterpret_cast<void*>(0x400000), bytes.size()};
    must_fail(syscall(SYS_process_vm_readv, process, &here, 1, &there, 1, 0));
    must_fail(syscall(SYS_process_vm_writev, process, &here, 1, &there, 1, 0));
    const std::string folder = "/proc/" + std::to_string(process) + "/";
    for (const char* file : {"mem", "environ", "maps", "fd/0", "fd/3", "io", "syscall"}) {
      const int opened = open((folder + file).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
      // Some are opened by everybody and then hold nothing.
      if (opened >= 0 && read(opened, bytes.data(), bytes.size()) > 0) ++successes;
      if (opened >= 0) close(opened);
    }
  }
}

void change_priorities() {
  const sched_param none = {};
  rlimit limit = {0, 0};
  for (const pid_t process : others()) {
    must_fail(syscall(SYS_setpriority, PRIO_PROCESS, process, 19));
    must_fail(syscall(SYS_ioprio_set, 1, process, 3 << 13));
    must_fail(syscall(SYS_prlimit64, process, RLIMIT_CPU, &limit, nullptr));
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(0, &cpus);
    must_fail(syscall(SYS_sched_setaffinity, process, sizeof(cpus), &cpus));
    must_fail(syscall(SYS_sched_setparam, process, &none));
  }
  must_fail(syscall(SYS_setpriority, PRIO_USER, getuid(), 19));
  const sched_param high = {1};
  must_fail(syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &high));
}

void become_another() {
  const uid_t own = getuid();
  for (const uid_t user : {uid_t{0}, uid_t{1}, own + 1}) {
    must_fail(syscall(SYS_setuid, user));
    must_fail(syscall(SYS_setgid, user));
    must_fail(syscall(SYS_setresuid, user, user, user));
    must_fail(syscall(SYS_setfsuid, user) == static_cast<long>(own) ? -1 : 0);
  }
  const gid_t group = 0;
  must_fail(syscall(SYS_setgroups, 1, &group));
  for (unsigned long capability = 0; capability < 41; ++capability) {
    must_fail(prctl(PR_CAPBSET_READ, capability) == 1 ? 0 : -1);
  }
}

// Files of its own cgroups: its limits, and the list of processes of those above.
void leave_cgroup() {
  const std::string own = contents_of("/proc/self/cgroup");
  for (std::size_t begin = 0; begin < own.size();) {
    const std::size_t end = std::min(own.find('\n', begin), own.size());
    const std::string line = own.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) controllers = "unified";
    for (const std::string& mount :
         {"/sys/fs/cgroup/" + controllers, std::string("/sys/fs/cgroup")}) {
      for (std::string path = mount + line.substr(second + 1); path.size() > mount.size();
           path.resize(path.rfind('/'))) {
        for (const char* file :
             {"/cgroup.procs", "/tasks", "/cpu.max", "/cpu.cfs_quota_us", "/memory.max",
              "/memory.limit_in_bytes", "/pids.max", "/cgroup.kill", "/freezer.state"}) {
          must_fail(open((path + file).c_str(), O_WRONLY | O_CLOEXEC));
        }
      }
    }
  }
}

void leave_objects() {
  must_fail(syscall(SYS_shmget, 1, 4096, 01666));
  must_fail(syscall(SYS_msgget, 1, 01666));
  must_fail(syscall(SYS_semget, 1, 1, 01666));
  must_fail(syscall(SYS_mq_open, "hostile", O_RDWR | O_CREAT, 0666, nullptr));
  must_fail(syscall(SYS_add_key, "user", "hostile", "x", 1, -4));
}

void make_namespaces() {
  for (const int flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC,
                         CLONE_NEWUTS, CLONE_NEWCGROUP}) {
    must_fail(unshare(flag));
    const long child = syscall(SYS_clone, flag | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
    if (child == 0) _exit(0);
    must_fail(child);
  }
  must_fail(syscall(SYS_clone3, nullptr, 0));
  must_fail(mount("none", "/tmp", "tmpfs", 0, nullptr));
  must_fail(chroot("/"));
}

void use_rare_calls() {
  std::array<char, 256> nothing = {};
  must_fail(syscall(SYS_bpf, 5, nothing.data(), 48));
  must_fail(syscall(SYS_perf_event_open, nothing.data(), 0, -1, -1, 0));
  must_fail(syscall(SYS_userfaultfd, 1));
  must_fail(syscall(SYS_io_uring_setup, 1, nothing.data()));
  must_fail(syscall(SYS_keyctl, 0, -3, 1));
  must_fail(syscall(SYS_personality, 0x0040000));
  must_fail(syscall(SYS_memfd_secret, 0));
  must_fail(syscall(SYS_name_to_handle_at, AT_FDCWD, "/", nothing.data(), nothing.data(), 0));
  must_fail(syscall(SYS_fanotify_init, 0, 0));
  must_fail(syscall(SYS_reboot, 0, 0, 0, 0));
  char typed = 'x';
  for (const int stream : {0, 1, 2}) must_fail(ioctl(stream, TIOCSTI, &typed));
}

void open_rare_sockets() {
  constexpr int alg = 38;
  constexpr int vsock = 40;
  for (const int family : {AF_PACKET, AF_BLUETOOTH, AF_CAN, alg, vsock, AF_KEY}) {
    must_fail(socket(family, SOCK_DGRAM, 0));
    must_fail(socket(family, SOCK_SEQPACKET, 0));
  }
  must_fail(socket(AF_INET, SOCK_RAW, 1));
  for (const int family : {AF_UNIX, AF_INET, AF_INET6}) {
    if (socket(family, SOCK_STREAM, 0) < 0 && errno != EAFNOSUPPORT) ++successes;  // these are had
  }
}

// ---- lies ----

int lie(Attack attack, std::uint32_t own) {
  constexpr std::uint32_t mark = 0x32504254;
  const auto say = [](std::uint32_t first, std::uint32_t container, std::uint32_t progress) {
    const std::array<std::uint32_t, 10> words = {first, container, progress};
    static_cast<void>(!write(STDOUT_FILENO, words.data(), sizeof(words)));
  };
  if (attack == Attack::tell_unasked) {
    say(mark, own, 7);
    return 3;
  }
  sigset_t orders;
  sigemptyset(&orders);
  sigaddset(&orders, SIGUSR2);
  sigwaitinfo(&orders, nullptr);
  if (attack == Attack::tell_of_another) say(mark, own + 1, 7);
  if (attack == Attack::tell_that_all_is_done) say(mark, own, 1'000'000);
  if (attack == Attack::tell_something_else) say(mark + 1, own, 7);
  if (attack == Attack::tell_twice) {
    say(mark, own, 7);
    say(mark, own, 9);
  }
  if (attack == Attack::tell_at_length) {
    say(mark, own, 7);
    const std::string more(40'000, '\033');
    static_cast<void>(!write(STDOUT_FILENO, more.data(), more.size()));
  }
  return 3;
}

long figure(int count, char** words, const char* name) {
  const std::size_t length = std::strlen(name);
  for (int i = 1; i < count; ++i) {
    if (std::strncmp(words[i], name, length) == 0) return std::atol(words[i] + length);
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  prctl(PR_SET_DUMPABLE, 0);  // as tracebed-task
  const auto attack = static_cast<Attack>(figure(count, words, "cpu_time_us="));
  switch (attack) {
    case Attack::none:
      wait_for_the_end();
    case Attack::end_at_once:
      return 0;
    case Attack::shut_streams_down:
      shut_streams_down();
    case Attack::change_stream_flags:
      change_stream_flags();
    case Attack::flood:
      flood(12);
    case Attack::send_huge_packets:
      flood(1 << 20);
    case Attack::pass_descriptors:
      pass_descriptors();
    case Attack::close_all:
      for (int stream = 0; stream < 1'024; ++stream) close(stream);
      wait_for_the_end();
    case Attack::fork_bomb:
      fork_bomb();
    case Attack::orphans:
      leave_orphans();
    case Attack::kill_all:
      kill_all();
      break;
    case Attack::kill_each:
      kill_each();
      break;
    case Attack::trace:
      trace();
      break;
    case Attack::read_memory:
      read_memory();
      break;
    case Attack::change_priorities:
      change_priorities();
      break;
    case Attack::become_another:
      become_another();
      break;
    case Attack::leave_cgroup:
      leave_cgroup();
      break;
    case Attack::leave_objects:
      leave_objects();
      break;
    case Attack::make_namespaces:
      make_namespaces();
      break;
    case Attack::use_rare_calls:
      use_rare_calls();
      break;
    case Attack::open_rare_sockets:
      open_rare_sockets();
      break;
    default:
      return lie(attack, static_cast<std::uint32_t>(figure(count, words, "container=")));
  }
  return std::min(successes, 100);
}
