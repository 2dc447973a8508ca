// What tasks keep for later stages, and what these fetch, as the engine states it.
#include "coordinator/engine/map_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "coordinator/engine/doubles.h"
#include "core/shuffle.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr JobId some_job(4u);
constexpr NodeId some_node(2u);

Stage stage_of(StageKind kind, std::vector<std::pair<std::uint32_t, std::int64_t>> fetched) {
  Stage stage;
  stage.kind = kind;
  for (const auto& [count, bytes] : fetched) {
    Work work;
    work.shuffle_bytes = bytes;
    stage.runs.push_back({count, work});
  }
  return stage;
}

// Three maps, and reduces that fetch 10, 10 and 3 bytes: byte i comes from map i mod 3.
Job map_reduce_job() {
  Job job;
  job.id = some_job;
  job.stages = {stage_of(StageKind::map, {{3, 0}}), stage_of(StageKind::reduce, {{2, 10}, {1, 3}})};
  return job;
}

class MapOutputsTest : public testing::Test {
 protected:
  MapOutputsTest() { context_.begin(TraceTime(), commands_); }
  TaskWork work(TaskRef task) {
    TaskWork work;
    outputs_.add_to(work, some_job, task);
    return work;
  }
  std::vector<MapOutputReady> ready() const {
    std::vector<MapOutputReady> all;
    for (const Command& command : commands_) {
      if (const auto* one = std::get_if<MapOutputReady>(&command)) all.push_back(*one);
    }
    return all;
  }

  doubles::Records records_;
  std::vector<Command> commands_;
  StepContext context_{records_};
  MapOutputs outputs_{ShuffleOptions{7}, context_};
};

TEST(Shuffle, DealsBytesToSourcesOneByOne) {
  EXPECT_EQ(shuffled_from(0, 3, 23), 8);
  EXPECT_EQ(shuffled_from(1, 3, 23), 8);
  EXPECT_EQ(shuffled_from(2, 3, 23), 7);
  EXPECT_EQ(shuffled_from(0, 1, 23), 23);
  EXPECT_EQ(shuffled_from(2, 3, 2), 0);
}

TEST_F(MapOutputsTest, AreAsLargeAsWhatIsFetchedOfThem) {
  outputs_.job_opened(map_reduce_job());
  EXPECT_EQ(work({0, 0}).map_output_length, 8);
  EXPECT_EQ(work({0, 1}).map_output_length, 8);
  EXPECT_EQ(work({0, 2}).map_output_length, 7);
  EXPECT_FALSE(fetches(work({0, 0})));
  EXPECT_EQ(work({0, 0}).shuffle_job, 4);
}

TEST_F(MapOutputsTest, AreFetchedByEachReduceInItsTurn) {
  outputs_.job_opened(map_reduce_job());
  for (const auto& [task, offset, length] : {std::tuple(0u, 0, 10), {1u, 10, 10}, {2u, 20, 3}}) {
    const TaskWork stated = work({1, task});
    EXPECT_EQ(stated.shuffle_stage, 1);
    EXPECT_EQ(stated.shuffle_sources, 3);
    EXPECT_EQ(stated.shuffle_copies, 7);
    EXPECT_EQ(stated.shuffle_offset, offset);
    EXPECT_EQ(stated.shuffle_length, length);
    EXPECT_EQ(stated.map_output_length, 0);
    EXPECT_TRUE(fetches(stated));
  }
}

