#include "agents/launcher/process_start.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/input_error.h"

#if !defined(__x86_64__)
#error "clone_into_child below has to be written for this architecture"
#endif

namespace tracebed {
namespace {

constexpr std::size_t stack_bytes = std::size_t{64} << 10;
constexpr std::size_t guard_bytes = std::size_t{4} << 10;
// Of a container's processes, each; ZeroMQ takes some twenty.
constexpr std::int64_t descriptors_max = 1'024;

// Shared between parent and child; the parent sleeps until the child is done with it.
struct ChildTask {
  const ProcessToStart* process = nullptr;
  pid_t parent = 0;
  int null_device = -1;
  StartFailure failure;
  bool failed = false;
};

// clone3 that continues in `run(task)` on the child's own stack. It must be one piece of assembly:
// a child that returned through the parent's frames would overwrite what the parent returns to.
long clone_into_child(clone_args& arguments, void (*run)(ChildTask*), ChildTask* task) {
  long result = SYS_clone3;
  // The system call clobbers rcx and r11 only, so these two arrive in the child.
  register void (*function)(ChildTask*) asm("r8") = run;
  register ChildTask* argument asm("r9") = task;
  asm volatile(
      "syscall\n\t"
      "test %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xor %%ebp, %%ebp\n\t"  // ends stack traces
      "mov %%r9, %%rdi\n\t"
      "call *%%r8\n\t"
      "ud2\n"
      "1:"
      : "+a"(result)
      : "D"(&arguments), "S"(sizeof(arguments)), "r"(function), "r"(argument)
      : "rcx", "r11", "memory");
  return result;
}

// What runs in the child is not instrumented: it never returns from the stack that it shares with
// the next child, so marks of what may not be touched there would stay for that one to fall over.
#define TRACEBED_IN_CHILD __attribute__((no_sanitize("address", "undefined", "thread")))

[[noreturn]] TRACEBED_IN_CHILD void fail(ChildTask* task, StartFailure::Step step) {
  task->failure = {step, errno};
  task->failed = true;
  // No exit handlers: they are the parent's.
  for (;;) syscall(SYS_exit_group, 127);
}

TRACEBED_IN_CHILD void limit(ChildTask* task, __rlimit_resource_t resource, std::int64_t value) {
  const rlimit both = {static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
  if (setrlimit(resource, &both) != 0) fail(task, StartFailure::Step::limits);
}

// Plain system calls: glibc's wrappers would change every thread of the parent as well.
TRACEBED_IN_CHILD void become(ChildTask* task, const TaskUsers& users, std::uint32_t own_process) {
  const std::uint32_t number = users.count > 1 ? own_process : 0;
  if (number >= users.count) {
    errno = ERANGE;
    fail(task, StartFailure::Step::user);
  }
  const uid_t user = users.first + number;
  const gid_t group = users.group + number;
  if (syscall(SYS_setgroups, 0, nullptr) != 0 || syscall(SYS_setresgid, group, group, group) != 0 ||
      syscall(SYS_setresuid, user, user, user) != 0) {
    fail(task, StartFailure::Step::user);
  }
}

TRACEBED_IN_CHILD void run_child(ChildTask* task) {
  using Step = StartFailure::Step;
  const ProcessToStart& process = *task->process;
  if (process.entry != nullptr) {
    for (const FileDescriptor& file : process.entry->attach()) {
      if (write(file.number(), "0", 1) != 1) fail(task, Step::attach);
    }
  }
  if (process.cpus != nullptr &&
      syscall(SYS_sched_setaffinity, 0, sizeof(*process.cpus), process.cpus) != 0) {
    fail(task, Step::cpus);
  }
  if (setsid() < 0) fail(task, Step::session);
  const auto own_process = static_cast<std::uint32_t>(syscall(SYS_getpid));
  if (process.run_as) become(task, *process.run_as, own_process);
  // After the change of user, which clears it. A parent that died before is seen by its successor.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      getppid() != task->parent) {
    fail(task, Step::parent);
  }
  limit(task, RLIMIT_CORE, 0);
  limit(task, RLIMIT_NICE, 0);
  limit(task, RLIMIT_RTPRIO, 0);
  limit(task, RLIMIT_MSGQUEUE, 0);
  limit(task, RLIMIT_NOFILE, descriptors_max);
  if (process.processes_max > 0) limit(task, RLIMIT_NPROC, process.processes_max);
  if (process.address_space_bytes > 0) limit(task, RLIMIT_AS, process.address_space_bytes);
  const int input = process.input >= 0 ? process.input : task->null_device;
  const int output = process.output >= 0 ? process.output : task->null_device;
  if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
      dup2(output, STDERR_FILENO) < 0) {
    fail(task, Step::streams);
  }
  if (process.kept >= 0 && fcntl(process.kept, F_SETFD, 0) != 0) fail(task, Step::streams);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &process.blocked_signals, nullptr,
          sizeof(process.blocked_signals));
  // Last, so that it need not allow what is done before.
  if (process.filter != nullptr && (errno = process.filter->install(own_process)) != 0) {
    fail(task, Step::filter);
  }
  std::array<char*, 1> none = {nullptr};
  char* const* const environment =
      process.environment != nullptr ? process.environment : none.data();
  syscall(SYS_execveat, process.program, "", process.arguments, environment, AT_EMPTY_PATH);
  fail(task, Step::execute);
}

}  // namespace

