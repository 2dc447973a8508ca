// No room: a full disk, files that may not grow (ulimit -f), memory that may not (ulimit -v). What
// fails says so, what was acknowledged stays, and the service is back when there is room.
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/mount.h>
#include <vector>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr int killed_by_file_size = 128 + SIGXFSZ;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

// A small file system of its own; `reason` says why there is none.
class SmallDisk {
 public:
  explicit SmallDisk(const std::filesystem::path& at, const std::string& size) : at_(at) {
    std::filesystem::create_directories(at);
    is_mounted_ = ::mount("tracebed-test", at.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (is_mounted_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool is_mounted() const { return is_mounted_; }

 private:
  std::filesystem::path at_;
  bool is_mounted_ = false;
};

class Room : public testing::Test {
 protected:
  Room() { write_small_experiment(folder_); }

  void start_coordinator(const std::string& limit, const std::filesystem::path& state,
                         const std::vector<std::string>& flags = {}) {
    std::vector<std::string> arguments{
        "--state", state.string(), "--traces", folder_.path().string(), "--port", "0"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    daemon_ = limited_program(limit, "tracebed-coordinator", arguments);
    daemon_->wait_until([&] { return daemon_->out().ends_with('\n'); });
    const std::string line = daemon_->out();
    ASSERT_NE(line.rfind(' '), std::string::npos) << daemon_->error();
    address_ = line.substr(line.rfind(' ') + 1);
    address_.pop_back();
  }
  ProgramEnd ask(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--coordinator", address_});
    return tracebed_program(arguments);
  }
  // `nodes` machines, and as many bytes of comment.
  std::string submission(int nodes = 2, std::size_t padding = 0) const {
    return folder_
        .write("submitted.toml",
               fmt::format("name = \"small\"\nworld = \"virtual\"\nrepetitions = 1\n"
                           "schedulers = [\"fcfs\"]\n"
                           "[trace]\nfile = \"${{TRACEBED_TRACES}}/small.swf\"\n[cluster]\n"
                           "nodes = {}\nvcores = 1\nmemory = \"1 GiB\"\n#{}\n",
                           nodes, std::string(padding, 'x')))
        .string();
  }
  // Waits for agents until it is cancelled, and writes nothing.
  std::string waiting_for_agents() const {
    return folder_
        .write("cluster.toml",
               "name = \"cluster\"\nworld = \"cluster\"\nschedulers = [\"fcfs\"]\n"
               "[trace]\nfile = \"${TRACEBED_TRACES}/small.swf\"\n[agents]\ntimeout = \"1h\"\n"
               "[cluster]\nnodes = 2\nvcores = 1\nmemory = \"1 GiB\"\n")
        .string();
  }
  json status(int run) const {
    const ProgramEnd asked = ask({"status", std::to_string(run), "--json"});
    EXPECT_EQ(asked.exit_code, 0) << asked.error << daemon_->error();
    return asked.exit_code == 0 ? json::parse(asked.out) : json();
  }
  json ended(int run) const {
    json found;
    EXPECT_TRUE(eventually([&] {
      found = status(run);
      return found.is_null() || found.at("ended_at") != 0;
    }));
    return found;
  }
  // Ended, or waiting until there is room.
  json settled(int run) const {
    json found;
    EXPECT_TRUE(eventually([&] {
      found = status(run);
      return found.is_null() || found.at("ended_at") != 0 || found.at("waits_for") != "";
    }));
    return found;
  }
  void end_coordinator() {
    daemon_->signal(SIGTERM);
    const ProgramEnd end = daemon_->wait();
    EXPECT_EQ(end.exit_code, 0) << end.error;
  }
  std::size_t memory_kib() const {
    const std::string text = contents(fmt::format("/proc/{}/status", daemon_->id()));
    const std::size_t at = text.find("VmRSS:");
    return at == std::string::npos ? 0 : std::stoul(text.substr(at + 6));
  }

  TemporaryFolder folder_;
  std::unique_ptr<RunningProgram> daemon_;
  std::string address_;
};

TEST_F(Room, ACoordinatorWithAFullDiskKeepsItsWordAndIsBackWhenThereIsRoom) {
  const std::filesystem::path disk = folder_.path() / "disk";
  const SmallDisk small(disk, "4m");
  if (!small.is_mounted()) GTEST_SKIP() << "nothing can be mounted here";
  start_coordinator("-c 0", disk / "state");
  int taken = 0;
  ProgramEnd refused;
  for (; taken < 500 && refused.exit_code != to_int(ExitCode::input); ++taken) {
    refused = ask({"submit", submission(2, 100'000)});
    ASSERT_THAT(refused.exit_code, testing::AnyOf(0, to_int(ExitCode::input))) << refused.error;
  }
  --taken;
  EXPECT_THAT(refused.error, HasSubstr("is full: less than"));
  ASSERT_GT(taken, 0);
  // Those that were taken more quickly than they ran may be left without room.
  int ended_runs = 0;
  for (int run = 1; run <= taken; ++run) {
    const json end = settled(run);
    EXPECT_THAT(end.at("state"), testing::AnyOf("finished", "failed", "waiting")) << end;
    if (end.at("state") != "waiting") ++ended_runs;
  }
  ASSERT_GT(ended_runs, 0);
  for (int run = 1; run <= ended_runs; ++run) {
    EXPECT_EQ(ask({"delete", std::to_string(run)}).exit_code, 0)
        << "what ended can be deleted without room";
  }
  for (int run = ended_runs + 1; run <= taken; ++run) {
    EXPECT_THAT(ended(run).at("state"), testing::AnyOf("finished", "failed"));
    EXPECT_EQ(ask({"delete", std::to_string(run)}).exit_code, 0);
  }
  const ProgramEnd again = ask({"submit", submission(), "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.error;
  const int next = json::parse(again.out).at("run");
  EXPECT_GT(next, taken);
  EXPECT_EQ(ended(next).at("state"), "finished");
  end_coordinator();
}

TEST_F(Room, RunsWaitForRoomOnAFullDiskAndGoOnByThemselves) {
  const std::filesystem::path disk = folder_.path() / "disk";
  const SmallDisk small(disk, "8m");
  if (!small.is_mounted()) GTEST_SKIP() << "nothing can be mounted here";
  start_coordinator("-c 0", disk / "state", {"--listen", "ipc://" + folder_.file("agents")});
  ASSERT_EQ(ask({"submit", waiting_for_agents()}).exit_code, 0);
  ASSERT_TRUE(eventually([&] { return status(1).at("state") == "running"; }));
  constexpr int last = 6;
  for (int run = 2; run <= last; ++run) ASSERT_EQ(ask({"submit", submission()}).exit_code, 0);
  const std::uintmax_t free = std::filesystem::space(disk).available;
  constexpr std::uintmax_t too_little = 300'000;
  ASSERT_GT(free, too_little);
  write_file(disk / "filler", std::string(free - too_little, 'x'));
  EXPECT_THAT(ask({"submit", submission()}).error, HasSubstr("is full: less than"));
  ASSERT_EQ(ask({"cancel", "1"}).exit_code, 0);
  json waiting;
  ASSERT_TRUE(eventually([&] {
    waiting = status(2);
    return waiting.at("waits_for") != "";
  }));
  EXPECT_THAT(waiting.at("waits_for").get<std::string>(), HasSubstr("is full: less than"));
  EXPECT_EQ(waiting.at("state"), "waiting");
  EXPECT_THAT(ask({"status", "2"}).out, HasSubstr("paused: the disk of "));
  std::filesystem::remove(disk / "filler");
  for (int run = 2; run <= last; ++run) EXPECT_EQ(ended(run).at("state"), "finished");
  end_coordinator();
  EXPECT_THAT(daemon_->error(), HasSubstr("the queue goes on"));
}

TEST_F(Room, ALocalRunOnAFullDiskSaysSo) {
  const std::filesystem::path disk = folder_.path() / "disk";
  const SmallDisk small(disk, "64k");
  if (!small.is_mounted()) GTEST_SKIP() << "nothing can be mounted here";
  const ProgramEnd end =
      tracebed_program({"run", (folder_.path() / "small.toml").string(), "--repetitions", "20",
                        "--output", (disk / "runs").string()});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment)) << end.error;
  EXPECT_THAT(end.error, HasSubstr("No space left on device"));
}

TEST_F(Room, ARunWhoseFilesMayNotGrowSaysSo) {
  for (const char* blocks : {"0", "1", "8"}) {
    const auto run = limited_program(std::string("-f ") + blocks, "tracebed",
                                     {"run", (folder_.path() / "small.toml").string(), "--output",
                                      folder_.file(std::string("runs") + blocks)});
    const ProgramEnd end = run->wait();
    // Its own words go to a file, too.
    EXPECT_NE(end.exit_code, killed_by_file_size) << blocks;
    EXPECT_EQ(end.exit_code, to_int(ExitCode::environment)) << blocks << end.error;
  }
}

TEST_F(Room, ACoordinatorWhoseFilesMayNotGrowGoesOn) {
  start_coordinator("-f 4", folder_.path() / "state");
  const ProgramEnd taken = ask({"submit", submission()});
  EXPECT_EQ(taken.exit_code, 0) << taken.error;
  EXPECT_EQ(ended(1).at("state"), "failed");
  EXPECT_THAT(ended(1).at("message").get<std::string>(), HasSubstr("File too large"));
  const ProgramEnd refused = ask({"submit", submission(2, 100'000)});
  EXPECT_EQ(refused.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(refused.error, HasSubstr("File too large"));
  EXPECT_EQ(json::parse(ask({"list", "--json"}).out).size(), 1u);
  end_coordinator();
}

TEST_F(Room, AgentAndLauncherWhoseFilesMayNotGrowGoOn) {
  const std::string socket = folder_.file("launcher.sock");
  const auto launcher =
      limited_program("-f 0", "tracebed-launcher",
                      {"--run", "room", "--agent", "lab1", "--isolation", "none", "--listen",
                       socket, "--task", program_path("tracebed-task").string(), "--appmaster",
                       program_path("tracebed-appmaster").string()});
  const auto config = folder_.write(
      "agent.toml", fmt::format("coordinator = \"ipc:///nonexistent\"\nname = \"lab1\"\n"
                                "address = \"127.0.0.2\"\nlauncher_socket = \"{}\"\n"
                                "[capacity]\nvcores = 1\nmemory = \"1 GiB\"\n",
                                socket));
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(socket); }));
  const auto agent = limited_program("-f 0", "tracebed-agent", {"--config", config.string()});
  // Both have something to log, at the latest when they end.
  const auto has_launcher = [&] {
    const std::string sockets = contents("/proc/net/unix");
    const std::size_t listening = sockets.find(socket);
    return listening != std::string::npos &&
           sockets.find(socket, listening + 1) != std::string::npos;
  };
  EXPECT_TRUE(eventually(has_launcher));
  launcher->signal(SIGTERM);
  EXPECT_EQ(launcher->wait().exit_code, 0);
  agent->signal(SIGTERM);
  EXPECT_EQ(agent->wait().exit_code, 0);
}

TEST_F(Room, SubmissionsThatWaitTakeDiskAndNotMemory) {
  if (is_sanitized) GTEST_SKIP() << "shadow memory has no limit";
  std::string rows;
  for (int i = 0; i < 5'000; ++i) rows += fmt::format("job{0}\t{0}\t1\t9000000000\t0\t0\n", i);
  folder_.write("jobs.tsv", rows);
  const auto endless = folder_.write(
      "long.toml",
      "name = \"long\"\nworld = \"virtual\"\nrepetitions = 1000\nschedulers = [\"fifo\"]\n"
      "[trace]\nfile = \"${TRACEBED_TRACES}/jobs.tsv\"\n"
      "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"4 GiB\"\n[virtual]\nparallel = 1\n");
  start_coordinator("-v 1500000", folder_.path() / "state");
  ASSERT_EQ(ask({"submit", endless.string()}).exit_code, 0);
  // Until the run has had all the memory that a repetition takes, and those to come take again.
  ASSERT_TRUE(
      eventually([&] { return std::filesystem::exists(folder_.path() / "state/1/fifo/r3"); }));
  constexpr std::size_t padding = 1'000'000;
  ASSERT_EQ(ask({"submit", submission(2, padding)}).exit_code, 0);
  const std::size_t before = memory_kib();
  for (int i = 0; i < 99; ++i) ASSERT_EQ(ask({"submit", submission(2, padding)}).exit_code, 0);
  EXPECT_THAT(ask({"submit", submission()}).error, HasSubstr("queue is full"));
  // A hundred submissions of a megabyte would show.
  EXPECT_LT(memory_kib(), before + 50'000);
  ASSERT_EQ(ask({"cancel", "1"}).exit_code, 0);
  EXPECT_EQ(ended(101).at("state"), "finished");
  end_coordinator();
}

TEST_F(Room, ARunThatHasNotTheMemoryFailsAndTheNextOneDoesNot) {
  if (is_sanitized) GTEST_SKIP() << "shadow memory has no limit";
  start_coordinator("-v 600000", folder_.path() / "state");
  std::string rows;
  for (int i = 0; i < 40; ++i) {
    rows += fmt::format("job{0}\t{0}\t1\t900000000000000\t0\t0\n", i);
  }
  folder_.write("jobs.tsv", rows);
  const auto huge = folder_.write("huge.toml",
                                  "name = \"huge\"\nworld = \"virtual\"\nrepetitions = 1\n"
                                  "schedulers = [\"fifo\"]\n"
                                  "[trace]\nfile = \"${TRACEBED_TRACES}/jobs.tsv\"\n"
                                  "[cluster]\nnodes = 100000\nvcores = 64\nmemory = \"512 GiB\"\n");
  ASSERT_EQ(ask({"submit", huge.string()}).exit_code, 0);
  const json end = ended(1);
  EXPECT_EQ(end.at("state"), "failed") << end;
  ASSERT_EQ(ask({"submit", submission()}).exit_code, 0);
  EXPECT_EQ(ended(2).at("state"), "finished") << daemon_->error();
  end_coordinator();
}

}  // namespace
}  // namespace tracebed
