// Containers that are wanted back from real processes: a queue gets its share, and a container is
// moved. What was done of a task is not done twice: its attempts together burn what a task burns
// that was left alone.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <signal.h>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "coordinator/cli/task_rows.h"
#include "report/run_folder.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Contracts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }

  // `given_back` are the jobs with an attempt that kept its progress.
  static void expect_that_nothing_was_done_twice(const std::vector<TaskRow>& rows,
                                                 const std::set<std::string>& given_back,
                                                 const std::set<std::string>& left_alone) {
    std::map<std::string, double> burnt = burnt_by_job(rows);
    double most = 0;
    for (const std::string& job : left_alone) most = std::max(most, burnt[job]);
    for (const std::string& job : given_back) EXPECT_NEAR(burnt[job] / most, 1, 0.2) << job;
  }

  LocalRun run_{"contracts-test-" + std::to_string(::getpid())};
};

// Six processors of three machines. Six jobs of one queue hold them all for two hundred seconds;
// three of the other, which is entitled to half, come when half of that is over.
void write_two_queues(const LocalRun& run) {
  std::ofstream trace(run.folder() / "queues.swf");
  const auto add = [&](int job, int at, int seconds, int queue) {
    trace << fmt::format("{0} {1} -1 {2} 1 {3} -1 1 {2} -1 1 {4} 1 1 {4} -1 -1 -1\n", job, at,
                         seconds, seconds / 10, queue);
  };
  for (int job = 1; job <= 6; ++job) add(job, 0, 200, 1);
  for (int job = 7; job <= 9; ++job) add(job, 100, 30, 2);
  std::ofstream queues(run.folder() / "queues.xml");
  queues << "<configuration>";
  const auto set = [&](const std::string& name, const std::string& value) {
    queues << "<property><name>" << name << "</name><value>" << value << "</value></property>\n";
  };
  const std::string scheduler = "yarn.scheduler.capacity.";
  const std::string monitor = "yarn.resourcemanager.monitor.capacity.preemption.";
  set(scheduler + "root.queues", "queue1,queue2");
  for (const char* queue : {"queue1", "queue2"}) {
    set(scheduler + "root." + queue + ".capacity", "50");
    set(scheduler + "root." + queue + ".user-limit-factor", "4");
  }
  set(scheduler + "maximum-am-resource-percent", "1.0");
  set(monitor + "natural_termination_factor", "1.0");
  set(monitor + "total_preemption_per_round", "1.0");
  set(monitor + "max_wait_before_kill", "120000");  // twelve seconds of the wall's
  queues << "</configuration>\n";
  std::ofstream(run.folder() / "queues.toml") << fmt::format(R"(name = "{}"
world = "local"
[[scheduler]]
name = "capacity"
config = "queues.xml"
preemption.enabled = true
preemption.delivery = "contract"
[masters]
preemption.policy = "checkpoint"
[trace]
file = "queues.swf"
[cluster]
nodes = 3
vcores = 2
memory = "2 GiB"
[scale]
time = 10
memory = 8
[local]
oversubscribe = true
)",
                                                             run.name());
}

TEST_F(Contracts, AStarvedQueueGetsItsShareAndNoWorkIsDoneTwice) {
  write_two_queues(run_);
  const ProgramEnd end = tracebed_program(
      {"run", (run_.folder() / "queues.toml").string(), "--output", run_.runs().string()});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const RunFolder folder = RunFolder::load(run_.runs() / "capacity");
  const RunMetrics metrics = folder.metrics();
  EXPECT_EQ(metrics.succeeded, 9u);
  const PreemptionCounts& counts = metrics.attempts.preemption.all;
  EXPECT_EQ(counts.asked, 3u);
  EXPECT_EQ(counts.checkpointed, 3u);
  EXPECT_GT(counts.saved_vcore_seconds, 0);
  // It had its share long before a job of the other queue could have ended by itself.
  const std::vector<QueueStarvation>& starved = metrics.starvation.queues;
  const auto urgent = std::find_if(starved.begin(), starved.end(),
                                   [](const auto& queue) { return queue.queue == "root.queue2"; });
  ASSERT_NE(urgent, starved.end());
  EXPECT_EQ(urgent->unended, 0);
  for (const JobFigures& job : folder.jobs) {
    if (folder.queues.name(job.queue) == "queue2") {
      EXPECT_LT(job.submitted + job.wait, trace_time(200'000'000));
    }
  }

  const std::vector<TaskRow> rows = read_tasks(run_.runs() / "capacity/tasks.csv");
  std::set<std::string> given_back;
  std::set<std::string> left_alone;
  for (const TaskRow& row : rows) {
    if (row.end == "checkpointed") given_back.insert(row.job);
  }
  for (const TaskRow& row : rows) {
    if (row.job < "6" && !given_back.contains(row.job)) left_alone.insert(row.job);
  }
  ASSERT_EQ(given_back.size(), 3u);
  expect_that_nothing_was_done_twice(rows, given_back, left_alone);
  EXPECT_EQ(tracebed_program({"replay-log", run_.runs().string()}).exit_code, 0);
  EXPECT_THAT(run_.leftovers(), IsEmpty());
}