TEST_F(MapOutputsTest, OfAStageOfADagGoToAllStagesThatNeedIt) {
  Job job;
  job.id = some_job;
  job.kind = JobKind::dag;
  job.stages = {stage_of(StageKind::map, {{2, 0}}), stage_of(StageKind::map, {{1, 0}}),
                stage_of(StageKind::map, {{1, 7}}), stage_of(StageKind::map, {{2, 4}})};
  job.stages[2].needs = {0};
  job.stages[3].needs = {0, 1};
  outputs_.job_opened(job);
  EXPECT_EQ(work({2, 0}).shuffle_sources, 2);
  EXPECT_EQ(work({3, 1}).shuffle_sources, 3);
  EXPECT_EQ(work({3, 1}).shuffle_offset, 4);
  EXPECT_EQ(work({0, 0}).map_output_length, 4 + 3);
  EXPECT_EQ(work({0, 1}).map_output_length, 3 + 3);
  EXPECT_EQ(work({1, 0}).map_output_length, 2);
  outputs_.ended(some_job, {0, 1}, ContainerId(9u), some_node, ContainerEnd::succeeded);
  outputs_.ended(some_job, {1, 0}, ContainerId(10u), some_node, ContainerEnd::succeeded);
  EXPECT_THAT(ready(), ElementsAre(MapOutputReady{some_job, 2, 1, ContainerId(9u), some_node, 0},
                                   MapOutputReady{some_job, 3, 1, ContainerId(9u), some_node, 3},
                                   MapOutputReady{some_job, 3, 2, ContainerId(10u), some_node, 0}));
}

TEST_F(MapOutputsTest, CanBeFetchedOnceTheirTaskHasSucceeded) {
  outputs_.job_opened(map_reduce_job());
  for (const ContainerEnd end :
       {ContainerEnd::failed, ContainerEnd::killed, ContainerEnd::checkpointed}) {
    outputs_.ended(some_job, {0, 1}, ContainerId(5u), some_node, end);
  }
  outputs_.ended(some_job, {1, 1}, ContainerId(6u), some_node, ContainerEnd::succeeded);
  EXPECT_THAT(commands_, IsEmpty());
  outputs_.ended(some_job, {0, 1}, ContainerId(7u), some_node, ContainerEnd::succeeded);
  EXPECT_THAT(ready(), ElementsAre(MapOutputReady{some_job, 1, 1, ContainerId(7u), some_node, 0}));
}

TEST_F(MapOutputsTest, AreRemovedWithTheirJob) {
  outputs_.job_opened(map_reduce_job());
  outputs_.job_ended(some_job);
  EXPECT_THAT(commands_, ElementsAre(Command(RemoveMapOutputs{some_job})));
  outputs_.ended(some_job, {0, 1}, ContainerId(7u), some_node, ContainerEnd::succeeded);
  outputs_.job_ended(some_job);
  EXPECT_EQ(commands_.size(), 1u);
}

// Maps emit 8, 8 and 7 bytes, of which four fifths of nine are eight; reduces fetch 10, 10 and 3.
TEST_F(MapOutputsTest, AndWhatIsFetchedAreSpilledByTheRulesOfHadoop) {
  MapOutputs spilling(ShuffleOptions{7, 9}, context_);
  const auto spilled = [&](TaskRef task) {
    TaskWork stated;
    spilling.add_to(stated, some_job, task);
    return stated.spilled_length;
  };
  spilling.job_opened(map_reduce_job());
  EXPECT_EQ(spilled({0, 0}), 0);
  EXPECT_EQ(spilled({1, 0}), 10);
  EXPECT_EQ(spilled({1, 2}), 3);
  outputs_.job_opened(map_reduce_job());
  EXPECT_EQ(work({1, 0}).spilled_length, 0) << "only if the run has it";
  MapOutputs small(ShuffleOptions{7, 8}, context_);
  small.job_opened(map_reduce_job());
  TaskWork stated;
  small.add_to(stated, some_job, {0, 1});
  EXPECT_EQ(stated.spilled_length, 8);
  TaskWork of_last;
  small.add_to(of_last, some_job, {0, 2});
  EXPECT_EQ(of_last.spilled_length, 0);
}

// For want of heap.
TEST_F(MapOutputsTest, AreSpilledBesidesWhatAMasterSays) {
  MapOutputs spilling(ShuffleOptions{7, 9}, context_);
  spilling.job_opened(map_reduce_job());
  TaskWork stated;
  stated.spilled_length = 100;
  spilling.add_to(stated, some_job, {1, 0});
  EXPECT_EQ(stated.spilled_length, 110);
  constexpr JobId other_job(9u);
  TaskWork of_maps_alone;
  of_maps_alone.spilled_length = 100;
  outputs_.add_to(of_maps_alone, other_job, {0, 0});
  EXPECT_EQ(of_maps_alone.spilled_length, 100);
  EXPECT_EQ(of_maps_alone.shuffle_job, other_job.value());
  outputs_.job_ended(other_job);
  EXPECT_THAT(commands_, ElementsAre(Command(RemoveMapOutputs{other_job})));
  MapOutputs without(std::nullopt, context_);
  without.add_to(of_maps_alone, other_job, {0, 0});
  EXPECT_EQ(of_maps_alone.spilled_length, 0) << "nothing would take it";
}

