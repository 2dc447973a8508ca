#include "system/program_output.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system/file_descriptor.h"

namespace tracebed {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  FileDescriptor reader;
  FileDescriptor writer;
};

std::optional<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

class SpawnSettings {
 public:
  SpawnSettings(int output, int errors) {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// The leader of a session, which ends with this.
class Session {
 public:
  explicit Session(pid_t leader) : leader_(leader) {}
  ~Session() { end(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Kills what is left of it; returns the leader's status as of waitpid(2).
  int end() {
    if (leader_ < 0) return status_;
    kill(-leader_, SIGKILL);
    reap(0);
    return status_;
  }
  // Whether the leader has ended by itself; then the others are killed.
  bool has_ended() {
    siginfo_t info{};
    const bool ended =
        waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == leader_;
    if (ended) end();
    return ended;
  }

 private:
  void reap(int flags) {
    while (waitpid(leader_, &status_, flags) < 0 && errno == EINTR) {
    }
    leader_ = -1;
  }

  pid_t leader_;
  int status_ = 0;
};

// Appends what can be read now; false at the end of the file.
bool read_some(const FileDescriptor& from, std::string& text) {
  std::array<char, 4'096> bytes;
  const ssize_t count = read(from.number(), bytes.data(), bytes.size());
  if (count > 0) text.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

struct Streams {
  FileDescriptor output;
  FileDescriptor errors;
  std::string text;
  std::string error_text;
};

enum class Reading : std::uint8_t { ended, late, too_much };

// Until both streams have ended.
Reading read_all(Streams& streams, Clock::time_point deadline, std::size_t bytes_max) {
  constexpr std::size_t errors_kept = 4'096;
  while (streams.output.is_open() || streams.errors.is_open()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left < 0) return Reading::late;
    std::array<pollfd, 2> waited{
        {{streams.output.number(), POLLIN, 0}, {streams.errors.number(), POLLIN, 0}}};
    poll(waited.data(), waited.size(), static_cast<int>(std::min<long>(left + 1, 60'000)));
    if (waited[0].revents != 0 && !read_some(streams.output, streams.text)) {
      streams.output.reset();
    }
    if (waited[1].revents != 0 && !read_some(streams.errors, streams.error_text)) {
      streams.errors.reset();
    }
    if (streams.text.size() > bytes_max) return Reading::too_much;
    if (streams.error_text.size() > errors_kept) {
      streams.error_text.erase(0, streams.error_text.size() - errors_kept);
    }
  }
  return Reading::ended;
}

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  const std::size_t begin = text.rfind('\n');
  if (begin != std::string::npos) text.erase(0, begin + 1);
  return text;
}

Error failed(const ProgramCall& call, std::string_view how, const std::string& errors) {
  const std::string line = last_line(errors);
  return {fmt::format("{} {}{}{}", call.program, how, line.empty() ? "" : ": ", line)};
}

// The program may close its output long before it ends.
bool wait_for(Session& session, Clock::time_point deadline) {
  constexpr timespec a_moment{0, 1'000'000};
  while (!session.has_ended()) {
    if (Clock::now() >= deadline) return false;
    nanosleep(&a_moment, nullptr);
  }
  return true;
}

}  // namespace

Result<std::string> program_output(const ProgramCall& call) {
  const Clock::time_point deadline = Clock::now() + call.timeout;
  auto output = make_pipe();
  auto errors = make_pipe();
  if (!output || !errors) return Error{"a pipe cannot be made: " + error_text(errno)};
  std::vector<char*> arguments{const_cast<char*>(call.program.c_str())};
  for (const std::string& argument : call.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const SpawnSettings settings(output->writer.number(), errors->writer.number());
  pid_t id = -1;
  const int error = posix_spawn(&id, call.program.c_str(), &settings.actions, &settings.attributes,
                                arguments.data(), environ);
  if (error != 0) return Error{call.program + " cannot be started: " + error_text(error)};
  Session session(id);
  output->writer.reset();
  errors->writer.reset();
  Streams streams{std::move(output->reader), std::move(errors->reader), {}, {}};
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(call.timeout).count();
  const auto late = [&] {
    return failed(call, fmt::format("did not end within {} ms", milliseconds), streams.error_text);
  };
  switch (read_all(streams, deadline, call.output_bytes_max)) {
    case Reading::late:
      return late();
    case Reading::too_much:
      return failed(call, fmt::format("printed more than {} bytes", call.output_bytes_max),
                    streams.error_text);
    case Reading::ended:
      break;
  }
  if (!wait_for(session, deadline)) return late();
  const int status = session.end();
  if (WIFSIGNALED(status)) {
    return failed(call, fmt::format("ended by signal {}", WTERMSIG(status)), streams.error_text);
  }
  if (WEXITSTATUS(status) != 0) {
    return failed(call, fmt::format("ended with exit code {}", WEXITSTATUS(status)),
                  streams.error_text);
  }
  return std::move(streams.text);
}

}  // namespace tracebed
