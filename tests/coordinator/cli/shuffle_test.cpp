// Reduces of a local run fetch what maps keep for them from real shuffle servers, whoever is killed
// meanwhile, and nothing of it is left.
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "coordinator/cli/shuffled_jobs.h"
#include "report/run_folder.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using testing::IsEmpty;

class LocalShuffle : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  void start(const std::string& storage = {}) {
    std::ofstream(run_.folder() / "jobs.tsv") << shuffled_jobs;
    std::ofstream(run_.experiment()) << fmt::format(R"(name = "{}"
world = "local"
schedulers = ["fifo"]
[trace]
file = "jobs.tsv"
{}[cluster]
nodes = 4
racks = 2
vcores = 2
memory = "4 GiB"
[scale]
time = 10
cpu = 8
memory = 16
[storage]
shuffle = true
{}
[storage.namenode]
safemode = false
)",
                                                    run_.name(), shuffled_rules, storage);
    program_.emplace(program_path("tracebed"),
                     std::vector<std::string>{"run", run_.experiment().string(), "--output",
                                              run_.runs().string()});
  }
  std::filesystem::path folder() const { return run_.runs() / "fifo"; }
  std::vector<pid_t> servers() { return run_.processes(program_->id(), "tracebed-shuffle"); }
  void finish() {
    run_.processes(program_->id(), "");
    const ProgramEnd end = program_->wait();
    EXPECT_EQ(end.exit_code, 0) << end.error;
    EXPECT_TRUE(eventually([&] { return run_.leftovers().empty(); }));
    EXPECT_THAT(run_.leftovers(), IsEmpty());
    const RunFolder run = RunFolder::load(folder());
    EXPECT_EQ(run.metrics().succeeded, 2u) << end.error;
    EXPECT_EQ(tracebed_program({"replay-log", folder().string()}).exit_code, 0);
  }

  LocalRun run_{"shuffle-test-" + std::to_string(::getpid())};
  std::optional<RunningProgram> program_;
};

TEST_F(LocalShuffle, FetchesWhatTheTraceHasFromNearAndFar) {
  start();
  program_->wait_until([&] { return servers().size() == 4; });
  finish();
  EXPECT_EQ(fetched_bytes(folder()), shuffled_bytes);
  EXPECT_GT(fetched_bytes(folder(), "bytes_shuffle_off_rack"), 0);
}

// Maps emit 1 MB each and reduces fetch as much, once or five times.
TEST_F(LocalShuffle, SpillsWhatTasksOfHadoopDo) {
  start("spills = true\nsort_memory = \"1 MB\"\n");
  finish();
  EXPECT_EQ(fetched_bytes(folder()), shuffled_bytes);
  EXPECT_EQ(fetched_bytes(folder(), "bytes_spilled"), 2 * shuffled_bytes);
}

// Each server comes back with what it had.
TEST_F(LocalShuffle, SurvivesTheEndOfEveryShuffleServer) {
  start("network_rate = \"200 kB/s\"\ndisk_rate = \"unlimited\"\n");
  program_->wait_until([&] { return run_.has_containers(program_->id()); });
  std::set<pid_t> killed;
  program_->wait_until([&] {
    for (const pid_t server : servers()) {
      if (killed.size() < 4 && killed.insert(server).second) ::kill(server, SIGKILL);
    }
    return killed.size() == 4;
  });
  finish();
  EXPECT_EQ(fetched_bytes(folder()), shuffled_bytes);
}

// The outputs of its maps are made again elsewhere.
TEST_F(LocalShuffle, SurvivesTheEndOfAMachine) {
  start("network_rate = \"100 kB/s\"\ndisk_rate = \"unlimited\"\n");
  // Once some reduce waits for bytes, at this rate.
  program_->wait_until([&] { return servers().size() == 4; });
  program_->wait_until([&] { return run_.processes(program_->id(), "tracebed-task").size() > 1; });
  const auto agents = run_.processes(program_->id(), "tracebed-agent");
  ASSERT_FALSE(agents.empty());
  ::kill(agents.front(), SIGKILL);
  finish();
  EXPECT_EQ(fetched_bytes(folder()), shuffled_bytes);
}

TEST_F(LocalShuffle, LeavesNothingWhenTheRunIsKilled) {
  start();
  program_->wait_until([&] { return run_.has_containers(program_->id()); });
  EXPECT_EQ(servers().size(), 4u);
  run_.processes(program_->id(), "");
  program_->signal(SIGKILL);
  program_->wait();
  EXPECT_TRUE(eventually([&] { return run_.leftovers().empty(); }));
  EXPECT_THAT(run_.leftovers(), IsEmpty());
}

}  // namespace
}  // namespace tracebed
