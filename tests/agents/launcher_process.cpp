#include "agents/launcher_process.h"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <signal.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agents/cgroups/mounts.h"
#include "agents/cgroups/open_tree.h"
#include "support/files.h"

namespace tracebed::launcher {
pid_t spawn(const std::string& program, std::vector<std::string> arguments,
            const std::vector<int>& inherited, int input) {
  arguments.insert(arguments.begin(), program);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const pid_t process = fork();
  if (process == 0) {
    if (input >= 0) dup2(input, STDIN_FILENO);
    for (const int number : inherited) fcntl(number, F_SETFD, 0);
    execv(program.c_str(), pointers.data());
    _exit(127);
  }
  return process;
}

int wait_for_end(pid_t process) {
  int status = 0;
  const bool ended = eventually([&] { return waitpid(process, &status, WNOHANG) == process; });
  EXPECT_TRUE(ended) << "process " << process << " does not end";
  if (!ended) {
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
  }
  return status;
}

DescriptorPair socket_pair() {
  int numbers[2] = {-1, -1};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers), 0);
  return {FileDescriptor(numbers[0]), FileDescriptor(numbers[1])};
}

DescriptorPair pipe_pair() {
  int numbers[2] = {-1, -1};
  EXPECT_EQ(pipe2(numbers, O_CLOEXEC), 0);
  return {FileDescriptor(numbers[0]), FileDescriptor(numbers[1])};
}

std::vector<std::string> cgroups_of_run(const std::string& run) {
  std::vector<std::string> found;
  const CgroupSurroundings around = cgroup_surroundings();
  for (const CgroupMount& mount : around.mounts) {
    for (const std::string& place : own_and_ancestors(mount, around.memberships)) {
      const std::string path = place + "/tracebed/" + run;
      if (access(path.c_str(), F_OK) == 0) found.push_back(path);
    }
  }
  return found;
}

namespace {

// The processes of which `matches`, given their directories in /proc, is true.
template <class Matches>
std::vector<pid_t> processes_where(Matches matches) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (matches(entry.path())) found.push_back(std::stoi(name));
  }
  return found;
}

std::filesystem::path program_of(const std::filesystem::path& process) {
  std::error_code is_gone;
  return std::filesystem::read_symlink(process / "exe", is_gone);  // empty: gone, or a zombie
}

bool file_names(const std::filesystem::path& path, const std::string& word) {
  return contents(path).find(word) != std::string::npos;
}

}  // namespace

std::vector<pid_t> processes_of_run(const std::string& run) {
  return processes_where([&](const std::filesystem::path& process) {
    return !program_of(process).empty() && (file_names(process / "cmdline", run) ||
                                            file_names(process / "cgroup", "/" + run + "/"));
  });
}

std::vector<pid_t> processes_of(const std::string& program) {
  return processes_where(
      [&](const std::filesystem::path& process) { return program_of(process) == program; });
}

std::vector<std::string> stat_of(pid_t process) {
  const std::string text = contents("/proc/" + std::to_string(process) + "/stat");
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::vector<std::string> words;
  for (std::string word; fields >> word;) words.push_back(word);
  return words;
}

namespace {

// The process that listens at the other end.
pid_t listener_of(const FileDescriptor& socket) {
  ucred listener = {};
  socklen_t bytes = sizeof(listener);
  ::getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &listener, &bytes);
  return listener.pid;
}

}  // namespace

LauncherProcess::LauncherProcess(const Options& options) : options_(options) {
  DescriptorPair lifeline = pipe_pair();
  lifeline_ = std::move(lifeline.second);
  std::vector<int> inherited = {lifeline.first.number()};
  std::vector<std::string> arguments = {
      "--run",  options.run,  "--agent",       options.agent,
      "--task", options.task, "--lifeline-fd", std::to_string(lifeline.first.number())};
  arguments.insert(arguments.end(), options.more.begin(), options.more.end());
  DescriptorPair sockets;
  if (options.listens) {
    arguments.insert(arguments.end(), {"--listen", socket_path()});
  } else {
    sockets = socket_pair();
    inherited.push_back(sockets.second.number());
    arguments.insert(arguments.end(), {"--agent-fd", std::to_string(sockets.second.number())});
  }
  process_ =
      spawn(options.launcher.empty() ? TRACEBED_LAUNCHER : options.launcher, arguments, inherited);
  if (options.listens) {
    connect();
  } else {
    client_.emplace(std::move(sockets.first));
  }
}

LauncherProcess::~LauncherProcess() {
  if (process_ <= 0) return;
  cut_lifeline();
  wait_for_end();
}

std::string LauncherProcess::socket_path() const {
  return folder_.file("socket");
}

// A launcher that was killed may have left a child that has not begun its program yet, and which
// keeps the socket open until it does. Nobody would ever answer there.
void LauncherProcess::connect() {
  news_.clear();
  EXPECT_TRUE(eventually([&] {
    Result<FileDescriptor> socket = connect_to_launcher(socket_path());
    if (!socket || listener_of(*socket) != process_) return false;
    client_.emplace(*std::move(socket));
    return true;
  }));
}

int LauncherProcess::wait_for_end() {
  const int status = launcher::wait_for_end(process_);
  process_ = -1;
  return status;
}

template <class Record>
Record LauncherProcess::next() {
  Record record;
  bool found = false;
  EXPECT_TRUE(eventually([&] {
    client_->flush();  // as an agent does, since many launches fill the socket
    const bool is_connected = client_->receive(news_);
    const auto news = std::find_if(news_.begin(), news_.end(), [](const auto& one) {
      return std::holds_alternative<Record>(one);
    });
    if (news != news_.end()) {
      record = std::get<Record>(*news);
      news_.erase(news);
      found = true;
    }
    return found || !is_connected;
  }));
  EXPECT_TRUE(found) << "the launcher did not say it";
  return record;
}
template StartedRecord LauncherProcess::next<StartedRecord>();
template ExitedRecord LauncherProcess::next<ExitedRecord>();
template StateRecord LauncherProcess::next<StateRecord>();
template UsageRecord LauncherProcess::next<UsageRecord>();

std::set<std::uint32_t> LauncherProcess::containers_in_answer() {
  const auto is_state = [](const auto& one) { return std::holds_alternative<StateRecord>(one); };
  EXPECT_TRUE(eventually([&] {
    return !client_->receive(news_) || std::any_of(news_.begin(), news_.end(), is_state);
  }));
  std::set<std::uint32_t> containers;
  for (const auto& one : news_) {
    if (is_state(one)) break;
    if (const auto* started = std::get_if<StartedRecord>(&one)) {
      containers.insert(started->container);
    }
  }
  return containers;
}

std::vector<ExitedRecord> LauncherProcess::exits_so_far() {
  client_->receive(news_);
  std::vector<ExitedRecord> exits;
  for (const auto& one : news_) {
    if (const auto* exit = std::get_if<ExitedRecord>(&one)) exits.push_back(*exit);
  }
  return exits;
}

std::vector<ProgressRecord> LauncherProcess::progress() {
  client_->query_usage();
  next_usage();
  std::vector<ProgressRecord> progress;
  std::erase_if(news_, [&](const auto& one) {
    const auto* const record = std::get_if<ProgressRecord>(&one);
    if (record != nullptr) progress.push_back(*record);
    return record != nullptr;
  });
  return progress;
}

LaunchRecord container(std::uint32_t id, const TaskWork& work) {
  LaunchRecord record;
  record.container = id;
  record.milli_vcores = 1'000;
  record.memory_mib = 64;
  record.pids = 32;
  record.work = to_numbers(work);
  return record;
}

}  // namespace tracebed::launcher
