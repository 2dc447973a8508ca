// Runs that can never end by themselves: one small experiment for each kind, and what the terminal,
// the run's record and the report say about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/run_folder.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string property_text(const std::string& name, const std::string& value) {
  return "<property><name>yarn.scheduler.capacity." + name + "</name><value>" + value +
         "</value></property>\n";
}

class Stalls : public ::testing::Test {
 protected:
  // Jobs 1 to `jobs` of so many processors each, at once.
  void write_trace(int jobs, int processors) {
    std::string rows;
    for (int i = 1; i <= jobs; ++i) {
      rows += std::to_string(i) + " 0 -1 30 " + std::to_string(processors) + " -1 -1 " +
              std::to_string(processors) + " 40 -1 1 1 1 1 -1 -1 -1 -1\n";
    }
    folder_.write("trace.swf", rows);
  }
  void write_queues(const std::string& properties) {
    folder_.write("queues.xml", "<configuration>\n" + properties + "</configuration>\n");
  }
  static std::string one_queue() {
    return property_text("root.queues", "default") + property_text("root.default.capacity", "100");
  }

  ProgramEnd run(const std::string& scheduler, const std::string& more,
                 const std::vector<std::string>& flags = {}) {
    const auto file = folder_.write(
        "stall.toml", "name = \"stall\"\nworld = \"virtual\"\nrepetitions = 1\n" + more +
                          "[[scheduler]]\n" + scheduler + "[trace]\nfile = \"trace.swf\"\n");
    std::vector<std::string> words{"run",        file.string(), "--quiet",
                                   "--paranoid", "--output",    (folder_.path() / "runs").string()};
    words.insert(words.end(), flags.begin(), flags.end());
    return tracebed_program(words);
  }
  Stall expect_stall(const ProgramEnd& end, const std::string& label, StallKind kind) const {
    EXPECT_EQ(end.exit_code, to_int(ExitCode::stalled)) << end.error << end.out;
    const RunFolder run = RunFolder::load(folder_.path() / "runs" / label);
    EXPECT_EQ(run.end.outcome, RunOutcome::stalled);
    if (!run.end.stall) {
      ADD_FAILURE() << "run.json has no stall";
      return {};
    }
    EXPECT_EQ(name(run.end.stall->kind), name(kind)) << end.out;
    EXPECT_THAT(run.end.reason, HasSubstr(std::string(title(kind)) + ": "));
    EXPECT_THAT(end.out, HasSubstr("  " + run.end.reason + "\n"));
    EXPECT_THAT(end.out, HasSubstr("is a partial run (stalled, " + std::string(title(kind))));
    EXPECT_THAT(contents(folder_.path() / "runs/report.html"), HasSubstr(run.end.reason));
    const json record = json::parse(contents(folder_.path() / "runs/experiment.json"));
    EXPECT_EQ(record.at("replays")[0].at("stall").at("kind"), name(kind));
    EXPECT_FALSE(record.at("replays")[0].at("stall").at("chain").empty());
    return *run.end.stall;
  }

  static constexpr const char* masters = "am = \"container\"\n";
  static constexpr const char* small_masters =
      "[master_container]\nmemory = \"1 GiB\"\nheartbeat = \"10s\"\n"
      "[cluster]\nnodes = 1\nvcores = 4\nmemory = \"4 GiB\"\n";
  TemporaryFolder folder_;
};

