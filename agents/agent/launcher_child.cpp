#include "agents/agent/launcher_child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/input_error.h"

namespace tracebed::agent {
namespace {

// The child's numbers; high enough not to be the parent's own ones that they are copied from.
constexpr int connection_in_child = 100;
constexpr int lifeline_in_child = 101;

class SpawnActions {
 public:
  SpawnActions() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void hand_on(int number, int as) { posix_spawn_file_actions_adddup2(&actions_, number, as); }
  // A session of its own, so that Ctrl-C in a terminal does not reach it; no blocked signals.
  void detach() {
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Returns 0, or the errno.
int spawn_program(const std::string& path, std::vector<std::string> arguments,
                  const SpawnActions& spawn, pid_t& process) {
  arguments.insert(arguments.begin(), path);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return posix_spawn(&process, path.c_str(), spawn.actions(), spawn.attributes(), pointers.data(),
                     environ);
}

}  // namespace

LauncherChild::LauncherChild(const LauncherProgram& program)
    : path_(program.path), sweep_arguments_(program.sweep_arguments) {
  std::array<int, 2> ends = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw EnvironmentError("a connection to the launcher cannot be created: " + error_text(errno));
  }
  connection_.reset(ends[0]);
  const FileDescriptor child_end(ends[1]);

  SpawnActions spawn;
  spawn.detach();
  std::vector<std::string> arguments = program.arguments;
  spawn.hand_on(child_end.number(), connection_in_child);
  arguments.insert(arguments.end(), {"--agent-fd", std::to_string(connection_in_child)});
  if (program.lifeline >= 0) {
    spawn.hand_on(program.lifeline, lifeline_in_child);
    arguments.insert(arguments.end(), {"--lifeline-fd", std::to_string(lifeline_in_child)});
  }
  const int error = spawn_program(path_, std::move(arguments), spawn, process_);
  if (error != 0) {
    throw EnvironmentError("--launcher: " + program.path +
                           " cannot be started: " + error_text(error));
  }
}

LauncherChild::LauncherChild(LauncherChild&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      connection_(std::move(other.connection_)),
      path_(std::move(other.path_)),
      sweep_arguments_(std::move(other.sweep_arguments_)) {}

LauncherChild::~LauncherChild() {
  connection_.reset();
  wait(end_timeout);
}

void LauncherChild::sweep() const {
  SpawnActions spawn;
  spawn.detach();
  pid_t process = -1;
  const int error = spawn_program(path_, sweep_arguments_, spawn, process);
  if (error != 0) {
    spdlog::error("the launcher's cgroups are left: {} cannot be started: {}", path_,
                  error_text(error));
    return;
  }
  // It has a limit of time of its own, and says what it cannot remove.
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
}

void LauncherChild::kill() const {
  if (process_ > 0) ::kill(process_, SIGKILL);
}

std::optional<int> LauncherChild::wait(std::chrono::milliseconds timeout) {
  if (process_ <= 0) return std::nullopt;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  int status = 0;
  while (waitpid(process_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) kill();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  process_ = -1;
  if (WIFSIGNALED(status)) sweep();
  return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

}  // namespace tracebed::agent