TEST_F(MapOutputsTest, AreNotSpilledByTasksOfADag) {
  MapOutputs spilling(ShuffleOptions{7, 1}, context_);
  Job job = map_reduce_job();
  job.kind = JobKind::dag;
  job.stages[1].needs = {0};
  spilling.job_opened(job);
  TaskWork stated;
  spilling.add_to(stated, some_job, {1, 0});
  EXPECT_EQ(stated.shuffle_length, 10);
  EXPECT_EQ(stated.spilled_length, 0);
}

// What executors keep is at the same servers, also of a job whose tasks fetch nothing.
TEST_F(MapOutputsTest, AreRemovedWithAJobWhoseExecutorsKeepItsInput) {
  TaskWork keeping;
  keeping.input_executor = 1;
  outputs_.add_to(keeping, some_job, {0, 0});
  EXPECT_EQ(keeping.shuffle_job, 4);
  EXPECT_TRUE(shuffles(keeping));
  outputs_.job_ended(some_job);
  EXPECT_THAT(commands_, ElementsAre(Command(RemoveMapOutputs{some_job})));
}

// A master in a container is not trusted.
TEST_F(MapOutputsTest, AreNoneThatAMasterStatesItself) {
  TaskWork forged;
  forged.shuffle_job = forged.map_output_length = forged.shuffle_stage = 3;
  forged.shuffle_sources = forged.shuffle_offset = forged.shuffle_length = 5;
  forged.shuffle_copies = 5;
  outputs_.add_to(forged, some_job, {0, 0});
  EXPECT_EQ(forged, TaskWork());
}

TEST_F(MapOutputsTest, AreNoneWithoutAShuffleOrWithoutAnythingToFetchOrToFetchFrom) {
  MapOutputs none(std::nullopt, context_);
  none.job_opened(map_reduce_job());
  TaskWork work_of_map;
  none.add_to(work_of_map, some_job, {0, 0});
  EXPECT_EQ(work_of_map, TaskWork());
  Job job = map_reduce_job();
  job.stages[1] = stage_of(StageKind::reduce, {{4, 0}});
  outputs_.job_opened(job);
  EXPECT_EQ(work({1, 0}), TaskWork());
  job = map_reduce_job();
  job.stages.erase(job.stages.begin());
  outputs_.job_opened(job);
  EXPECT_EQ(work({0, 0}), TaskWork());
  job = map_reduce_job();
  job.kind = JobKind::service;
  outputs_.job_opened(job);
  EXPECT_EQ(work({1, 0}), TaskWork());
  outputs_.job_ended(some_job);
  EXPECT_THAT(commands_, IsEmpty());
}

// Whatever the sizes: what reduces fetch from a map is all of its output, each byte once.
TEST_F(MapOutputsTest, AreFetchedWhole) {
  for (std::uint32_t maps = 1; maps <= 7; ++maps) {
    Job job = map_reduce_job();
    job.stages[0] = stage_of(StageKind::map, {{maps, 0}});
    job.stages[1] = stage_of(StageKind::reduce, {{2, maps * 3 + 1}, {3, 0}, {1, 2}});
    outputs_.job_opened(job);
    for (std::uint32_t map = 0; map < maps; ++map) {
      std::int64_t begin = 0;
      for (std::uint32_t reduce = 0; reduce < 6; ++reduce) {
        const TaskWork stated = work({1, reduce});
        EXPECT_EQ(shuffled_from(map, maps, stated.shuffle_offset), begin);
        begin = shuffled_from(map, maps, stated.shuffle_offset + stated.shuffle_length);
      }
      EXPECT_EQ(begin, work({0, map}).map_output_length);
    }
    outputs_.job_ended(some_job);
  }
}

}  // namespace
}  // namespace tracebed
