// The points of priorities, worked by hand, each on a node of 4 cores and 8 GiB with 2 cores and
// 2 GiB used.
#include <gtest/gtest.h>

#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {
namespace {

class PriorityPoints : public ::testing::Test {
 protected:
  PriorityPoints() {
    node_.id = NodeId(0u);
    node_.rack = RackId(0u);
    node_.capacity = Resources(4'000, 8'192);
    ask_.demand = Resources(1'000, 1'024);
  }
  double points(const Priority& priority) {
    UnitRequest request{AskId(0u), ask_, 2, UsedShare::sum, allowed_, nullptr, input_};
    request.most_of_application = most_of_application_;
    request.most_of_user = most_of_user_;
    return in_points(priority.score(request, {.node = node_,
                                              .report = node_.report,
                                              .free = free_,
                                              .has_room = true,
                                              .containers = 3,
                                              .of_application = of_application_,
                                              .of_user = of_user_,
                                              .placed_as_preferred = placed_as_preferred_}));
  }

  Node node_;
  Ask ask_;
  Resources free_ = Resources(2'000, 6'144);
  AllowedPlaces allowed_;
  const InputPresence* input_ = nullptr;
  std::uint32_t most_of_application_ = 0;
  std::uint32_t of_application_ = 0;
  std::uint32_t most_of_user_ = 0;
  std::uint32_t of_user_ = 0;
  std::uint32_t placed_as_preferred_ = 0;
};

TEST_F(PriorityPoints, OfUseAreMeansOverTheDimensions) {
  // Used before: 2/4 and 2/8; with the unit: 3/4 and 3/8.
  EXPECT_DOUBLE_EQ(points(least_used_priority), 10 * (0.5 + 0.75) / 2);
  EXPECT_DOUBLE_EQ(points(most_used_priority), 10 * (0.5 + 0.25) / 2);
  EXPECT_DOUBLE_EQ(points(least_allocated_priority), 10 * (0.25 + 0.625) / 2);
  EXPECT_DOUBLE_EQ(points(most_allocated_priority), 10 * (0.75 + 0.375) / 2);
}

TEST_F(PriorityPoints, OfBalanceCountTheDifferenceBetweenVcoresAndMemory) {
  EXPECT_DOUBLE_EQ(points(balanced_allocation_priority), 10 - 10 * (0.75 - 0.375));
  ask_.demand = Resources(0, 4'096);
  EXPECT_DOUBLE_EQ(points(balanced_allocation_priority), 10 - 10 * (0.75 - 0.5));
}

TEST_F(PriorityPoints, OfContainersFallWithTheirNumber) {
  EXPECT_DOUBLE_EQ(points(fewest_containers_priority), 10.0 / 4);
  EXPECT_DOUBLE_EQ(points(most_containers_priority), 10 - 10.0 / 4);
}

TEST_F(PriorityPoints, OfSpreadingCompareWithTheNodeThatHasTheMost) {
  EXPECT_DOUBLE_EQ(points(spread_by_job_priority), 10) << "none is anywhere";
  most_of_application_ = 4;
  of_application_ = 1;
  EXPECT_DOUBLE_EQ(points(spread_by_job_priority), 10 * 3.0 / 4);
  of_application_ = 4;
  EXPECT_DOUBLE_EQ(points(spread_by_job_priority), 0);
}

TEST_F(PriorityPoints, OfAUsersContainersCompareWithTheNodeThatHasTheMost) {
  EXPECT_DOUBLE_EQ(points(beside_user_priority), 0) << "none is anywhere";
  most_of_user_ = 4;
  of_user_ = 1;
  EXPECT_DOUBLE_EQ(points(beside_user_priority), 10 * 1.0 / 4);
  of_user_ = 4;
  EXPECT_DOUBLE_EQ(points(beside_user_priority), 10);
}

// Measured: 1 of 4 cores and 4 of 8 GiB. If what is allocated was so already when the node
// reported, half of the memory is left; if it came since, so is a quarter of each.
TEST_F(PriorityPoints, OfLoadAreWhatIsMeasuredAndWhatWasAllocatedSince) {
  node_.report.used = Resources(1'000, 4'096);
  node_.report.allocated = Resources(2'000, 2'048);
  EXPECT_DOUBLE_EQ(points(least_loaded_priority), 5);
  EXPECT_DOUBLE_EQ(points(most_loaded_priority), 5);
  node_.report.allocated = {};
  EXPECT_DOUBLE_EQ(points(least_loaded_priority), 2.5);
  EXPECT_DOUBLE_EQ(points(most_loaded_priority), 7.5);
  node_.report.used = Resources(9'000, 0);
  EXPECT_DOUBLE_EQ(points(least_loaded_priority), 0) << "more than there is";
  node_.report = {.used = {}, .io_pressure = -1, .allocated = Resources(4'000, 8'192), .at = {}};
  EXPECT_DOUBLE_EQ(points(least_loaded_priority), 10) << "less is allocated than when it reported";
  node_.capacity = Resources(0, 8'192);
  node_.report.used = Resources(500, 2'048);
  EXPECT_DOUBLE_EQ(points(least_loaded_priority), 7.5) << "of no vcores nothing can be left";
}

TEST_F(PriorityPoints, OfBlocksAreThePartOfTheInput) {
  EXPECT_DOUBLE_EQ(points(block_present_priority), 0) << "no input";
  const InputPresence input{.blocks = 20, .on_nodes = {5}, .in_racks = {true}};
  input_ = &input;
  EXPECT_DOUBLE_EQ(points(block_present_priority), 10 * 5.0 / 20);
}

// Formula (7): node local 10 - 2, rack local 10 - 4, no preference 10 - 6, any 10 - 8.
TEST_F(PriorityPoints, OfLocalityAreThoseOfFormula7) {
  EXPECT_DOUBLE_EQ(points(locality_level_priority), 4) << "nothing is known of the input";
  InputPresence input{.blocks = 20, .on_nodes = {5}, .in_racks = {true}};
  input_ = &input;
  EXPECT_DOUBLE_EQ(points(locality_level_priority), 8);
  input.on_nodes = {0};
  EXPECT_DOUBLE_EQ(points(locality_level_priority), 6);
  input.in_racks = {false, true};
  EXPECT_DOUBLE_EQ(points(locality_level_priority), 2);
  // What the ask prefers goes before.
  ask_.nodes = {{NodeId(0u), 1}};
  EXPECT_DOUBLE_EQ(points(locality_level_priority), 8);
  placed_as_preferred_ = 1;
  EXPECT_DOUBLE_EQ(points(locality_level_priority), 2) << "the one unit that prefers it is there";
  ask_.racks = {{RackId(0u), 1}};
  EXPECT_DOUBLE_EQ(points(locality_level_priority), 6);
}

}  // namespace
}  // namespace tracebed
