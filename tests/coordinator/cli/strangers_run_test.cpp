// A local run among other users of its machine: what they can read of it helps nobody to speak in
// its agents' place, and who tries changes nothing.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "coordinator/cli/task_rows.h"
#include "coordinator/real/key_guard.h"
#include "coordinator/real/scripted_agent.h"
#include "report/run_folder.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed {
namespace {

using test::ScriptedAgent;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The ports of loopback addresses where the process listens: of its sockets, those that the kernel
// lists as listening.
std::set<int> listening_ports(pid_t process) {
  std::set<std::string> sockets;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", process), error)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), error);
    if (target.starts_with("socket:[")) sockets.insert(target.substr(8, target.size() - 9));
  }
  std::set<int> ports;
  // The kernel lists those that listen first (tcp_get_idx), before what may be thousands of others.
  std::ifstream lines("/proc/net/tcp");
  std::string line;
  std::getline(lines, line);  // names of columns
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::vector<std::string> words;
    for (std::string word; fields >> word;) words.push_back(word);
    constexpr std::size_t local = 1, state = 3, inode = 9;
    if (words.size() <= inode || words[state] != "0A") break;
    if (!sockets.contains(words[inode])) continue;
    ports.insert(std::stoi(words[local].substr(words[local].find(':') + 1), nullptr, 16));
  }
  return ports;
}

// Everything in a command line or environment that our own environment does not say.
std::set<std::string> words_and_settings_of(pid_t process) {
  std::set<std::string> own;
  std::istringstream ours(contents("/proc/self/environ"));
  for (std::string word; std::getline(ours, word, '\0');) own.insert(word);
  std::set<std::string> words;
  for (const char* file : {"cmdline", "environ"}) {
    std::istringstream stream(contents(fmt::format("/proc/{}/{}", process, file)));
    for (std::string word; std::getline(stream, word, '\0');) {
      if (!own.contains(word)) words.insert(word);
    }
  }
  return words;
}

std::string word_after(const std::string& flag, pid_t process) {
  std::istringstream stream(contents(fmt::format("/proc/{}/cmdline", process)));
  for (std::string word; std::getline(stream, word, '\0');) {
    if (word == flag && std::getline(stream, word, '\0')) return word;
  }
  return {};
}

bool is_secret(const std::string& word) {
  // A key, alone or as the value of something; paths have the same characters.
  const std::string value =
      word.substr(word.find('=') == std::string::npos ? 0 : word.find('=') + 1);
  return (is_key(word) || is_key(value)) && word.find('/') == std::string::npos;
}

class StrangersOfARun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  void start(int jobs, int seconds_each, const std::vector<const char*>& settings = {}) {
    std::vector<std::string> words = run_.arguments(jobs, seconds_each, "64 GiB");
    for (const char* setting : settings) words.insert(words.end(), {"--set", setting});
    program_.emplace(program_path("tracebed"), words,
                     std::vector{"TRACEBED_TRACES=" + run_.folder().string()});
  }
  std::uint64_t counter(const std::string& name) const {
    for (const auto& [key, count] : RunFolder::load(run_.runs() / "fifo").end.counters) {
      if (key == name) return count;
    }
    ADD_FAILURE() << "the run record has no counter " << name;
    return 0;
  }

  // One in five is of another run; half have keys, which are their own guess.
  static std::unique_ptr<ScriptedAgent> stranger_at(const std::string& endpoint,
                                                    const std::string& own_run,
                                                    std::size_t number) {
    const std::string name = fmt::format("node{}", 1 + number % 3);
    const std::string run = number % 5 == 4 ? "another-run" : own_run;
    const KeyPair guess = make_key_pair();
    auto stranger = number % 2 == 0 ? std::make_unique<ScriptedAgent>(endpoint, run, name)
                                    : std::make_unique<ScriptedAgent>(endpoint, run, name, guess,
                                                                      guess.public_key);
    stranger->never_wait();
    return stranger;
  }

  LocalRun run_{"strangers-" + std::to_string(::getpid())};
  std::optional<RunningProgram> program_;
};

