#include "coordinator/engine/fragmentation.h"

#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"
#include "core/random.h"

namespace tracebed {
namespace {

using doubles::gpu_dimension;

LimitedDimensions with_gpus() {
  DeviceSizes sizes;
  sizes.set(gpu_dimension, 1'000);
  return LimitedDimensions::all().with_devices(sizes);
}

Resources demand_of(std::int64_t milli_vcores, std::int64_t gpu_milli) {
  Resources demand(milli_vcores, 100);
  demand[gpu_dimension] = gpu_milli;
  return demand;
}

class FragmentationTest : public testing::Test {
 protected:
  FragmentationTest() { application_ = ledger_.open_application(Job{}, trace_time(0)); }

  void add_node(std::uint32_t id, std::int64_t vcores, std::int64_t gpus) {
    Machine machine = doubles::plain_machine(vcores);
    machine.capacity[gpu_dimension] = gpus * 1'000;
    ledger_.add_node(NodeId(id), machine);
  }
  void submit(std::uint32_t tasks, const Resources& demand) {
    Job job;
    Stage& stage = job.stages.emplace_back();
    stage.demand = demand;
    stage.runs.push_back({tasks, {}});
    left_out_ += fragmentation_.job_submitted(job);
  }
  ContainerId take(std::uint32_t node, const Resources& demand) {
    SetAsk figures;
    figures.pending = 1;
    const GangPiece piece{NodeId(node), 1};
    return ledger_.allocate(ledger_.open_ask(application_, figures, demand), std::span(&piece, 1),
                            trace_time(0));
  }

  Ledger ledger_{with_gpus()};
  ApplicationId application_;
  Fragmentation fragmentation_{ledger_};
  std::uint64_t left_out_ = 0;  // tasks
};

// Two GPUs with 400 left on each: to a task of 600 all of it is a fragment, to one of 300 nothing.
TEST_F(FragmentationTest, IsTheMeanOverTheTasksOfWhatTheyCannotUse) {
  add_node(0, 32, 2);
  submit(1, demand_of(1'000, 600));
  EXPECT_EQ(fragmentation_.sample().free, 2'000);
  EXPECT_EQ(fragmentation_.sample().fragments, 0);
  take(0, demand_of(1'000, 600));
  const ContainerId second = take(0, demand_of(1'000, 600));
  EXPECT_EQ(fragmentation_.sample().free, 800);
  EXPECT_EQ(fragmentation_.sample().fragments, 800);
  submit(3, demand_of(1'000, 300));
  EXPECT_EQ(fragmentation_.sample().fragments, 200) << "a quarter of the tasks cannot use 800";
  ledger_.release(second, 1);
  EXPECT_EQ(fragmentation_.sample().free, 1'400);
  EXPECT_EQ(fragmentation_.sample().fragments, 100)
      << "a task of 600 has room on the second, not on the 400 of the first";
}

// Quadrants I and IV of the paper: devices that nobody can reach for want of vcores.
TEST_F(FragmentationTest, CountsAllDevicesOfANodeWithoutOtherRoom) {
  add_node(0, 4, 4);
  submit(1, demand_of(4'000, 1'000));
  take(0, demand_of(1'000, 1'000));
  EXPECT_EQ(fragmentation_.sample().free, 3'000);
  EXPECT_EQ(fragmentation_.sample().fragments, 3'000);
}

TEST_F(FragmentationTest, CountsPartsOfDevicesForADemandOfWholeOnes) {
  add_node(0, 32, 4);
  submit(1, demand_of(1'000, 2'000));
  take(0, demand_of(1'000, 250));
  EXPECT_EQ(fragmentation_.sample().fragments, 750);
  take(0, demand_of(1'000, 2'000));
  EXPECT_EQ(fragmentation_.sample().free, 1'750);
  EXPECT_EQ(fragmentation_.sample().fragments, 1'750) << "a single one is free";
}

TEST_F(FragmentationTest, LeavesOutNodesThatTakeNoContainersAndTasksWithoutDevices) {
  add_node(0, 32, 2);
  add_node(1, 32, 2);
  submit(100, demand_of(1'000, 0));
  EXPECT_EQ(fragmentation_.sample().fragments, 0);
  submit(1, demand_of(64'000, 1'000));
  EXPECT_EQ(fragmentation_.sample().fragments, 4'000);
  ledger_.withhold_node(NodeId(1u));
  EXPECT_EQ(fragmentation_.sample().free, 2'000);
  EXPECT_EQ(fragmentation_.sample().fragments, 2'000);
  ledger_.restore_node(NodeId(1u));
  EXPECT_EQ(fragmentation_.sample().fragments, 4'000);
}

// What changes node by node is what a count of everything gives.
TEST_F(FragmentationTest, SaysHowManyTasksItLeavesOut) {
  for (std::size_t i = 0; i < Fragmentation::demands_max; ++i) {
    submit(2, demand_of(static_cast<std::int64_t>(i), 100));
  }
  submit(5, demand_of(1, 100));
  submit(5, demand_of(-1, 0));
  EXPECT_EQ(left_out_, 0u);
  submit(3, demand_of(1, 200));
  submit(4, demand_of(2, 200));
  EXPECT_EQ(left_out_, 7u);
}

TEST_F(FragmentationTest, IsTheSameAsCountedAnew) {
  Random random = Random::stream(1, "fragmentation");
  for (std::uint32_t node = 0; node < 5; ++node) add_node(node, 8, random.between(0, 4));
  std::vector<ContainerId> held;
  std::vector<std::pair<std::uint32_t, Resources>> submitted;
  for (int step = 0; step < 300; ++step) {
    if (random.chance(0.1)) {
      const auto tasks = static_cast<std::uint32_t>(random.between(1, 9));
      const Resources demand =
          demand_of(1'000 * random.between(1, 4),
                    random.chance(0.6) ? 50 * random.between(1, 20) : 1'000 * random.between(1, 3));
      submit(tasks, demand);
      submitted.emplace_back(tasks, demand);
    }
    const auto node = static_cast<std::uint32_t>(random.below(5));
    const Resources demand = demand_of(1'000, 100 * random.between(1, 10));
    if (!held.empty() && random.chance(0.4)) {
      const std::size_t which = random.below(held.size());
      ledger_.release(held[which], 1);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    } else if (ledger_.model().has_room(ledger_.model().node(NodeId(node)), demand)) {
      held.push_back(take(node, demand));
    }
    const DeviceSample sample = fragmentation_.sample();
    for (std::uint32_t id = 0; id < 5; ++id) {
      ledger_.withhold_node(NodeId(id));  // so that a new count sees them all
      ledger_.restore_node(NodeId(id));
    }
    Fragmentation anew(ledger_);
    for (const auto& [tasks, wanted] : submitted) {
      Job job;
      Stage& stage = job.stages.emplace_back();
      stage.demand = wanted;
      stage.runs.push_back({tasks, {}});
      anew.job_submitted(job);
    }
    const DeviceSample expected = anew.sample();
    ASSERT_EQ(sample.free, expected.free) << step;
    ASSERT_EQ(sample.fragments, expected.fragments) << step;
  }
}

}  // namespace
}  // namespace tracebed
