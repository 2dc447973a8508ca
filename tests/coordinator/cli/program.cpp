#include "coordinator/cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include "support/eventually.h"

extern char** environ;

namespace tracebed {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

// The caller's environment without TRACEBED_TRACES, then `more`.
std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("TRACEBED_TRACES=")) environment.emplace_back(*entry);
  }
  environment.insert(environment.end(), more.begin(), more.end());
  return environment;
}

}  // namespace

std::filesystem::path program_path(const std::string& name) {
  return std::filesystem::path(TRACEBED_PROGRAMS) / name;
}

RunningProgram::RunningProgram(const std::filesystem::path& program,
                               const std::vector<std::string>& arguments,
                               const std::vector<std::string>& environment) {
  std::vector<std::string> words{"setpriv", "--pdeathsig", "KILL", "--", program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> settings = environment_with(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int flags = O_WRONLY | O_CREAT | O_APPEND;
  const std::string out = (folder_.path() / "out").string();
  const std::string error = (folder_.path() / "error").string();
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, error.c_str(), flags, 0600);
  const int result = posix_spawnp(&id_, "setpriv", &actions, nullptr, pointers(words).data(),
                                  pointers(settings).data());
  posix_spawn_file_actions_destroy(&actions);
  if (result != 0) throw std::runtime_error("cannot start " + program.string());
}

RunningProgram::~RunningProgram() {
  if (is_reaped_) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, &status_, 0);
}

void RunningProgram::signal(int number) const {
  if (!is_reaped_) ::kill(id_, number);
}

std::string RunningProgram::out() const {
  return contents(folder_.path() / "out");
}

std::string RunningProgram::error() const {
  return contents(folder_.path() / "error");
}

bool RunningProgram::has_ended() {
  if (!is_reaped_) is_reaped_ = ::waitpid(id_, &status_, WNOHANG) == id_;
  return is_reaped_;
}

void RunningProgram::wait_until(const std::function<bool()>& condition) {
  if (wait_until_or_end(condition)) return;
  const bool ended = is_reaped_;
  const ProgramEnd end = ended ? wait() : ProgramEnd{.out = out(), .error = error()};
  ADD_FAILURE() << (ended ? "it ended first, with " + std::to_string(end.exit_code)
                          : std::string("it was waited for in vain"))
                << "\n"
                << end.out << end.error;
}

bool RunningProgram::wait_until_or_end(const std::function<bool()>& condition) {
  bool holds = false;
  EXPECT_TRUE(eventually([&] {
    const bool ended = has_ended();  // before the last look: what it did at its end counts
    holds = condition();
    return holds || ended;
  }));
  return holds;
}

ProgramEnd RunningProgram::wait() {
  if (!is_reaped_) ::waitpid(id_, &status_, 0);
  is_reaped_ = true;
  const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return {code, out(), error()};
}

std::unique_ptr<RunningProgram> limited_program(const std::string& limit, const std::string& name,
                                                const std::vector<std::string>& arguments) {
  const std::filesystem::path program = program_path(name);
  if (limit.empty()) return std::make_unique<RunningProgram>(program, arguments);
  const std::string script = "ulimit " + limit + " || exit 99; exec \"$@\"";
  std::vector<std::string> words{"-c", script, "sh", program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return std::make_unique<RunningProgram>("/bin/sh", words);
}

ProgramEnd tracebed_program(const std::vector<std::string>& arguments,
                            const std::vector<std::string>& environment) {
  return RunningProgram(program_path("tracebed"), arguments, environment).wait();
}

std::filesystem::path write_small_experiment(const TemporaryFolder& folder,
                                             const std::string& more) {
  // Four jobs on two processors: 1 and 2 run together, 3 wants both, 4 waits behind it.
  folder.write("small.swf",
               "1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n"
               "2 0 -1 30 1 -1 -1 1 40 -1 1 1 1 1 1 -1 -1 -1\n"
               "3 5 -1 10 2 -1 -1 2 20 -1 1 2 1 1 1 -1 -1 -1\n"
               "4 6 -1 5 1 -1 -1 1 10 -1 1 2 1 1 1 -1 -1 -1\n");
  return folder.write("small.toml",
                      "name = \"small\"\n"
                      "world = \"virtual\"\nrepetitions = 1\n"
                      "schedulers = [\"fcfs\", \"binpack\"]\n"
                      "[trace]\n"
                      "file = \"small.swf\"\n"
                      "[cluster]\n"
                      "nodes = 2\n"
                      "vcores = 1\n"
                      "memory = \"1 GiB\"\n"
                      "[virtual]\n"
                      "model = \"ideal\"\n" +
                          more);
}

}  // namespace tracebed
