// The MapReduce master's life, as stories. Slots: 0 maps that run again, 1 reduces, 2 maps.
#include "applications/map_reduce/map_reduce_master.h"

#include <gtest/gtest.h>

#include "applications/master_harness.h"

namespace tracebed {
namespace {

constexpr AskSlot failed_maps = 0;
constexpr AskSlot reduces = 1;
constexpr AskSlot maps = 2;
const Resources plenty(1'000'000, 1'000'000);
const Resources nothing;

Stage stage_of(StageKind kind, std::uint32_t tasks) {
  Stage stage;
  stage.kind = kind;
  stage.demand = Resources(1'000, 1'024);
  Work work;
  work.duration = seconds(10);
  if (tasks > 0) stage.runs.push_back({tasks, work});
  return stage;
}

class MapReduce : public ::testing::Test {
 protected:
  void make(std::uint32_t map_tasks, std::uint32_t reduce_tasks) {
    Job job;
    job.stages.push_back(stage_of(StageKind::map, map_tasks));
    if (reduce_tasks > 0) job.stages.push_back(stage_of(StageKind::reduce, reduce_tasks));
    for (Stage& stage : job.stages) {
      for (TaskRun& run : stage.runs) run.work.memory_mib = work_memory_mib_;
    }
    // Map i has its input on nodes i and 10 + i, in racks 0 and 1.
    std::vector<Replica> replicas;
    for (std::uint32_t i = 0; i < map_tasks; ++i) {
      replicas.push_back({NodeId(i), RackId(0u)});
      replicas.push_back({NodeId(10 + i), RackId(1u)});
    }
    master_.emplace(options_, job, std::move(replicas), 2);
    harness_.emplace(*master_);
    harness_->start();
    harness_->heartbeat(plenty);
  }
  // Grants the slot `count` containers.
  std::vector<ContainerId> grant(AskSlot slot, std::uint32_t count) {
    std::vector<ContainerId> containers;
    for (std::uint32_t i = 0; i < count; ++i) containers.push_back(harness_->grant(slot));
    return containers;
  }
  void finish_all(const std::vector<ContainerId>& containers) {
    for (ContainerId container : containers) harness_->end(container);
  }