// ---- a move ----

class Moves : public Contracts {
 protected:
  // The node with the cgroup of this container; empty until there is one.
  std::string node_of(const std::string& container) const {
    std::error_code error;
    const auto options = std::filesystem::directory_options::skip_permission_denied;
    for (std::filesystem::recursive_directory_iterator at("/sys/fs/cgroup", options, error), end;
         !error && at != end; at.increment(error)) {
      const std::filesystem::path& path = at->path();
      if (path.filename() == container && path.string().find(run_.name()) != std::string::npos) {
        return path.parent_path().filename();
      }
    }
    return "";
  }
  // Four jobs of one map each, of a hundred seconds; two fit on each of three machines.
  void write_maps() const {
    std::ofstream trace(run_.folder() / "maps.tsv");
    for (int job = 0; job < 4; ++job) trace << fmt::format("job{0}\t{0}\t1\t0\t0\t0\n", job);
    std::ofstream(run_.experiment()) << fmt::format(R"(name = "{}"
world = "local"
schedulers = ["fifo"]
[masters]
preemption.policy = "checkpoint"
[trace]
file = "${{TRACEBED_TRACES}}/maps.tsv"
[trace.rules]
swim.map_startup = 100
swim.map_memory_mib = 1024
[scale]
time = 10
cpu = 10
memory = 64
[cluster]
nodes = 3
vcores = 2
memory = "2 GiB"
)",
                                                    run_.name());
  }
  static std::string address_of(const RunningProgram& coordinator) {
    const std::string line = coordinator.out();
    return line.substr(line.rfind(' ') + 1, line.rfind('\n') - line.rfind(' ') - 1);
  }
};

TEST_F(Moves, AMovedContainersTaskGoesOnAtTheNodeThatWasNamed) {
  write_maps();
  RunningProgram daemon(program_path("tracebed-coordinator"),
                        {"--config", run_.coordinator_file().string()});
  daemon.wait_until([&] { return daemon.out().ends_with('\n'); });
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--coordinator", address_of(daemon)});
    return tracebed_program(words);
  };
  const ProgramEnd submitted = ask({"submit", run_.experiment().string()});
  ASSERT_EQ(submitted.exit_code, 0) << submitted.error;
  std::string from;
  ASSERT_TRUE(eventually([&] {
    const nlohmann::json status =
        nlohmann::json::parse(ask({"status", "1", "--json"}).out, nullptr, false);
    if (!status.contains("progress")) return false;
    // Half of its work is done then, so that doing it twice would show.
    if (status.at("progress").at("trace_seconds") < 50) return false;
    from = node_of("1");
    return !from.empty();
  }));
  const std::string to = from == "node3" ? "node1" : "node3";
  const ProgramEnd moved = ask({"cluster", "move", "1", "1", "--to", to, "--deadline", "400s"});
  EXPECT_EQ(moved.exit_code, 0) << moved.out << moved.error;
  ASSERT_TRUE(eventually([&] { return ask({"list"}).out.find("finished") != std::string::npos; }));
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0);

  std::filesystem::path folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(run_.folder() / "state")) {
    if (entry.path().filename() == "tasks.csv") folder = entry.path().parent_path();
  }
  ASSERT_FALSE(folder.empty());
  EXPECT_EQ(RunFolder::load(folder).metrics().succeeded, 4u);
  const std::vector<TaskRow> rows = read_tasks(folder / "tasks.csv");
  const auto first = std::find_if(rows.begin(), rows.end(),
                                  [](const TaskRow& row) { return row.container == "1"; });
  ASSERT_NE(first, rows.end());
  EXPECT_EQ(first->node, from);
  EXPECT_EQ(first->end, "checkpointed");
  std::set<std::string> left_alone;
  for (const TaskRow& row : rows) {
    if (row.job != first->job) {
      left_alone.insert(row.job);
      EXPECT_EQ(row.attempt, 1);
    } else if (row.attempt > 1) {
      EXPECT_EQ(row.node, to);
    }
  }
  expect_that_nothing_was_done_twice(rows, {first->job}, left_alone);
  EXPECT_THAT(run_.leftovers(), IsEmpty());
}

}  // namespace
}  // namespace tracebed
