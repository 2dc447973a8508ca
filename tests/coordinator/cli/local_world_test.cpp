// The local world as a user starts it: real agents, real processes in real cgroups, and nothing of
// it left however it ends.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/run_folder.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class LocalWorld : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }

  // Jobs of `seconds_each` trace seconds, ten of which pass in one of the wall clock's.
  std::vector<std::string> arguments(int seconds_each, const std::string& memory = "1 GiB") {
    std::string trace;
    for (int job = 1; job <= 6; ++job) {
      trace += std::to_string(job) + " " + std::to_string(job) + " -1 " +
               std::to_string(seconds_each) + " 1 1 -1 1 -1 1024 1 1 1 1 1 -1 -1 -1\n";
    }
    folder_.write("jobs.swf", trace);
    const std::filesystem::path file = folder_.write("local.toml", "name = \"" + name_ +
                                                                       "\"\n"
                                                                       "world = \"local\"\n"
                                                                       "schedulers = [\"fifo\"]\n"
                                                                       "[trace]\n"
                                                                       "file = \"jobs.swf\"\n"
                                                                       "[scale]\n"
                                                                       "time = 10\n"
                                                                       "cpu = 10\n"
                                                                       "memory = 64\n"
                                                                       "[cluster]\n"
                                                                       "nodes = 3\n"
                                                                       "vcores = 2\n"
                                                                       "memory = \"" +
                                                                       memory + "\"\n");
    return {"run", file.string(), "--output", runs().string()};
  }
  std::filesystem::path runs() const { return folder_.path() / "runs"; }

  // Processes and cgroups that carry the run's name.
  std::vector<std::string> leftovers() const {
    std::vector<std::string> left;
    std::error_code error;
    for (const auto& process : std::filesystem::directory_iterator("/proc")) {
      std::ifstream stream(process.path() / "cmdline");
      const std::string words{std::istreambuf_iterator<char>(stream), {}};
      if (words.find("--run") != std::string::npos && words.find(name_) != std::string::npos) {
        left.push_back(process.path().string());
      }
    }
    const auto options = std::filesystem::directory_options::skip_permission_denied;
    for (std::filesystem::recursive_directory_iterator at("/sys/fs/cgroup", options, error), end;
         at != end; at.increment(error)) {
      if (error) break;
      if (at->path().filename().string().find(name_) != std::string::npos) {
        left.push_back(at->path().string());
      }
    }
    return left;
  }
  bool has_containers() const {
    for (const std::string& left : leftovers()) {
      std::error_code error;
      if (!left.starts_with("/sys")) continue;
      for (const auto& below : std::filesystem::recursive_directory_iterator(left, error)) {
        std::ifstream stream(below.path() / "cgroup.procs");
        pid_t process = 0;
        if (stream >> process) return true;
      }
    }
    return false;
  }

  const std::string name_ = "cli-test-" + std::to_string(::getpid());
  TemporaryFolder folder_;
};

TEST_F(LocalWorld, ReplaysWithRealProcessesAndDecidesAgainToTheSameDigest) {
  const ProgramEnd end = tracebed_program(arguments(10));
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const RunFolder run = RunFolder::load(runs() / "fifo");
  EXPECT_EQ(run.metrics().succeeded, 6u);
  EXPECT_THAT(run.description.isolation, testing::StartsWith("cgroup-v"));
  EXPECT_EQ(run.description.time_scale, 10);
  EXPECT_EQ(tracebed_program({"replay-log", runs().string()}).exit_code, 0);
  EXPECT_THAT(leftovers(), IsEmpty());
}

TEST_F(LocalWorld, CapacitiesThatDoNotFitTheMachineAreSaidBeforeTheFirstJob) {
  const ProgramEnd end = tracebed_program(arguments(10, "1000 TiB"));
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr("but this machine has"));
  EXPECT_FALSE(std::filesystem::exists(runs() / "fifo/run.json"));
  EXPECT_THAT(leftovers(), IsEmpty());
}

TEST_F(LocalWorld, AMissingDaemonIsNamed) {
  const std::filesystem::path copy = folder_.path() / "tracebed";
  std::filesystem::copy_file(program_path("tracebed"), copy);
  const ProgramEnd end = RunningProgram(copy, arguments(10)).wait();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr((folder_.path() / "tracebed-agent").string() + " is missing"));
}

TEST_F(LocalWorld, ARedisThatIsNotThereIsNamed) {
  std::vector<std::string> words = arguments(10);
  words.insert(words.end(), {"--set", "log.redis=unix:" + (folder_.path() / "none").string()});
  const ProgramEnd end = tracebed_program(words);
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr((folder_.path() / "none").string()));
}

TEST_F(LocalWorld, CtrlCLeavesAPartialRunAndNothingElse) {
  RunningProgram program(program_path("tracebed"), arguments(36'000));
  program.wait_until([&] { return has_containers(); });
  program.signal(SIGINT);
  const ProgramEnd end = program.wait();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::interrupted)) << end.error;
  EXPECT_THAT(leftovers(), IsEmpty());
  const RunFolder run = RunFolder::load(runs() / "fifo");
  EXPECT_EQ(run.end.ending, RunEnding::cancelled);
  EXPECT_EQ(tracebed_program({"replay-log", runs().string()}).exit_code, 0);
}

TEST_F(LocalWorld, ASecondCtrlCLeavesAtOnceAndNothingBehind) {
  RunningProgram program(program_path("tracebed"), arguments(36'000));
  program.wait_until([&] { return has_containers(); });
  program.signal(SIGINT);
  program.wait_until([&] { return !program.error().empty(); });
  program.signal(SIGINT);
  EXPECT_EQ(program.wait().exit_code, to_int(ExitCode::interrupted));
  EXPECT_THAT(leftovers(), IsEmpty());
}

TEST_F(LocalWorld, AProgramThatIsKilledTakesEverythingWithIt) {
  RunningProgram program(program_path("tracebed"), arguments(36'000));
  program.wait_until([&] { return has_containers(); });
  program.signal(SIGKILL);
  program.wait();
  const auto killed = std::chrono::steady_clock::now();
  while (!leftovers().empty() &&
         std::chrono::steady_clock::now() < killed + std::chrono::seconds(30)) {
    ::usleep(50'000);
  }
  EXPECT_THAT(leftovers(), IsEmpty());
}

}  // namespace
}  // namespace tracebed
