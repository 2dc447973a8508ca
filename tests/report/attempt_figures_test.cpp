#include "report/attempt_figures.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

AttemptRecord attempt(ContainerEnd end, Locality locality) {
  AttemptRecord record;
  record.launched = true;
  record.end = end;
  record.locality = locality;
  record.allocated = trace_time(1'000);
  record.account.started = trace_time(1'500);
  record.account.ended = trace_time(2'500);
  record.reported = trace_time(2'700);
  record.nominal = microseconds(900);
  return record;
}

TEST(AttemptFigures, CountEndsAndLocalities) {
  AttemptCounter counter;
  counter.add(attempt(ContainerEnd::succeeded, Locality::node));
  counter.add(attempt(ContainerEnd::succeeded, Locality::rack));
  counter.add(attempt(ContainerEnd::node_lost, Locality::node));
  AttemptRecord released = attempt(ContainerEnd::released, Locality::off_switch);
  released.launched = false;
  counter.add(released);
  const AttemptFigures figures = counter.figures();
  EXPECT_EQ(figures.launched, 3u);
  EXPECT_EQ(figures.lost, 1u);
  EXPECT_EQ(figures.unlaunched, 1u);
  EXPECT_EQ(figures.ends[static_cast<std::size_t>(ContainerEnd::succeeded)], 2u);
  EXPECT_EQ(figures.ends[static_cast<std::size_t>(ContainerEnd::node_lost)], 1u);
  EXPECT_EQ(figures.localities[static_cast<std::size_t>(Locality::node)], 2u);
  EXPECT_EQ(figures.localities[static_cast<std::size_t>(Locality::off_switch)], 0u);
}

TEST(AttemptFigures, MeasureDelaysOfWhatSucceeded) {
  AttemptCounter counter;
  counter.add(attempt(ContainerEnd::succeeded, Locality::none_asked));
  AttemptRecord failed = attempt(ContainerEnd::failed, Locality::none_asked);
  failed.reported = trace_time(9'000'000);
  counter.add(failed);
  const AttemptFigures figures = counter.figures();
  EXPECT_DOUBLE_EQ(figures.launch_latency.mean, 500e-6);
  EXPECT_DOUBLE_EQ(figures.heartbeat_delay.mean, 200e-6);
  EXPECT_DOUBLE_EQ(figures.contention.mean, 100e-6);
  EXPECT_EQ(figures.contention.count, 1u);
}

TEST(AttemptFigures, AHeldTasksContentionCountsFromWhenItsWorkBegan) {
  AttemptCounter counter;
  AttemptRecord held = attempt(ContainerEnd::succeeded, Locality::none_asked);
  held.work_begun = trace_time(1'580);
  counter.add(held);
  EXPECT_DOUBLE_EQ(counter.figures().contention.mean, 20e-6);
}

// A master that holds 1,000 MiB for 1.7 ms beside a task that holds 3,000 as long: a quarter.
TEST(AttemptFigures, MastersAreToldApartWithTheirPartOfWhatIsHeld) {
  AttemptCounter counter;
  AttemptRecord task = attempt(ContainerEnd::succeeded, Locality::node);
  task.resources = Resources(1'000, 3'000);
  counter.add(task);
  AttemptRecord master = attempt(ContainerEnd::failed, Locality::none_asked);
  master.is_master = true;
  master.resources = Resources(1'000, 1'000);
  counter.add(master);
  const AttemptFigures figures = counter.figures();
  EXPECT_EQ(figures.launched, 1u);
  EXPECT_EQ(figures.lost, 0u);
  EXPECT_EQ(figures.masters, 1u);
  EXPECT_DOUBLE_EQ(figures.masters_part_of_memory, 0.25);
  EXPECT_DOUBLE_EQ(figures.masters_part_of_vcores, 0.5);
}

// Of those alone that registered, from the start of their process.
TEST(AttemptFigures, HaveTheStartUpOfMasters) {
  AttemptCounter counter;
  AttemptRecord master = attempt(ContainerEnd::succeeded, Locality::none_asked);
  master.is_master = true;
  counter.add(master);
  EXPECT_EQ(counter.figures().master_startup.count, 0u);
  master.work_begun = trace_time(1'780);
  counter.add(master);
  master.work_begun = trace_time(1'499);  // by another clock, a moment before it started
  counter.add(master);
  const Spread startup = counter.figures().master_startup;
  EXPECT_EQ(startup.count, 2u);
  EXPECT_DOUBLE_EQ(startup.mean, 140e-6);
  EXPECT_EQ(counter.figures().contention.count, 0u);
}

}  // namespace
}  // namespace tracebed