TEST_F(Stalls, OfMastersThatMayTakeAllAreADeadlockOfMastersAlone) {
  write_trace(6, 1);
  write_queues(one_queue() + property_text("maximum-am-resource-percent", "1.0"));
  const ProgramEnd stalled =
      run("name = \"capacity\"\nconfig = \"queues.xml\"\n" + std::string(small_masters), masters);
  const Stall stall = expect_stall(stalled, "capacity", StallKind::masters_alone);
  EXPECT_EQ(stall.masters, 4u);
  EXPECT_EQ(stall.tasks, 0u);
  EXPECT_EQ(stall.held_by_masters.memory_mib(), 4'096);
  ASSERT_EQ(stall.jobs.size(), 6u);
  EXPECT_EQ(stall.jobs[0].masters, 1u);
  EXPECT_EQ(stall.jobs[0].waits_for.size(), 3u) << "the three others with masters";
  EXPECT_FALSE(stall.jobs[4].kind) << "it waits for masters, and holds nothing";
  EXPECT_EQ(stall.jobs[4].waits_for_more, 1u);
  EXPECT_THAT(stalled.out, HasSubstr("masters of 4 jobs hold (memory: 4096, vCores: 4) of (memory: "
                                     "4096, vCores: 4), and no task of theirs finds room"));
  EXPECT_THAT(stalled.out,
              HasSubstr("\n    job 0 of root.default holds its master (memory: 1024, vCores: 1), "
                        "asks for 1 unit of (memory: 1024, vCores: 1), waits for jobs 1, 2, 3: "));
}

TEST_F(Stalls, OfJobsWhoseMastersMayHaveNothingSayThatNoneMayStart) {
  write_trace(2, 1);
  folder_.write("fair.xml",
                "<allocations><queueMaxAMShareDefault>0</queueMaxAMShareDefault></allocations>");
  const ProgramEnd end =
      run("name = \"fair\"\nconfig = \"fair.xml\"\n" + std::string(small_masters), masters);
  const Stall stall = expect_stall(end, "fair", StallKind::no_master);
  EXPECT_EQ(stall.masters, 0u);
  EXPECT_THAT(end.out, HasSubstr("no master may start: job 0: its master asks for (memory: 1024"));
}

TEST_F(Stalls, OfAGangThatNoLongerFitsNameItAndThoseBehindIt) {
  write_trace(3, 4);
  const ProgramEnd end =
      run("name = \"fcfs\"\n[cluster]\nnodes = 4\nvcores = 1\nmemory = \"1 GiB\"\n"
          "[[drain]]\nat = \"0s\"\nnode = \"node4\"\ngrace = \"1s\"\n",
          "");
  const Stall stall = expect_stall(end, "fcfs", StallKind::gang_too_large);
  ASSERT_FALSE(stall.jobs.empty());
  EXPECT_EQ(stall.jobs[0].units, 4u);
  EXPECT_EQ(stall.jobs[0].units_in_empty, 3u);
  EXPECT_THAT(end.out, HasSubstr("must start 4 units of (memory: 1024, vCores: 1) at once, and all "
                                 "machines in service together could hold 3"));
}

TEST_F(Stalls, OfAnAskThatIsLargerThanTheMachinesThatAreLeft) {
  write_trace(1, 1);
  const ProgramEnd end =
      run("name = \"fifo\"\n"
          "[[cluster.group]]\nnodes = 2\nvcores = 1\nmemory = \"512 MiB\"\n"
          "[[cluster.group]]\nnodes = 1\nvcores = 8\nmemory = \"8 GiB\"\n"
          "[[drain]]\nat = \"0s\"\nnode = \"node3\"\ngrace = \"1s\"\n",
          "");
  expect_stall(end, "fifo", StallKind::ask_too_large);
}

TEST_F(Stalls, OfALabelThatNoMachineHas) {
  write_trace(1, 1);
  write_queues(one_queue() + property_text("root.accessible-node-labels", "gpu") +
               property_text("root.accessible-node-labels.gpu.capacity", "100") +
               property_text("root.default.accessible-node-labels", "gpu") +
               property_text("root.default.accessible-node-labels.gpu.capacity", "100") +
               property_text("root.default.default-node-label-expression", "gpu"));
  const ProgramEnd end =
      run("name = \"capacity\"\nconfig = \"queues.xml\"\n"
          "[cluster]\nnodes = 2\nvcores = 4\nmemory = \"4 GiB\"\n",
          "");
  expect_stall(end, "capacity", StallKind::places);
  EXPECT_THAT(end.out, HasSubstr("no node has label gpu"));
}

TEST_F(Stalls, OfAQueueWhoseMaximumHoldsNoContainer) {
  write_trace(2, 1);
  write_queues(
      property_text("root.queues", "default,b") + property_text("root.default.capacity", "5") +
      property_text("root.default.maximum-capacity", "5") + property_text("root.b.capacity", "95"));
  const ProgramEnd end =
      run("name = \"capacity\"\nconfig = \"queues.xml\"\n"
          "[cluster]\nnodes = 2\nvcores = 4\nmemory = \"4 GiB\"\n",
          "");
  const Stall stall = expect_stall(end, "capacity", StallKind::queue_limit);
  EXPECT_THAT(end.out, AllOf(HasSubstr("a limit of a queue: job 0: queue root.default uses "),
                             HasSubstr(" of at most ")));
  ASSERT_EQ(stall.kinds.size(), 1u);
  EXPECT_EQ(stall.kinds[0].jobs, 1u);
  ASSERT_EQ(stall.jobs.size(), 2u);
  EXPECT_FALSE(stall.jobs[1].kind) << "of the queue's masters one counts, that of the first";
  EXPECT_THAT(stall.jobs[1].waits_for, testing::ElementsAre(JobId(0u)));
}

TEST_F(Stalls, AreInTheResultOfARunAsJson) {
  write_trace(1, 4);
  const ProgramEnd end =
      run("name = \"fcfs\"\n[cluster]\nnodes = 4\nvcores = 1\nmemory = \"1 GiB\"\n"
          "[[drain]]\nat = \"0s\"\nnode = \"node4\"\ngrace = \"1s\"\n",
          "", {"--json"});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::stalled)) << end.error;
  const json replay = json::parse(end.out).at("replays")[0];
  EXPECT_EQ(replay.at("outcome"), "stalled");
  EXPECT_EQ(replay.at("stall").at("kind"), "gang_too_large");
}

}  // namespace
}  // namespace tracebed
