// What queues used over time: bounded, and the same after writing and reading.
#include "report/queue_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "report/run_columns.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// As YARN's schedulers see it: with what is reserved.
QueueView leaf(const std::string& path, const Resources& entitled) {
  QueueView view;
  view.queue = {path, true, {}};
  view.used = {99, 99};
  view.entitled = entitled;
  view.active = {ApplicationId(1u), ApplicationId(2u)};
  view.waiting = {ApplicationId(3u)};
  return view;
}

SchedulerView two_queues() {
  SchedulerView view;
  view.queues.push_back({{"root", false, {}}, {}, {}, {}, {}});
  view.queues.push_back(leaf("root.b", {50, 60}));
  view.queues.push_back(leaf("root.a", {3, 4}));
  return view;
}

LeafUses uses_of(std::int64_t used) {
  return {{"root.b", {{used, used}, {1, 2}}}};
}

TEST(QueueSeries, KeepsLeavesOnly) {
  QueueSeriesBuilder builder;
  builder.add(trace_time(5), {100, 200}, two_queues(), uses_of(7));
  const QueueSeries& series = builder.series();
  EXPECT_THAT(series.queues, ElementsAre("root.b", "root.a"));
  ASSERT_EQ(series.samples.size(), 1u);
  ASSERT_EQ(series.samples[0].leaves.size(), 2u);
  EXPECT_EQ(series.samples[0].leaves[0].used, Resources(7, 7)) << "of its containers alone";
  EXPECT_EQ(series.samples[0].leaves[0].reserved, Resources(1, 2));
  EXPECT_EQ(series.samples[0].leaves[1].used, Resources()) << "nothing is told of it";
  EXPECT_EQ(series.samples[0].leaves[1].active, 2u);
  EXPECT_EQ(series.samples[0].leaves[1].waiting, 1u);
}

TEST(QueueSeries, DropsEverySecondSampleWhenThereAreTooMany) {
  QueueSeriesBuilder builder;
  for (std::size_t i = 0; i <= QueueSeriesBuilder::samples_max; ++i) {
    builder.add(trace_time(static_cast<std::int64_t>(i)), {100, 200}, two_queues(), uses_of(1));
  }
  const std::vector<QueueSample>& samples = builder.series().samples;
  EXPECT_EQ(samples.size(), QueueSeriesBuilder::samples_max / 2 + 1);
  EXPECT_EQ(samples[0].at, trace_time(0));
  EXPECT_EQ(samples[1].at, trace_time(2));
}

// Rounds may follow each other within a microsecond: rows of containers do not tell them apart.
TEST(QueueSeries, KeepsTheLastOfSeveralLooksAtOneTime) {
  QueueSeriesBuilder builder;
  builder.add(trace_time(5), {100, 200}, two_queues(), uses_of(1));
  builder.add(trace_time(5), {100, 200}, two_queues(), uses_of(2));
  ASSERT_EQ(builder.series().samples.size(), 1u);
  EXPECT_EQ(builder.series().samples[0].leaves[0].used, Resources(2, 2));
}

TEST(QueueSeries, OfASchedulerWithoutQueuesIsEmpty) {
  QueueSeriesBuilder builder;
  builder.add(trace_time(5), {100, 200}, {}, {});
  EXPECT_TRUE(builder.series().samples.empty());
}

TEST(QueueSeries, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  const ResourceDimensions dimensions({"gpu"});
  QueueSeriesBuilder builder;
  LeafUses uses = uses_of(7);
  uses["root.b"].used[2] = 9;
  uses["root.b"].reserved[2] = 3;
  builder.add(trace_time(5), {100, 200}, two_queues(), uses);
  builder.add(trace_time(8), {100, 200}, two_queues(), uses_of(11));
  const std::filesystem::path file = folder.path() / queues_csv_file;
  write_queues_csv(create_file(file), builder.series(), dimensions);
  const QueueSeries read = read_queues_csv(file, dimensions);
  EXPECT_EQ(read.queues, builder.series().queues);
  ASSERT_EQ(read.samples.size(), 2u);
  EXPECT_EQ(read.samples[1].at, trace_time(8));
  EXPECT_EQ(read.samples[0].capacity, Resources(100, 200));
  EXPECT_EQ(read.samples[0].leaves[0].used, uses["root.b"].used);
  EXPECT_EQ(read.samples[0].leaves[0].reserved, uses["root.b"].reserved);
  EXPECT_EQ(read.samples[1].leaves[0].used, Resources(11, 11));
  EXPECT_EQ(read.samples[1].leaves[1].entitled, Resources(3, 4));
}

TEST(QueueSeries, RefusesTimesThatRunBackwards) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "queues.csv", csv_header(queues_table(), ResourceDimensions()) +
                        "\n8,root.a,0,0,1,1,1,1,1,1,1,1\n5,root.a,0,0,1,1,1,1,1,1,1,1\n");
  try {
    read_queues_csv(file, {});
    FAIL() << "was read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("queues.csv:3"));
  }
}

}  // namespace
}  // namespace tracebed
