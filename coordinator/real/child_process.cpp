#include "coordinator/real/child_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {

namespace {

[[noreturn]] void fail(const std::string& what, int error_number) {
  throw EnvironmentError(what + ": " + error_text(error_number));
}

// The arguments of posix_spawn, destroyed with the scope.
class SpawnSettings {
 public:
  explicit SpawnSettings(const ChildProcess::Start& start) {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // The child begins with the signal mask and dispositions of a shell's, whatever ours are.
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (start.input >= 0) {
      posix_spawn_file_actions_adddup2(&actions, start.input, STDIN_FILENO);
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, null_device_.c_str(), O_RDONLY, 0);
    }
    const std::string& output = start.output.empty() ? null_device_ : start.output;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    // Nothing else that this process holds, or was given by its own parent, reaches the child.
    int next = STDERR_FILENO + 1;
    if (start.inherited >= 0) {
      posix_spawn_file_actions_adddup2(&actions, start.inherited, start.inherited_as);
      for (; next < start.inherited_as; ++next) posix_spawn_file_actions_addclose(&actions, next);
      ++next;
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, next);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

 private:
  std::string null_device_ = "/dev/null";
};

}  // namespace

Lifeline Lifeline::make() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("a pipe cannot be made", errno);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

bool Lifeline::has_reader() const {
  pollfd end = {writer.number(), 0, 0};  // of the writing end of a pipe, POLLERR shows it (pipe(7))
  return poll(&end, 1, 0) == 0;
}

std::string ProcessEnd::describe() const {
  if (signal != 0) return fmt::format("ended by signal {} ({})", signal, strsignal(signal));
  return fmt::format("ended with exit code {}", exit_code);
}

ChildProcess::ChildProcess(const Start& start) {
  std::vector<char*> arguments;
  arguments.push_back(const_cast<char*>(start.program.c_str()));
  for (const std::string& argument : start.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const SpawnSettings settings(start);
  const int error = posix_spawnp(&id_, start.program.c_str(), &settings.actions,
                                 &settings.attributes, arguments.data(), environ);
  if (error != 0) fail(start.program + " cannot be started", error);
  // glibc 2.36 declares pidfd_open() without C linkage, so C++ cannot call it.
  handle_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, id_, 0)));
  if (handle_.number() < 0) {
    const int open_error = errno;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    fail("a handle of " + start.program + " cannot be opened", open_error);
  }
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)), handle_(std::move(other.handle_)), end_(other.end_) {}

ChildProcess::~ChildProcess() {
  if (id_ < 0 || poll()) return;
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

std::optional<ProcessEnd> ChildProcess::poll() {
  return wait(std::chrono::nanoseconds::zero());
}

std::optional<ProcessEnd> ChildProcess::wait(std::chrono::nanoseconds timeout) {
  if (end_) return end_;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    int status = 0;
    const pid_t got = waitpid(id_, &status, WNOHANG);
    if (got == id_) {
      end_ = WIFSIGNALED(status) ? ProcessEnd{0, WTERMSIG(status)}
                                 : ProcessEnd{WEXITSTATUS(status), 0};
      return end_;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd readiness{.fd = handle_.number(), .events = POLLIN, .revents = 0};
    ::poll(&readiness, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
  }
}

void ChildProcess::signal(int number) {
  // Not waited for, the process keeps its number, so the signal cannot hit another.
  if (!end_) kill(id_, number);
}

}  // namespace tracebed
