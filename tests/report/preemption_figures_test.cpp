#include "report/preemption_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "report/html_preemption.h"
#include "report/preemption_rows.h"
#include "report/run_columns.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

class PreemptionFiguresTest : public testing::Test {
 protected:
  PreemptionFiguresTest() {
    for (const char* queue : {"batch", "urgent"}) names_.queues.intern(queue);
  }

  static PreemptionRecord asked(std::uint32_t application, std::uint32_t queue, PreemptionEnd end) {
    PreemptionRecord record;
    record.application = ApplicationId(application);
    record.job = JobId(application + 10);
    record.queue = QueueId(queue);
    record.container = ContainerId(7u);
    record.node = NodeId(0u);
    record.resources = Resources(1'000, 2'048);
    record.asked = trace_time(1'000'000);
    record.ended = trace_time(4'000'000);
    record.end = end;
    return record;
  }

  // Two vcores and 1,024 MiB for ten seconds, `kept` millionths of whose work were kept.
  static AttemptRecord cut_short(std::uint32_t application, ContainerEnd end, std::uint32_t kept) {
    AttemptRecord record;
    record.queue = QueueId(0u);
    record.application = ApplicationId(application);
    record.job = JobId(application + 10);
    record.launched = true;
    record.end = end;
    record.resources = Resources(2'000, 1'024);
    record.account.started = trace_time(5'000'000);
    record.account.ended = trace_time(15'000'000);
    record.nominal = seconds(10);
    record.account.progress = kept;
    return record;
  }

  Names names_;
  PreemptionCounter counter_;
};

TEST_F(PreemptionFiguresTest, CountEachEndOnceByQueueAndApplication) {
  for (const PreemptionEnd end :
       {PreemptionEnd::given_up, PreemptionEnd::checkpointed, PreemptionEnd::substituted,
        PreemptionEnd::forced, PreemptionEnd::cancelled, PreemptionEnd::lost}) {
    counter_.add(asked(0, 0, end));
  }
  counter_.add(asked(1, 0, PreemptionEnd::forced));
  counter_.add(asked(2, 1, PreemptionEnd::cancelled));
  const PreemptionFigures figures = counter_.figures(QueueNames(names_));
  EXPECT_EQ(figures.all.asked, 8u);
  ASSERT_EQ(figures.queues.size(), 2u);
  const PreemptionCounts& batch = figures.queues[0].counts;
  EXPECT_EQ(figures.queues[0].queue, "batch");
  EXPECT_EQ(batch.asked, 7u);
  EXPECT_EQ(batch.in_time, 3u);
  EXPECT_EQ(batch.checkpointed, 1u);
  EXPECT_EQ(batch.substituted, 1u);
  EXPECT_EQ(batch.forced, 2u);
  EXPECT_EQ(batch.cancelled, 1u);
  EXPECT_EQ(batch.lost, 1u);
  EXPECT_EQ(figures.queues[1].counts.cancelled, 1u);
  const std::vector<PreemptedApplication> applications = counter_.applications();
  ASSERT_EQ(applications.size(), 3u);
  EXPECT_EQ(applications[1].job, JobId(11u));
  EXPECT_EQ(applications[1].counts.forced, 1u);
}

