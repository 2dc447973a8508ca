// Predicates and priorities, with scores worked by hand.
#include "schedulers/weighted/weighted_scheduler.h"

#include <gtest/gtest.h>
#include <memory>
#include <span>

#include "core/random.h"
#include "schedulers/policy_harness.h"
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {
namespace {

WeightedSettings settings_of(const std::string& priorities, const std::string& ties = "",
                             const std::string& predicates = "") {
  SchedulerParameters parameters;
  parameters.settings = {{"priorities", priorities}, {"ties", ties}, {"predicates", predicates}};
  const auto settings = read_weighted_settings(parameters);
  EXPECT_TRUE(settings) << settings.error().message;
  return *settings;
}

struct OwnedWeighted {
  WeightedScheduler scheduler;
};

class WeightedHarness : private OwnedWeighted, public PolicyHarness {
 public:
  explicit WeightedHarness(const WeightedSettings& settings, const Names* names = nullptr)
      : OwnedWeighted{WeightedScheduler(settings, 2, names)}, PolicyHarness(scheduler) {}

  void add_nodes(int count, const Resources& capacity) {
    for (int i = 0; i < count; ++i) add_node(capacity);
  }
  // An application whose input is one block there.
  ApplicationId submit_with_block_on(NodeId node) {
    const ApplicationId id = submit();
    InputBlocks input;
    input.add_block(std::span(&node, 1));
    cluster().inputs.emplace(id, input);
    decide();
    return id;
  }
  const WeightedScheduler& policy() const { return scheduler; }
  void keep_choices() { scheduler.keep_choices(); }
};

// ---- priorities, each on a node of 4 cores and 8 GiB with 2 cores and 2 GiB used ----

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

// ---- choices ----

// least_allocated gives 7.5 and 5.0 points, block_present 0 and 10: with weights 1 and 1 the second
// node wins, with 5 and 1 the first.
TEST(WeightedPriorities, AddUpByWeight) {
  for (const auto& [priorities, expected] :
       {std::pair("least_allocated=1,block_present=1", "a1:n1"),
        std::pair("least_allocated=5,block_present=1", "a1:n0")}) {
    WeightedHarness harness(settings_of(priorities));
    harness.add_nodes(2, Resources(4'000, 4'096));
    harness.submit_and_ask({.relax_locality = false, .nodes = {{NodeId(1u), 1}}});
    ASSERT_EQ(to_text(harness.decide()), "a0:n1");
    harness.ask(harness.submit_with_block_on(NodeId(1u)), {});
    EXPECT_EQ(to_text(harness.decide()), expected);
  }
}

// Reduces fetch from maps: where the blocks are is nothing to them.
TEST(WeightedPriorities, DoNotTakeReducesToTheBlocks) {
  WeightedHarness harness(settings_of("block_present=1"));
  harness.add_nodes(2, Resources(4'000, 4'096));
  const ApplicationId job = harness.submit_with_block_on(NodeId(1u));
  harness.ask(job, {.kind = StageKind::reduce});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0");
  harness.ask(job, {});
  EXPECT_EQ(to_text(harness.decide()), "a1:n1");
}

TEST(WeightedPriorities, LetFurtherPrioritiesDecideBetweenEqualSums) {
  WeightedHarness harness(settings_of("least_used=1", "fewest_containers"));
  harness.add_nodes(2, Resources(4'000, 16'384));
  harness.submit_and_ask({.demand = Resources(1'000, 1'024),
                          .pending = 2,
                          .relax_locality = false,
                          .nodes = {{NodeId(0u), 2}}});
  harness.submit_and_ask({.demand = Resources(2'000, 2'048)});
  ASSERT_EQ(to_text(harness.decide()), "a0:n0 a0:n0 a1:n1");
  harness.submit_and_ask({});
  EXPECT_EQ(to_text(harness.decide()), "a2:n1") << "used alike, but one container instead of two";
}

TEST(WeightedPriorities, SpreadTheContainersOfAnApplication) {
  WeightedHarness harness(settings_of("spread_by_job=1"));
  harness.add_nodes(3, Resources(8'000, 8'192));
  harness.submit_and_ask({.pending = 5});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0 a0:n1 a0:n2 a0:n0 a0:n1");
  harness.submit_and_ask({});
  EXPECT_EQ(to_text(harness.decide()), "a1:n0") << "another application has none anywhere";
}

TEST(WeightedPriorities, KeepContainersApartIfToldTo) {
  WeightedHarness harness(settings_of("most_used=1", "", "apart"));
  harness.add_nodes(2, Resources(8'000, 8'192));
  const AskId ask = harness.submit_and_ask({.pending = 3});
  const auto placed = harness.decide();
  EXPECT_EQ(to_text(placed), "a0:n0 a0:n1");
  const auto why = harness.policy().why_waiting(harness.cluster(), ApplicationId(0u), ask);
  ASSERT_EQ(why.size(), 1u);
  EXPECT_EQ(why[0].text, "of 2 nodes, 2 fail apart");
  harness.end(placed[0].container);
  EXPECT_EQ(to_text(harness.decide()), "a0:n0");
}

// The first user's second application may be beside its first one's containers only where that is
// itself; the other user's may be anywhere.
TEST(WeightedPriorities, KeepApplicationsOfAUserApartIfToldTo) {
  WeightedHarness harness(settings_of("most_used=1", "", "apart_from_user"));
  harness.add_nodes(2, Resources(8'000, 8'192));
  harness.submit_and_ask({.pending = 2}, {.user = UserId(0u)});
  ASSERT_EQ(to_text(harness.decide()), "a0:n0 a0:n0");
  const AskId second = harness.submit_and_ask({.pending = 1}, {.user = UserId(0u)});
  harness.submit_and_ask({.pending = 1}, {.user = UserId(1u)});
  const auto placed = harness.decide();
  EXPECT_EQ(to_text(placed), "a1:n1 a2:n0");
  const AskId third = harness.submit_and_ask({.pending = 1}, {.user = UserId(0u)});
  EXPECT_EQ(to_text(harness.decide()), "");
  const auto why = harness.policy().why_waiting(harness.cluster(), ApplicationId(3u), third);
  ASSERT_EQ(why.size(), 1u);
  EXPECT_EQ(why[0].text, "of 2 nodes, 2 fail apart_from_user");
  // The container counts until it has ended, also after its application.
  harness.close(second);
  harness.finish(ApplicationId(1u));
  EXPECT_EQ(to_text(harness.decide()), "");
  harness.end(placed[0].container);
  EXPECT_EQ(to_text(harness.decide()), "a3:n1");
}

// Of a closed application, too, whose containers are all that the model has of it.
TEST(WeightedPriorities, CountContainersOfUsersAnewAfterARefusal) {
  WeightedHarness harness(settings_of("most_used=1", "", "apart_from_user"));
  harness.add_nodes(2, Resources(8'000, 8'192));
  const AskId first = harness.submit_and_ask({.pending = 1}, {.user = UserId(0u)});
  const auto placed = harness.decide();
  ASSERT_EQ(to_text(placed), "a0:n0");
  harness.close(first);
  harness.finish(ApplicationId(0u));
  harness.refuse_next(1);
  harness.submit_and_ask({.pending = 1}, {.user = UserId(0u)});
  EXPECT_EQ(to_text(harness.decide()), "a1:n1");
  harness.submit_and_ask({.pending = 1}, {.user = UserId(0u)});
  EXPECT_EQ(to_text(harness.decide()), "") << "both nodes have one of the user's";
  harness.end(placed[0].container);
  EXPECT_EQ(to_text(harness.decide()), "a2:n0");
}

// The first container goes where the priorities say; with it there is a place to be.
TEST(WeightedPriorities, KeepContainersOfAUserTogetherIfToldTo) {
  WeightedHarness harness(settings_of("least_used=1", "", "beside_user"));
  harness.add_nodes(2, Resources(3'000, 8'192));
  harness.submit_and_ask({.pending = 2}, {.user = UserId(0u)});
  harness.submit_and_ask({.pending = 1}, {.user = UserId(1u)});
  harness.submit_and_ask({.pending = 1}, {.user = UserId(0u)});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0 a0:n0 a1:n1 a2:n0");
  const AskId ask = harness.submit_and_ask({.pending = 1}, {.user = UserId(0u)});
  EXPECT_EQ(to_text(harness.decide()), "");
  const auto why = harness.policy().why_waiting(harness.cluster(), ApplicationId(3u), ask);
  ASSERT_EQ(why.size(), 1u);
  EXPECT_EQ(why[0].text, "of 2 nodes, 1 fail fits, 1 fail beside_user");
}

TEST(WeightedPriorities, LeaveNodesWithALabelToThoseThatAreConfinedToIt) {
  Names names;
  const LabelId gpu = names.labels.intern("gpu");
  WeightedHarness harness(settings_of("least_used=1", "", "label,dedicated"), &names);
  harness.add_node(Resources(1'000, 8'192));
  harness.add_node(Resources(8'000, 8'192), RackId(0u), {"gpu"});
  const AskId ask = harness.submit_and_ask({.pending = 2});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0");
  const auto why = harness.policy().why_waiting(harness.cluster(), ApplicationId(0u), ask);
  ASSERT_EQ(why.size(), 1u);
  EXPECT_EQ(why[0].text, "of 2 nodes, 1 fail fits, 1 fail dedicated");
  harness.submit_and_ask({.pending = 1, .label = gpu});
  EXPECT_EQ(to_text(harness.decide()), "a1:n1");
}

TEST(WeightedPriorities, KeepToLabels) {
  Names names;
  const LabelId gpu = names.labels.intern("gpu");
  WeightedHarness harness(settings_of("least_used=1", "", "label"), &names);
  harness.add_node(Resources(8'000, 8'192));
  harness.add_node(Resources(2'000, 2'048), RackId(0u), {"gpu"});
  const AskId ask = harness.submit_and_ask({.pending = 3, .label = gpu});
  EXPECT_EQ(to_text(harness.decide()), "a0:n1 a0:n1");
  const auto why = harness.policy().why_waiting(harness.cluster(), ApplicationId(0u), ask);
  ASSERT_EQ(why.size(), 1u);
  EXPECT_EQ(why[0].text, "of 2 nodes, 1 fail fits, 1 fail label");
}

TEST(WeightedPriorities, ShowTheScoresOfEveryCandidate) {
  WeightedHarness harness(settings_of("least_allocated=2,spread_by_job=1", "fewest_containers"));
  harness.keep_choices();
  harness.add_node(Resources(4'000, 4'096));
  harness.add_node(Resources(500, 512));
  harness.submit_and_ask({});
  harness.decide();
  const SchedulerView view = harness.policy().view(harness.cluster());
  ASSERT_EQ(view.choices.size(), 1u);
  const PlacementChoice& choice = view.choices[0];
  EXPECT_EQ(choice.chosen, NodeId(0u));
  ASSERT_EQ(choice.nodes.size(), 2u);
  const auto points = [&](std::string_view id) {
    return std::get<double>(find_figure(choice.nodes[0].scores, id)->value);
  };
  EXPECT_DOUBLE_EQ(points("least_allocated"), 7.5);
  EXPECT_DOUBLE_EQ(points("spread_by_job"), 10);
  EXPECT_DOUBLE_EQ(points("sum"), 25);
  EXPECT_DOUBLE_EQ(points("fewest_containers"), 10);
  EXPECT_EQ(choice.nodes[1].excluded_by, "fits");
  EXPECT_TRUE(choice.nodes[1].scores.empty());
}

// With 1,000 nodes that all do, the adaptive percentage is 50 - 1000/125 = 42 %: the first search
// looks at nodes 0 to 419, the next one at 420 to 839, the third at 840 to 999 and 0 to 259.
TEST(WeightedPriorities, LookAtSomeOfTheNodesAfterTheLastOnes) {
  WeightedSettings settings = settings_of("least_used=1");
  settings.percentage_of_nodes = 0;
  WeightedHarness harness(settings);
  harness.add_nodes(1'000, Resources(4'000, 4'096));
  harness.submit_and_ask({.pending = 3});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0 a0:n420 a0:n1");
}

TEST(WeightedPriorities, DrawBetweenEqualNodesBySeed) {
  const auto choices = [](std::uint64_t seed) {
    WeightedSettings settings = settings_of("least_used=1", "random");
    settings.seed = seed;
    WeightedHarness harness(settings);
    harness.add_nodes(20, Resources(4'000, 4'096));
    harness.submit_and_ask({.pending = 20});
    return to_text(harness.decide());
  };
  EXPECT_EQ(choices(1), choices(1));
  EXPECT_NE(choices(1), choices(2));
}

// ---- settings ----

TEST(WeightedSettings, RefuseWhatDoesNotExistOrOverflows) {
  struct Defect {
    const char* setting;
    const char* value;
    const char* part;  // of the message
  };
  for (const Defect& defect :
       {Defect{"priorities", "least_alocated=1",
               "of balanced_allocation, beside_user, block_present"},
        Defect{"priorities", "least_used=0", "from 1 to 1000000"},
        Defect{"priorities", "least_used=1000001", "from 1 to 1000000"},
        Defect{"priorities", "least_used=99999999999999999999", "from 1 to 1000000"},
        Defect{"priorities", "least_used=1.5", "from 1 to 1000000"},
        Defect{"priorities", "least_used=", "got \"least_used=\""},
        Defect{"priorities", "least_used=1,least_used=2", "each name once"},
        Defect{"priorities", "least_used=1,", "got \"\""},
        Defect{"ties", "random,least_used", "got \"random\""},
        Defect{"ties", "least_used,most_used,fewest_containers,most_containers", "at most 3"},
        Defect{"predicates", "fits", "of apart, apart_from_user, beside_user, dedicated, label"},
        Defect{"predicates", "apart,apart", "each once"},
        Defect{"percentage_of_nodes", "101", "101"}, Defect{"share", "mean", "mean"}}) {
    SchedulerParameters parameters;
    parameters.settings = {{defect.setting, defect.value}};
    const auto settings = read_weighted_settings(parameters);
    ASSERT_FALSE(settings) << defect.value;
    EXPECT_NE(settings.error().message.find(defect.setting), std::string::npos)
        << settings.error().message;
    EXPECT_NE(settings.error().message.find(defect.part), std::string::npos)
        << settings.error().message;
  }
}

// The largest weights of all priorities that there are, of a node with all points.
TEST(WeightedSettings, KeepSumsWithinTheirType) {
  const Score largest = score_max * score_weight_max * static_cast<Score>(all_priorities().size());
  EXPECT_LT(largest, Score{1} << 120);
}

}  // namespace
}  // namespace tracebed
