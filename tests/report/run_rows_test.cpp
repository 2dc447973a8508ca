// When a job's row is written, what it then counts, and what queues are called.
#include "report/run_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "core/random.h"
#include "report/run_folder.h"
#include "report/sample_runs.h"
#include "support/csv_rows.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::ElementsAre;

class RunRowsTest : public testing::Test {
 protected:
  class Folder final : public OutputFolder {
   public:
    explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}
    std::unique_ptr<ByteOutput> create(const std::string& name) override {
      return create_file(path_ / name);
    }

   private:
    std::filesystem::path path_;
  };

  RunRowsTest() {
    names_.users.intern("ann");
    names_.queues.intern("batch");
  }

  // Container `id` of the job, reported at `reported` seconds.
  static AttemptRecord attempt(std::uint32_t id, std::uint32_t job, int reported,
                               ContainerEnd end = ContainerEnd::succeeded) {
    AttemptRecord record;
    record.application = ApplicationId(job);
    record.job = JobId(job);
    record.user = UserId(0u);
    record.queue = QueueId(0u);
    record.launched = true;
    record.container = ContainerId(id);
    record.node = NodeId(0u);
    record.reported = record.account.ended = TraceTime(seconds(reported));
    record.end = end;
    return record;
  }
  static JobRecord job(std::uint32_t id, std::uint32_t attempts, int finished) {
    JobRecord record;
    record.application = ApplicationId(id);
    record.job = JobId(id);
    record.name = "job" + std::to_string(id);
    record.user = UserId(0u);
    record.queue = QueueId(0u);
    record.tasks = 1;
    record.attempts = attempts;
    record.first_allocated = TraceTime();
    record.finished = TraceTime(seconds(finished));
    return record;
  }
  std::vector<std::string> column(const char* file, const std::string& name) const {
    std::vector<std::string> values;
    for (const CsvRow& row : csv_rows(scratch_.path() / file)) values.push_back(row.at(name));
    return values;
  }

  TemporaryFolder scratch_;
  Folder folder_{scratch_.path()};
  Names names_;
  RunDescription description_ = sample_description({});
  RunRows rows_{description_, names_, {}, folder_};
};

// Of job 0 two attempts are killed when its third has failed for good; the end of one is reported
// after that of job 1.
TEST_F(RunRowsTest, AJobsRowCountsAttemptsThatEndAfterIt) {
  rows_.attempt_ended(attempt(0, 0, 10, ContainerEnd::failed));
  rows_.job_ended(job(0, 3, 10));
  rows_.attempt_ended(attempt(1, 0, 11, ContainerEnd::killed));
  rows_.attempt_ended(attempt(3, 1, 12));
  rows_.job_ended(job(1, 1, 12));
  rows_.attempt_ended(attempt(2, 0, 13, ContainerEnd::killed));
  const RunFigures figures = rows_.finish();
  EXPECT_THAT(column("jobs.csv", "job"), ElementsAre("1", "0"));
  EXPECT_THAT(column("jobs.csv", "attempts"), ElementsAre("1", "3"));
  EXPECT_THAT(column("jobs.csv", "attempts_lost"), ElementsAre("0", "3"));
  EXPECT_EQ(figures.attempts.lost, 3u);
}

// What ran beside its last success, such as a second try, may succeed as well.
TEST_F(RunRowsTest, AnAttemptThatSucceedsAfterItsJobIsNotLost) {
  rows_.attempt_ended(attempt(0, 0, 10));
  rows_.job_ended(job(0, 2, 10));
  rows_.attempt_ended(attempt(1, 0, 11));
  rows_.finish();
  EXPECT_THAT(column("jobs.csv", "attempts_lost"), ElementsAre("0"));
}

// Neither is a launched attempt at one of its tasks.
TEST_F(RunRowsTest, MastersAndUnlaunchedContainersSettleNoRow) {
  rows_.job_ended(job(0, 1, 10));
  AttemptRecord master = attempt(0, 0, 11, ContainerEnd::killed);
  master.is_master = true;
  rows_.attempt_ended(master);
  AttemptRecord unlaunched = attempt(1, 0, 11, ContainerEnd::released);
  unlaunched.launched = false;
  rows_.attempt_ended(unlaunched);
  rows_.flush();
  EXPECT_THAT(column("jobs.csv", "job"), ElementsAre());
  rows_.attempt_ended(attempt(2, 0, 12, ContainerEnd::killed));
  rows_.flush();
  EXPECT_THAT(column("jobs.csv", "attempts_lost"), ElementsAre("1"));
  rows_.finish();
}