std::string describe(const StartFailure& failure) {
  constexpr std::array<const char*, 10> steps = {
      "the process cannot be cloned",
      "the process cannot enter its cgroups",
      "the process cannot be bound to its CPUs",
      "the process cannot lead a session",
      "the process cannot take its user's identity",
      "the process cannot be tied to its parent's life",
      "the process cannot be given its resource limits",
      "the process cannot be given its standard streams",
      "the process cannot be given its filter of system calls",
      "the task program cannot be executed",
  };
  return std::string(steps.at(static_cast<std::size_t>(failure.step))) + ": " +
         error_text(failure.error);
}

ProcessStarter::ProcessStarter() : null_device_(open("/dev/null", O_RDWR | O_CLOEXEC)) {
  if (!null_device_.is_open()) throw EnvironmentError("/dev/null: " + error_text(errno));
  stack_ = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack_ == MAP_FAILED) throw EnvironmentError("a stack for starts: " + error_text(errno));
  // The stack grows down to here; an overflow must not run into other memory.
  mprotect(stack_, guard_bytes, PROT_NONE);
}

ProcessStarter::~ProcessStarter() {
  munmap(stack_, stack_bytes);
}

Result<pid_t, StartFailure> ProcessStarter::start(const ProcessToStart& process) {
  ChildTask task;
  task.process = &process;
  task.parent = getpid();
  task.null_device = null_device_.number();

  clone_args arguments = {};
  std::uint64_t flags = CLONE_VM | CLONE_VFORK | CLONE_CLEAR_SIGHAND;
  arguments.exit_signal = SIGCHLD;
  arguments.stack = reinterpret_cast<std::uintptr_t>(stack_);
  arguments.stack_size = stack_bytes;
  if (process.entry != nullptr && process.entry->clone_into() >= 0) {
    flags |= CLONE_INTO_CGROUP;
    arguments.cgroup = static_cast<unsigned>(process.entry->clone_into());
  }
  arguments.flags = flags;
  const long pid = clone_into_child(arguments, run_child, &task);
  if (pid < 0) return StartFailure{StartFailure::Step::clone, static_cast<int>(-pid)};
  if (!task.failed) return static_cast<pid_t>(pid);
  while (waitpid(static_cast<pid_t>(pid), nullptr, 0) < 0 && errno == EINTR) {
  }
  return task.failure;
}

}  // namespace tracebed