TEST_F(StrangersOfARun, ReadNothingThatHelpsThem) {
  start(4, 20,
        {"am=container", "master_container.memory=4 GiB", "master_container.vcores=1",
         "master_container.heartbeat=1s"});
  std::map<std::string, std::set<std::string>> words;  // by program
  std::set<int> ports;
  program_->wait_until([&] {
    ports.merge(listening_ports(program_->id()));
    for (const char* program : {"tracebed-agent", "tracebed-launcher", "tracebed-appmaster",
                                "tracebed-task", "redis-server", "sh"}) {
      for (const pid_t process : run_.processes(program_->id(), program)) {
        words[program].merge(words_and_settings_of(process));
      }
    }
    return words["tracebed-task"].size() > 1 && words["tracebed-appmaster"].size() > 1;
  });
  for (const char* program : {"tracebed-agent", "tracebed-launcher", "tracebed-appmaster",
                              "tracebed-task", "redis-server"}) {
    EXPECT_FALSE(words[program].empty()) << program << " was not looked at";
  }
  ASSERT_FALSE(ports.empty());
  for (const auto& [program, said] : words) {
    for (const std::string& word : said) {
      EXPECT_THAT(word, Not(HasSubstr("tcp://"))) << program;
      for (const int port : ports) EXPECT_NE(word, std::to_string(port)) << program;
      EXPECT_FALSE(is_secret(word)) << program << ": " << word;
    }
  }
  EXPECT_EQ(program_->wait().exit_code, 0);
}

// They know the run's name, its machines and where its coordinator listens, and try from before the
// first agent is there to the end.
TEST_F(StrangersOfARun, ChangeNothing) {
  start(6, 20, {"trace.rules.swf.cpu_time=run_time"});
  std::string own_run = "not known yet";
  std::vector<std::unique_ptr<ScriptedAgent>> strangers;
  std::uint32_t container = 0;
  std::uint64_t session = 4'000'000'000'000'000'000;
  program_->wait_until_or_end([&] {
    for (const pid_t agent : run_.processes(program_->id(), "tracebed-agent")) {
      own_run = word_after("--run", agent);
    }
    for (const int port : listening_ports(program_->id())) {
      const std::string endpoint = fmt::format("tcp://127.0.0.1:{}", port);
      for (int more = 4; more > 0 && strangers.size() < 40; --more) {
        strangers.push_back(stranger_at(endpoint, own_run, strangers.size()));
        strangers.back()->start_sessions_at(++session);
      }
    }
    for (const auto& stranger : strangers) {
      wire::Hello hello = stranger->hello();
      wire::ContainerExit exit;
      exit.container = ContainerId(container++ % 16);
      exit.sequence = session + container;
      exit.started = exit.ended = hello.wall_clock;
      hello.exits = {exit};
      stranger->send_hello(hello);
      wire::Heartbeat beat;
      beat.wall_clock = hello.wall_clock;
      beat.exits = {exit};
      stranger->send(beat);
      stranger->send(wire::Goodbye{"forged"});
    }
    return false;
  });
  const ProgramEnd end = program_->wait();
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_EQ(strangers.size(), 40u);
  const RunFolder folder = RunFolder::load(run_.runs() / "fifo");
  EXPECT_EQ(folder.metrics().succeeded, 6u);
  for (const TaskRow& row : read_tasks(run_.runs() / "fifo/tasks.csv")) {
    EXPECT_EQ(row.end, "succeeded");
    EXPECT_GT(row.cpu_us, 0) << "an exit that no launcher has seen";
  }
  EXPECT_EQ(counter("agents_refused"), 0u);
  EXPECT_EQ(counter("agents_lost"), 0u);
  EXPECT_EQ(counter("exits_implausible"), 0u);
  EXPECT_EQ(counter("messages_misplaced"), 0u);
  EXPECT_EQ(tracebed_program({"replay-log", run_.runs().string()}).exit_code, 0);
}

}  // namespace
}  // namespace tracebed
