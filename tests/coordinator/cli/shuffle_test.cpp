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
#include "report/run_folder.h"
#include "support/csv_rows.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using testing::IsEmpty;

// Name, submit time, gap, map input, shuffle and output in bytes: ten reduces of 1 MB each, and one
// of five.
constexpr const char* jobs =
    "wide\t0\t0\t40000000\t10000000\t1000\n"
    "narrow\t1\t1\t20000000\t5000000\t0\n";
constexpr std::int64_t shuffled = 15'000'000;

class LocalShuffle : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  void start(const std::string& storage = {}) {
    std::ofstream(run_.folder() / "jobs.tsv") << jobs;
    std::ofstream(run_.experiment()) << fmt::format(R"(name = "{}"
world = "local"
schedulers = ["fifo"]
[trace]
file = "jobs.tsv"
[trace.rules]
swim.reduce_megabytes = 1
swim.block_mib = 4
[cluster]
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
                                                    run_.name(), storage);
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
  // By attempts that succeeded.
  std::int64_t fetched(const std::string& column) const {
    std::int64_t bytes = 0;
    for (const CsvRow& row : csv_rows(folder() / "tasks.csv")) {
      if (row.at("end") == "succeeded") bytes += std::stoll(row.at(column));
    }
    return bytes;
  }
  std::int64_t fetched() const {
    return fetched("bytes_shuffle_node_local") + fetched("bytes_shuffle_rack_local") +
           fetched("bytes_shuffle_off_rack");
  }

  LocalRun run_{"shuffle-test-" + std::to_string(::getpid())};
  std::optional<RunningProgram> program_;
};

TEST_F(LocalShuffle, FetchesWhatTheTraceHasFromNearAndFar) {
  start();
  program_->wait_until([&] { return servers().size() == 4; });
  finish();
  EXPECT_EQ(fetched(), shuffled);
  EXPECT_GT(fetched("bytes_shuffle_off_rack"), 0);
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
  EXPECT_EQ(fetched(), shuffled);
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
  EXPECT_EQ(fetched(), shuffled);
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
