// The experiment in which everything goes wrong that can while containers are marked for
// preemption, in both worlds: each fault happens and is counted, and the run ends as it should with
// every invariant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "coordinator/cli/task_rows.h"
#include "report/run_folder.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using ::testing::IsEmpty;

class PreemptionFaults : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "local" && ::geteuid() != 0) {
      GTEST_SKIP() << "cgroups can be written by root only";
    }
  }
  std::filesystem::path folder() const { return run_.runs() / "checkpoint"; }
  ProgramEnd run(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{
        "run",      std::string(TRACEBED_EXPERIMENTS) + "/preemption-faults.toml",
        "--world",  GetParam(),
        "--set",    "name=" + run_.name(),
        "--set",    "repetitions=1",
        "--output", run_.runs().string()};
    words.insert(words.end(), more.begin(), more.end());
    return tracebed_program(words);
  }

  LocalRun run_{"preemption-faults-test-" + std::to_string(::getpid())};
};

TEST_P(PreemptionFaults, AllHappenAndNoneBreaksAnInvariant) {
  const ProgramEnd end = run();
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const RunFolder run = RunFolder::load(folder());
  EXPECT_EQ(run.end.outcome, RunOutcome::complete);
  const RunMetrics metrics = run.metrics();
  EXPECT_EQ(metrics.succeeded, 24u);
  std::map<std::string, std::uint64_t> counters;
  for (const auto& [name, count] : run.end.counters) counters[name] = count;
  std::uint64_t of_masters = 0;
  for (const char* fault :
       {"master_calls_repeated", "master_actions_late", "master_actions_foreign",
        "master_actions_refused", "messages_garbage", "masters_failed_during_preemption"}) {
    of_masters += counters[fault];
    if (GetParam() == "virtual") {
      EXPECT_GT(counters[fault], 0u) << fault;
    }
  }
  EXPECT_GE(counters["nodes_lost"], 1u);
  EXPECT_GT(counters["marked_lost_with_nodes"], 0u);
  if (GetParam() == "local") {
    // Which masters are asked, and so which faults happen, is a matter of real time; so is whether
    // a busy machine lets another agent fall silent.
    EXPECT_GT(of_masters, 0u);
    EXPECT_GE(counters["agents_lost"], 1u);
    EXPECT_GE(counters["agents_returned"], 1u);
  }
  // What was given back in time, and what a fault kept until force was used.
  const PreemptionCounts& preemptions = metrics.attempts.preemption.all;
  if (GetParam() == "virtual") {
    EXPECT_GT(preemptions.checkpointed, 0u);
  }
  EXPECT_GT(preemptions.forced, 0u);
  EXPECT_GT(preemptions.lost, 0u);
  const ProgramEnd replayed = tracebed_program({"replay-log", folder().string()});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.out << replayed.error;
  EXPECT_TRUE(eventually([&] { return run_.leftovers().empty(); }));
  EXPECT_THAT(run_.leftovers(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Worlds, PreemptionFaults, ::testing::Values("virtual", "local"),
                         [](const auto& world) { return world.param; });

}  // namespace
}  // namespace tracebed