// As of a run whose agents were lost: its folder tells of every job that ended.
TEST_F(RunRowsTest, AJobWhoseAttemptsNeverEndHasItsRowAtTheEnd) {
  rows_.job_ended(job(1, 1, 10));
  rows_.job_ended(job(0, 1, 11));
  rows_.finish();
  EXPECT_THAT(column("jobs.csv", "job"), ElementsAre("0", "1"));
  EXPECT_THAT(column("jobs.csv", "attempts_lost"), ElementsAre("0", "0"));
}

TEST_F(RunRowsTest, AJobWhoseAttemptsNeverEndIsLeftOutWhereItIsWanted) {
  rows_.job_ended(job(0, 1, 10));
  rows_.finish(/*writes_unsettled=*/false);
  EXPECT_THAT(column("jobs.csv", "job"), ElementsAre());
}

TEST_F(RunRowsTest, QueuesAreCalledByTheirFullPathOrAsInTheTrace) {
  rows_.leaf_named(LeafId(0u), "root.users.ann");
  AttemptRecord placed = attempt(0, 0, 10);
  placed.leaf = LeafId(0u);
  rows_.attempt_ended(placed);
  JobRecord done = job(0, 1, 10);
  done.leaf = LeafId(0u);
  rows_.job_ended(done);
  JobRecord rejected = job(1, 0, 10);
  rejected.outcome = JobOutcome::rejected;
  rows_.job_ended(rejected);
  PreemptionRecord preemption;
  preemption.application = ApplicationId(0u);
  preemption.job = JobId(0u);
  preemption.queue = QueueId(0u);
  preemption.leaf = LeafId(0u);
  preemption.container = ContainerId(0u);
  preemption.node = NodeId(0u);
  rows_.preemption_ended(preemption);
  const RunFigures figures = rows_.finish();
  EXPECT_THAT(column("tasks.csv", "queue"), ElementsAre("root.users.ann"));
  EXPECT_THAT(column("tasks.csv", "user"), ElementsAre("ann"));
  EXPECT_THAT(column("jobs.csv", "queue"), ElementsAre("root.users.ann", "batch"));
  EXPECT_THAT(column("jobs.csv", "trace_queue"), ElementsAre("batch", "batch"));
  EXPECT_THAT(column("preemptions.csv", "queue"), ElementsAre("root.users.ann"));
  ASSERT_EQ(figures.attempts.preemption.queues.size(), 1u);
  EXPECT_EQ(figures.attempts.preemption.queues[0].queue, "root.users.ann");
}

TEST(DefaultTaskRows, AreCompressedAboveAMillionTasks) {
  EXPECT_EQ(default_task_rows(1'000'000), TaskRows::csv);
  EXPECT_EQ(default_task_rows(1'000'001), TaskRows::zstd);
}

// A file has jobs as they ended, a loaded run by their ids, each with its own figures and parts.
TEST_F(RunRowsTest, OfJobsAreReadInTheOrderOfTheirIdsHoweverTheyEnded) {
  Random random(5);
  for (std::uint32_t count : {0u, 1u, 2u, 3u, 10u, 500u}) {
    std::vector<std::uint32_t> ended(count);
    std::iota(ended.begin(), ended.end(), 0u);
    for (std::uint32_t i = 1; i < count; ++i) std::swap(ended[i], ended[random.below(i + 1)]);
    const auto folder = scratch_.path() / ("of-" + std::to_string(count));
    RunFolderWriter writer(folder, sample_description({}), names_, {});
    writer.sampled({.at = TraceTime(), .capacity = Resources(8'000, 4'096)});
    for (const std::uint32_t id : ended) writer.job_ended(job(id, 0, static_cast<int>(id) + 1));
    const RunMetrics written = writer.finish({});
    const RunFolder run = RunFolder::load(folder);
    const RunFolder summed = RunFolder::load(folder, FileCheck::contents, JobParts::summed);
    EXPECT_TRUE(summed.parts.empty());
    EXPECT_EQ(summed.metrics().jct_parts_mean, run.metrics().jct_parts_mean);
    EXPECT_EQ(summed.metrics().jct_parts_mean, written.jct_parts_mean);
    ASSERT_EQ(run.jobs.size(), count);
    ASSERT_EQ(summed.jobs.size(), count);
    ASSERT_EQ(run.parts.size(), count);
    for (std::uint32_t id = 0; id < count; ++id) {
      const Duration jct = seconds(static_cast<int>(id) + 1);
      EXPECT_EQ(run.jobs[id].job, JobId(id));
      EXPECT_EQ(summed.jobs[id].job, JobId(id));
      EXPECT_EQ(run.jobs[id].jct, jct);
      EXPECT_EQ(std::accumulate(run.parts[id].begin(), run.parts[id].end(), Duration()), jct);
    }
  }
}

}  // namespace
}  // namespace tracebed