// Two vcores for ten seconds are twenty vcore-seconds; with a quarter of the work kept, five.
TEST_F(PreemptionFiguresTest, TellWhatWasLostAndSavedOfThoseThatWereAsked) {
  counter_.add(asked(0, 0, PreemptionEnd::checkpointed));
  counter_.add(cut_short(0, ContainerEnd::checkpointed, 250'000));
  counter_.add(cut_short(0, ContainerEnd::preempted, 0));
  const PreemptionCounts counts = counter_.figures(QueueNames(names_)).queues.at(0).counts;
  EXPECT_DOUBLE_EQ(counts.saved_vcore_seconds, 5);
  EXPECT_DOUBLE_EQ(counts.lost_vcore_seconds, 15 + 20);
  EXPECT_DOUBLE_EQ(counts.saved_mib_seconds, 2'560);
  EXPECT_DOUBLE_EQ(counts.lost_mib_seconds, 7'680 + 10'240);
}

// A second try that lost the race is killed by its own master.
TEST_F(PreemptionFiguresTest, LeaveOutApplicationsThatKilledTasksUnasked) {
  counter_.add(cut_short(3, ContainerEnd::killed, 0));
  EXPECT_EQ(counter_.figures(QueueNames(names_)), PreemptionFigures());
  EXPECT_TRUE(counter_.applications().empty());
}

class PreemptionRows : public PreemptionFiguresTest {
 protected:
  TemporaryFolder folder_;
  ResourceDimensions dimensions_{{"gpu"}};
};

TEST_F(PreemptionRows, AreReadAsTheyWereWritten) {
  const auto file = folder_.path() / preemptions_csv_file;
  CsvWriter csv(file, csv_header(preemptions_table(), dimensions_));
  PreemptionRecord record = asked(0, 0, PreemptionEnd::substituted);
  write_preemption_row(csv, record, "root.\"a\", b", "node1", dimensions_);
  record.notified = trace_time(2'000'000);
  record.deadline = trace_time(9'000'000);
  record.end = PreemptionEnd::lost;
  write_preemption_row(csv, record, "", "node1", dimensions_);
  csv.close();
  const std::vector<PreemptionSpan> spans = read_preemptions_csv(file, dimensions_);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].asked, trace_time(1'000'000));
  EXPECT_EQ(spans[0].ended, trace_time(4'000'000));
  EXPECT_EQ(spans[0].end, PreemptionEnd::substituted);
  EXPECT_EQ(spans[1].end, PreemptionEnd::lost);
}

TEST_F(PreemptionRows, SayWhatIsWrongWithThem) {
  const auto file = folder_.path() / preemptions_csv_file;
  const std::string header = csv_header(preemptions_table(), dimensions_) + "\n";
  const auto complaint = [&](const std::string& row) {
    write_file(file, header + row);
    try {
      read_preemptions_csv(file, dimensions_);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(complaint("1,1,1,q,n,strict,move,9,,,5,forced,1,1,0\n"),
              testing::HasSubstr("a time not before asked_us"));
  EXPECT_THAT(complaint("1,1,1,q,n,strict,move,4,,,5,eaten,1,1,0\n"),
              testing::HasSubstr("such as checkpointed or forced"));
}

TEST_F(PreemptionRows, OfApplicationsAreReadAsTheyWereWritten) {
  counter_.add(asked(5, 0, PreemptionEnd::substituted));
  counter_.add(asked(5, 0, PreemptionEnd::forced));
  counter_.add(cut_short(5, ContainerEnd::preempted, 0));
  const auto file = folder_.path() / preempted_csv_file;
  write_preempted_csv(create_file(file), counter_.applications());
  const std::vector<PreemptedApplication> read = read_preempted_csv(file);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].job, JobId(15u));
  EXPECT_EQ(read[0].application, ApplicationId(5u));
  EXPECT_EQ(read[0].counts, counter_.applications()[0].counts);
}

// Four contracts of two seconds each within twenty: bars of a second, the shortest there are.
TEST_F(PreemptionRows, AreToldToThePageInBars) {
  RunFolder run;
  for (const std::int64_t at : {10, 10, 11, 28}) {
    run.preemptions.push_back({trace_time(at * 1'000'000), trace_time((at + 2) * 1'000'000),
                               at == 11 ? PreemptionEnd::forced : PreemptionEnd::checkpointed});
  }
  const Json bins = preemption_data(run).at("bins");
  EXPECT_EQ(bins.at("start"), 10.0);
  EXPECT_EQ(bins.at("width"), 1.0);
  ASSERT_EQ(bins.at("asked").size(), 21u);
  EXPECT_EQ(bins.at("asked").at(0), 2);
  EXPECT_EQ(bins.at("asked").at(1), 1);
  EXPECT_EQ(bins.at("in_time").at(2), 2);
  EXPECT_EQ(bins.at("forced").at(3), 1);
  EXPECT_EQ(bins.at("in_time").at(20), 1);
}

TEST_F(PreemptionRows, OfALongRunHaveAsManyBarsAsAPlotShows) {
  RunFolder run;
  run.preemptions = {{trace_time(0), trace_time(1'000'000'000'000), PreemptionEnd::forced}};
  const Json bins = preemption_data(run).at("bins");
  EXPECT_LE(bins.at("asked").size(), 121u);
  EXPECT_EQ(bins.at("forced").back(), 1);
}

TEST_F(PreemptionRows, NameTheApplicationsThatLostAndSavedMost) {
  RunFolder run;
  run.preemptions = {{trace_time(0), trace_time(1), PreemptionEnd::forced}};
  for (std::uint32_t i = 0; i < 12; ++i) {
    PreemptedApplication application{JobId(i), ApplicationId(i), {}, {}, {.asked = 1}};
    application.counts.lost_vcore_seconds = i;
    run.preempted.push_back(application);
  }
  run.jobs.resize(1);
  run.jobs[0].job = JobId(11u);
  run.jobs[0].user = run.users.intern("ann");
  run.jobs[0].queue = run.queues.intern("batch");
  const Json applications = preemption_data(run).at("applications");
  EXPECT_EQ(applications.at("total"), 12);
  ASSERT_EQ(applications.at("most").size(), 10u);
  EXPECT_EQ(applications.at("most").at(0).at("job"), 11);
  EXPECT_EQ(applications.at("most").at(0).at("user"), "ann");
  EXPECT_EQ(applications.at("most").at(9).at("lost_vcore_seconds"), 2.0);
}

}  // namespace
}  // namespace tracebed