  MapReduceOptions options_;
  std::int64_t work_memory_mib_ = 0;
  std::optional<MapReduceMaster> master_;
  std::optional<MasterHarness> harness_;
};

TEST_F(MapReduce, AsksForContainersOfTheSizesThatItIsTold) {
  options_.map_size = Resources(0, 512);
  options_.reduce_size = Resources(2'000, 0);
  make(1, 1);
  EXPECT_EQ(harness_->ask(maps).demand, Resources(1'000, 512));
  finish_all(grant(maps, 1));
  harness_->heartbeat(plenty);
  EXPECT_EQ(harness_->ask(reduces).demand, Resources(2'000, 1'024));
}

// A map of 640 MiB has 512 MiB of heap, if 0.8 of it are.
TEST_F(MapReduce, LaunchesTasksThatExhaustTheirHeapAsSuch) {
  options_.map_heap = {500, 0.8F};
  options_.reduce_heap = {512, 0.8F};
  work_memory_mib_ = 640;
  make(1, 1);
  const ContainerId map = grant(maps, 1).front();
  EXPECT_TRUE(harness_->launched(map).work.exhausts_heap);
  EXPECT_EQ(harness_->launched(map).work.memory_mib, 625);
  harness_->end(map, ContainerEnd::heap_exhausted);
  harness_->heartbeat(plenty);
  const ContainerId again = harness_->grant(failed_maps);
  EXPECT_TRUE(harness_->launched(again).work.exhausts_heap);
  harness_->end(again);
  harness_->heartbeat(plenty);
  const ContainerId reduce = grant(reduces, 1).front();
  EXPECT_FALSE(harness_->launched(reduce).work.exhausts_heap);
  EXPECT_EQ(harness_->launched(reduce).work.memory_mib, 640);
}

TEST_F(MapReduce, AsksForMapsWhereTheirInputIs) {
  make(3, 0);
  EXPECT_EQ(harness_->pending(maps), 3u);
  EXPECT_EQ(harness_->ask(maps).priority, 20);
  EXPECT_EQ(to_text(harness_->ask(maps).nodes), "0:1 1:1 2:1 10:1 11:1 12:1");
  EXPECT_EQ(to_text(harness_->ask(maps).racks), "0:3 1:3");
}

TEST_F(MapReduce, RunsTheMapWhoseInputIsOnTheNodeAndTakesItsPlacesBack) {
  make(3, 0);
  const ContainerId local = harness_->grant(maps, NodeId(11u), RackId(1u));
  EXPECT_EQ(harness_->launched(local).task, (TaskRef{0, 1}));
  EXPECT_EQ(harness_->launched(local).locality, Locality::node);
  EXPECT_EQ(to_text(harness_->ask(maps).nodes), "0:1 2:1 10:1 12:1");
  EXPECT_EQ(to_text(harness_->ask(maps).racks), "0:2 1:2");
  const ContainerId near = harness_->grant(maps, NodeId(11u), RackId(1u));
  EXPECT_EQ(harness_->launched(near).locality, Locality::rack);
  const ContainerId away = harness_->grant(maps, NodeId(99u), RackId(9u));
  EXPECT_EQ(harness_->launched(away).locality, Locality::off_switch);
}

TEST_F(MapReduce, EndsWithItsLastMapWhenThereAreNoReduces) {
  make(2, 0);
  finish_all(grant(maps, 2));
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(MapReduce, AJobOfNoTasksEndsAtOnce) {
  make(0, 0);
  EXPECT_TRUE(harness_->finish());
}

TEST_F(MapReduce, AJobOfReducesOnlyStartsThemAtOnce) {
  make(0, 2);
  EXPECT_EQ(harness_->pending(reduces), 2u);
  const auto containers = grant(reduces, 2);
  EXPECT_FALSE(harness_->is_held(containers[0]));
  finish_all(containers);
  EXPECT_TRUE(harness_->finish());
}

// Slow start 0.05 of 40 maps: two must be done.
TEST_F(MapReduce, AsksForReducesAfterTheSlowStart) {
  make(40, 4);
  const auto containers = grant(maps, 40);
  harness_->heartbeat(plenty);
  EXPECT_FALSE(harness_->has_asked(reduces));
  harness_->end(containers[0]);
  harness_->heartbeat(plenty);
  EXPECT_FALSE(harness_->has_asked(reduces));
  harness_->end(containers[1]);
  harness_->heartbeat(plenty);
  EXPECT_EQ(harness_->pending(reduces), 4u);
  EXPECT_EQ(harness_->ask(reduces).priority, 10);
  EXPECT_EQ(harness_->ask(reduces).kind, StageKind::reduce);
}

TEST_F(MapReduce, HoldsReducesUntilTheLastMapIsDone) {
  make(2, 2);
  const auto map_containers = grant(maps, 2);
  harness_->end(map_containers[0]);
  harness_->heartbeat(plenty);
  const ContainerId early = harness_->grant(reduces);
  EXPECT_TRUE(harness_->is_held(early));
  harness_->end(map_containers[1]);
  EXPECT_FALSE(harness_->is_held(early));
  const ContainerId late = harness_->grant(reduces);
  EXPECT_FALSE(harness_->is_held(late));
  harness_->end(early);
  harness_->end(late);
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(MapReduce, RunsAFailedMapAgainBeforeReducesAndFailsAtTheFourthFailure) {
  make(1, 1);
  ContainerId container = harness_->grant(maps);
  for (std::uint32_t failure = 1; failure <= 3; ++failure) {
    harness_->at(seconds(failure));
    harness_->end(container, ContainerEnd::failed);
    ASSERT_FALSE(harness_->finish());
    harness_->heartbeat(plenty);
    ASSERT_EQ(harness_->pending(failed_maps), 1u);
    EXPECT_EQ(harness_->ask(failed_maps).priority, 5);
    EXPECT_EQ(harness_->ask(failed_maps).kind, StageKind::map);
    EXPECT_EQ(to_text(harness_->ask(failed_maps).nodes), "0:1 10:1");
    container = harness_->grant(failed_maps, NodeId(10u), RackId(1u));
    EXPECT_EQ(harness_->launched(container).attempt, failure + 1);
    EXPECT_EQ(harness_->launched(container).locality, Locality::node);
    EXPECT_EQ(harness_->launched(container).waiting_since, TraceTime(seconds(failure)));
    EXPECT_EQ(to_text(harness_->ask(failed_maps).nodes), "");
  }
  harness_->end(container, ContainerEnd::out_of_memory);
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::failed);
  EXPECT_EQ(harness_->finish()->diagnostics,
            "map 0 failed 4 times, the last time as out_of_memory");
}

TEST_F(MapReduce, AsksAnewForAMapThatWasKilledWhichIsNoFailure) {
  make(2, 0);
  ContainerId container = grant(maps, 2).front();
  for (int i = 0; i < 9; ++i) {
    harness_->end(container, ContainerEnd::killed);
    harness_->heartbeat(plenty);
    ASSERT_FALSE(harness_->finish());
    ASSERT_EQ(harness_->pending(maps), 1u);
    EXPECT_EQ(to_text(harness_->ask(maps).nodes), "0:1 10:1");
    container = harness_->grant(maps);
  }
  EXPECT_EQ(harness_->launched(container).attempt, 10u);
  EXPECT_FALSE(harness_->has_asked(failed_maps));
}

TEST_F(MapReduce, FailsWithAReduceThatFailedFourTimes) {
  make(0, 2);
  grant(reduces, 2);
  ContainerId container(0u);
  for (std::uint32_t failure = 1; failure <= 3; ++failure) {
    harness_->end(container, ContainerEnd::timed_out);
    harness_->heartbeat(plenty);
    container = harness_->grant(reduces);
    EXPECT_EQ(harness_->launched(container).attempt, failure + 1);
  }
  harness_->end(container, ContainerEnd::failed);
  EXPECT_EQ(harness_->finish()->diagnostics, "reduce 0 failed 4 times, the last time as failed");
}

// Map 0 ran on node 0, map 1 on node 1. Node 0 leaves while the reduce has not ended: map 0 runs
// again, the reduce, which was let go, runs on, and one that starts now waits for the map.
TEST_F(MapReduce, RunsMapsAgainWhoseOutputWasLost) {
  make(2, 2);
  const ContainerId first = harness_->grant(maps, NodeId(0u));
  const ContainerId second = harness_->grant(maps, NodeId(1u));
  finish_all({first, second});
  harness_->heartbeat(plenty);
  const ContainerId gone = harness_->grant(reduces, NodeId(5u));
  EXPECT_FALSE(harness_->is_held(gone));
  harness_->lose(NodeId(0u));
  harness_->heartbeat(plenty);
  EXPECT_EQ(harness_->pending(failed_maps), 1u);
  const ContainerId waiting = harness_->grant(reduces, NodeId(5u));
  EXPECT_TRUE(harness_->is_held(waiting));
  const ContainerId again = harness_->grant(failed_maps, NodeId(3u));
  EXPECT_EQ(harness_->launched(again).task, (TaskRef{0, 0}));
  EXPECT_EQ(harness_->launched(again).attempt, 2u);
  harness_->end(gone);
  EXPECT_TRUE(harness_->is_held(waiting));
  harness_->end(again);
  EXPECT_FALSE(harness_->is_held(waiting));
  harness_->end(waiting);
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(MapReduce, RunsNoMapAgainWhenNobodyNeedsItsOutput) {
  make(2, 0);
  const ContainerId first = harness_->grant(maps, NodeId(0u));
  const ContainerId second = harness_->grant(maps, NodeId(1u));
  harness_->end(first);
  harness_->lose(NodeId(0u));
  harness_->heartbeat(plenty);
  EXPECT_FALSE(harness_->has_asked(failed_maps));
  harness_->end(second);
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

// All that the job has is four held reduces; the fifth map was lost with its node. Nothing is free:
// one reduce goes, the youngest, and comes back later as a second attempt.
TEST_F(MapReduce, SendsTheYoungestHeldReduceAwayWhenAMapHasNoRoom) {
  make(5, 4);
  const auto first_four = grant(maps, 4);
  finish_all(first_four);
  const ContainerId fifth = harness_->grant(maps, NodeId(7u));
  harness_->heartbeat(plenty);
  const auto held = grant(reduces, 4);
  harness_->lose(NodeId(7u));
  EXPECT_FALSE(harness_->is_running(fifth));
  harness_->heartbeat(nothing);
  EXPECT_EQ(harness_->pending(maps), 1u);
  EXPECT_EQ(harness_->to_kill(), std::set{held[3]});
  // While it goes, no more are sent away for the same need.
  harness_->at(seconds(1));
  harness_->heartbeat(nothing);
  EXPECT_EQ(harness_->to_kill().size(), 1u);
  harness_->end(held[3], ContainerEnd::killed);
  harness_->heartbeat(Resources(1'000, 1'024));
  const ContainerId again = harness_->grant(maps);
  harness_->end(again);
  harness_->heartbeat(Resources(1'000, 1'024));
  ASSERT_EQ(harness_->pending(reduces), 1u);
  const ContainerId last = harness_->grant(reduces);
  EXPECT_EQ(harness_->launched(last).task, (TaskRef{1, 3}));
  EXPECT_EQ(harness_->launched(last).attempt, 2u);
  finish_all({held[0], held[1], held[2], last});
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

// Continued reduces may still have to fetch what was lost, and would wait for ever for a map that
// they leave no room.
TEST_F(MapReduce, SendsContinuedReducesAwayForALostMapWhereTheyMayHaveToFetchItsOutput) {
  options_.are_lost_outputs_awaited = true;
  make(2, 3);
  const ContainerId lost = harness_->grant(maps, NodeId(0u));
  const ContainerId kept = harness_->grant(maps, NodeId(1u));
  finish_all({lost, kept});
  harness_->heartbeat(plenty);
  std::vector<ContainerId> continued;
  for (int i = 0; i < 3; ++i) continued.push_back(harness_->grant(reduces, NodeId(5u)));
  harness_->end(continued[2]);
  harness_->lose(NodeId(0u));
  harness_->heartbeat(nothing);
  EXPECT_EQ(harness_->to_kill(), std::set{continued[1]});
  harness_->end(continued[1], ContainerEnd::killed);
  harness_->heartbeat(Resources(1'000, 1'024));
  harness_->end(harness_->grant(failed_maps));
  harness_->heartbeat(Resources(1'000, 1'024));
  const ContainerId again = harness_->grant(reduces);
  EXPECT_EQ(harness_->launched(again).task, (TaskRef{1, 1}));
  EXPECT_FALSE(harness_->is_held(again));
  // Maps are done again: nothing is sent away for them.
  EXPECT_TRUE(harness_->to_kill().empty());
  finish_all({continued[0], again});
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

// There seems to be room for the map (on two nodes, say, half of it each), so reduces stay until
// the map has waited for more than five minutes.
TEST_F(MapReduce, SendsReducesAwayUnconditionallyAfterFiveMinutes) {
  make(2, 2);
  const ContainerId done = harness_->grant(maps, NodeId(0u));
  const ContainerId lost = harness_->grant(maps, NodeId(1u));
  harness_->end(done);
  harness_->heartbeat(plenty);
  grant(reduces, 2);
  harness_->lose(NodeId(1u));
  EXPECT_FALSE(harness_->is_running(lost));
  const Resources seeming(1'000, 1'024);
  harness_->heartbeat(seeming);
  EXPECT_TRUE(harness_->to_kill().empty());
  // It looks again every second.
  for (int second = 1; second <= 300; ++second) {
    ASSERT_EQ(harness_->heartbeat_at(), TraceTime(seconds(second)));
    harness_->at(seconds(second));
    harness_->heartbeat(seeming);
    ASSERT_TRUE(harness_->to_kill().empty()) << second;
  }
  harness_->at(seconds(301));
  harness_->heartbeat(seeming);
  EXPECT_EQ(harness_->to_kill().size(), 1u);
}

TEST_F(MapReduce, TakesBackReducesNotYetPlacedWhenMapsHaveNoRoom) {
  make(3, 4);
  const ContainerId done = harness_->grant(maps, NodeId(0u));
  const ContainerId running = harness_->grant(maps, NodeId(1u));
  harness_->end(done);
  // The job can have four containers. One of three maps is done, so reduces may have 1,333
  // milli-cores; of the maps' 2,667 the two maps leave 667, which makes two reduces.
  harness_->heartbeat(Resources(3'000, 3'072));
  EXPECT_EQ(harness_->pending(reduces), 2u);
  harness_->end(running, ContainerEnd::killed);
  harness_->heartbeat(nothing);
  EXPECT_EQ(harness_->pending(reduces), 0u);
  EXPECT_EQ(harness_->pending(maps), 2u);
}

// The room that a reduce made must not be asked for again by a reduce before the map has it:
// reduces are more important than maps to the scheduler, so it would go back and forth for ever.
TEST_F(MapReduce, KeepsTheRoomThatReducesMadeForTheMap) {
  make(2, 2);
  const ContainerId done = harness_->grant(maps, NodeId(0u));
  const ContainerId lost = harness_->grant(maps, NodeId(1u));
  harness_->end(done);
  harness_->heartbeat(plenty);
  const auto held = grant(reduces, 2);
  harness_->lose(NodeId(1u));
  EXPECT_FALSE(harness_->is_running(lost));
  harness_->heartbeat(nothing);
  ASSERT_EQ(harness_->to_kill(), std::set{held[1]});
  harness_->end(held[1], ContainerEnd::killed);
  harness_->heartbeat(Resources(1'000, 1'024));
  EXPECT_EQ(harness_->pending(reduces), 0u);
  harness_->grant(maps);
  harness_->heartbeat(nothing);
  EXPECT_EQ(harness_->pending(reduces), 1u);
}

// A map that was killed is asked for anew at the next heartbeat; a container that comes before is
// for the others.
TEST_F(MapReduce, GivesNoContainerToAMapThatIsNotAskedForAgainYet) {
  make(2, 0);
  const ContainerId killed = harness_->grant(maps, NodeId(0u));
  EXPECT_EQ(harness_->launched(killed).task.index, 0u);
  harness_->end(killed, ContainerEnd::killed);
  const ContainerId other = harness_->grant(maps, NodeId(0u));
  EXPECT_EQ(harness_->launched(other).task.index, 1u);
  harness_->heartbeat(plenty);
  EXPECT_EQ(harness_->pending(maps), 1u);
}

// Four failures of a map fail the job, but preempting it five times does not.
// Proves: 7.exit-status
TEST_F(MapReduce, DoesNotCountPreemptionAsFailure) {
  make(1, 0);
  for (const ContainerEnd end :
       {ContainerEnd::preempted, ContainerEnd::checkpointed, ContainerEnd::preempted,
        ContainerEnd::preempted, ContainerEnd::preempted}) {
    const ContainerId taken = harness_->grant(maps);
    harness_->end(taken, end);
    ASSERT_FALSE(harness_->finish());
    harness_->heartbeat(plenty);
  }
  harness_->end(harness_->grant(maps));
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(MapReduce, AsksForNoHeartbeatWhenItHasNothingToDecide) {
  make(3, 0);
  EXPECT_FALSE(harness_->heartbeat_at());
  const auto containers = grant(maps, 3);
  harness_->end(containers[0]);
  EXPECT_FALSE(harness_->heartbeat_at());
}

}  // namespace
}  // namespace tracebed
