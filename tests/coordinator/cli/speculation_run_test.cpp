// Speculative execution with real processes, which state their progress while they run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "report/run_folder.h"
#include "support/csv_rows.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::Contains;
using ::testing::Ge;
using ::testing::Pair;

class SpeculationRun : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  // Eight maps of 10 s, on machines that have room for as many; on one of these they would take
  // 500.
  std::filesystem::path experiment(const std::string& masters) const {
    folder_.write("jobs.csv",
                  "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,"
                  "input_path\nmaps,0,grep,80000000,8,0,1,1024,user,,/maps\n");
    const std::string container = std::string(GetParam()) == "container"
                                      ? "[master_container]\nmemory = \"4 GiB\"\nvcores = 1\n"
                                      : "";
    return folder_.write("mine.toml", fmt::format(R"(name = "{}"
world = "local"
repetitions = 1
schedulers = ["fifo"]
am = "{}"
[trace]
file = "jobs.csv"
[trace.rules]
kind.grep.map_cpu = 1
kind.grep.map_wait = 0
mix.startup = 0
[scale]
time = 10
cpu = 10
memory = 64
[cluster]
heartbeat = "1s"
limit_vcores = true
[[cluster.group]]
nodes = 3
vcores = 2
memory = "8 GiB"
[[cluster.group]]
nodes = 1
vcores = 2
memory = "8 GiB"
speed = 0.02
[masters]
{}
{})",
                                                  name_, GetParam(), masters, container));
  }

  const std::string name_ = "speculation-" + std::to_string(::getpid());
  TemporaryFolder folder_;
};

TEST_P(SpeculationRun, DuplicatesTasksOfASlowMachineAndCountsTheFirstToSucceed) {
  const auto file = experiment(
      "speculation.policy = \"hadoop_0_20\"\nspeculation.least_run_ms = 5000\n"
      "speculation.progress_interval_ms = 1000\n");
  const std::filesystem::path runs = folder_.path() / "runs";
  const ProgramEnd end = tracebed_program({"run", file.string(), "--output", runs.string()});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const RunFolder folder = RunFolder::load(runs / "fifo");
  EXPECT_EQ(folder.metrics().succeeded, 1u);
  EXPECT_THAT(folder.end.counters, Contains(Pair("attempts_duplicated", Ge(1u))));
  std::set<std::string> succeeded;
  std::size_t attempts = 0;
  for (const CsvRow& row : csv_rows(runs / "fifo" / "tasks.csv")) {
    if (row.at("is_master") == "1" || row.at("launched") == "0") continue;
    ++attempts;
    if (row.at("end") != "succeeded") continue;
    EXPECT_TRUE(succeeded.insert(row.at("task")).second) << "task " << row.at("task");
  }
  EXPECT_EQ(succeeded.size(), 8u);
  EXPECT_GE(attempts, 9u);
  const ProgramEnd replayed = tracebed_program({"replay-log", runs.string()});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.error;
}

INSTANTIATE_TEST_SUITE_P(OfMasters, SpeculationRun, ::testing::Values("unmanaged", "container"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tracebed
