// From starvation to share, as a run's record tells it, on machines without delays.
#include <gtest/gtest.h>

#include "coordinator/cli/program.h"
#include "report/run_folder.h"

namespace tracebed {
namespace {

// Two queues of one half each on four processors. Four jobs of the first hold them all for the
// first hundred seconds; two of the second, of ten seconds each, come at twenty. The scheduler
// looks every three seconds from the beginning on, so at 21, and takes what is marked for
// preemption by force fifteen later.
class StarvationStory : public ::testing::Test {
 protected:
  StarvationStory() {
    std::string rows;
    const auto add = [&](int job, int at, int run, int queue) {
      const std::string text = std::to_string(run);
      rows += std::to_string(job) + " " + std::to_string(at) + " -1 " + text + " 1 " + text +
              " -1 1 " + text + " -1 1 1 1 1 " + std::to_string(queue) + " -1 -1 -1\n";
    };
    for (int job = 1; job <= 4; ++job) add(job, 0, 100, 1);
    for (int job = 5; job <= 6; ++job) add(job, 20, 10, 2);
    folder_.write("jobs.swf", rows);
    std::string queues = "<configuration>";
    const auto set = [&](const std::string& name, const std::string& value) {
      queues += "<property><name>yarn." + name + "</name><value>" + value + "</value></property>";
    };
    const std::string monitor = "resourcemanager.monitor.capacity.preemption.";
    set("scheduler.capacity.root.queues", "queue1,queue2");
    set("scheduler.capacity.root.queue1.capacity", "50");
    set("scheduler.capacity.root.queue2.capacity", "50");
    set("scheduler.capacity.root.queue1.user-limit-factor", "4");
    set("scheduler.capacity.maximum-am-resource-percent", "1.0");
    set(monitor + "natural_termination_factor", "1.0");
    set(monitor + "total_preemption_per_round", "1.0");
    folder_.write("queues.xml", queues + "</configuration>");
  }

  RunMetrics metrics_with(const std::string& policy, bool takes_back,
                          const std::string& more = "") const {
    const auto file =
        folder_.write("story.toml",
                      "name = \"story\"\nworld = \"virtual\"\nrepetitions = 1\nparanoid = true\n"
                      "[[scheduler]]\nname = \"capacity\"\nconfig = \"queues.xml\"\n"
                      "preemption.enabled = " +
                          std::string(takes_back ? "true" : "false") +
                          "\n[masters]\npreemption.policy = \"" + policy +
                          "\"\n[virtual]\nmodel = \"ideal\"\n[trace]\nfile = \"jobs.swf\"\n"
                          "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"2 GiB\"\n" +
                          more);
    const ProgramEnd end = tracebed_program(
        {"run", file.string(), "--output", (folder_.path() / ("runs-" + policy)).string()});
    EXPECT_EQ(end.exit_code, 0) << end.error;
    return RunFolder::load(folder_.path() / ("runs-" + policy) / "capacity").metrics();
  }
  static const QueueStarvation& urgent(const RunMetrics& metrics) {
    static const QueueStarvation none;
    for (const QueueStarvation& queue : metrics.starvation.queues) {
      if (queue.queue == "root.queue2") return queue;
    }
    return none;
  }

  TemporaryFolder folder_;
};

// Until the first jobs end by themselves.
TEST_F(StarvationStory, WithoutPreemptionAQueueWaitsForTheOthersToEnd) {
  const RunMetrics metrics = metrics_with("newest_first", false);
  EXPECT_EQ(urgent(metrics).seconds.count, 1u);
  EXPECT_DOUBLE_EQ(urgent(metrics).seconds.max, 80);
  EXPECT_EQ(metrics.attempts.preemption.all.asked, 0u);
}

// Two attempts of one vcore had run for 36 seconds.
TEST_F(StarvationStory, WhatIsIgnoredIsTakenAtTheDeadline) {
  const RunMetrics metrics = metrics_with("ignore", true);
  EXPECT_EQ(urgent(metrics).seconds.count, 1u);
  EXPECT_DOUBLE_EQ(urgent(metrics).seconds.max, 16);
  EXPECT_EQ(metrics.attempts.preemption.all.forced, 2u);
  EXPECT_DOUBLE_EQ(metrics.attempts.preemption.all.lost_vcore_seconds, 72);
  EXPECT_DOUBLE_EQ(metrics.attempts.preemption.all.lost_mib_seconds, 72 * 1'024);
}

// An ideal machine takes no time to write what was done: 21 seconds of each.
TEST_F(StarvationStory, WhatIsGivenBackEndsItAtOnceAndSavesTheWork) {
  const RunMetrics metrics = metrics_with("checkpoint", true);
  EXPECT_EQ(urgent(metrics).seconds.count, 1u);
  EXPECT_DOUBLE_EQ(urgent(metrics).seconds.max, 1);
  EXPECT_EQ(metrics.attempts.preemption.all.checkpointed, 2u);
  EXPECT_NEAR(metrics.attempts.preemption.all.saved_vcore_seconds, 42, 1e-3);
  EXPECT_NEAR(metrics.attempts.preemption.all.lost_vcore_seconds, 0, 1e-3);
  EXPECT_EQ(metrics.starvation.seen_within_seconds, 0);
}

// As if their master had ignored it.
TEST_F(StarvationStory, TasksThatIgnoreTheirOrderAreKilledAtTheDeadline) {
  const RunMetrics metrics =
      metrics_with("checkpoint", true, "[faults]\nignored_checkpoints = 1.0\n");
  EXPECT_DOUBLE_EQ(urgent(metrics).seconds.max, 16);
  EXPECT_EQ(metrics.attempts.preemption.all.forced, 2u);
  EXPECT_EQ(metrics.attempts.preemption.all.in_time, 0u);
  EXPECT_DOUBLE_EQ(metrics.attempts.preemption.all.saved_vcore_seconds, 0);
}

}  // namespace
}  // namespace tracebed
