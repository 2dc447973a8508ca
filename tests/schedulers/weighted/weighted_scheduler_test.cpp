// Which nodes weighted priorities choose, and their predicates.
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
  void keep_choices(std::size_t most = all_choices) { scheduler.keep_choices(most); }
};

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

// The second unit finds n0 as loaded as n1 is, the third finds it more loaded. When the containers
// turn out to use next to nothing, it is the least loaded again.
TEST(WeightedPriorities, PreferNodesByMeasuredLoad) {
  WeightedHarness harness(settings_of("least_loaded=1"));
  harness.add_nodes(2, Resources(4'000, 16'384));
  harness.heartbeat(NodeId(0u), Resources(0, 0));
  harness.heartbeat(NodeId(1u), Resources(1'000, 1'024));
  harness.submit_and_ask({.pending = 3});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0 a0:n0 a0:n1");
  harness.heartbeat(NodeId(0u), Resources(100, 1'024));
  harness.heartbeat(NodeId(1u), Resources(1'000, 1'024));
  harness.submit_and_ask({});
  EXPECT_EQ(to_text(harness.decide()), "a1:n0");
  EXPECT_TRUE(harness.policy().heartbeat_interest().any) << "reports matter, whatever waits";
}

// Memory from 95 %, waits for I/O from 50 % on; what is not measured is no pressure.
TEST(WeightedPriorities, AvoidNodesUnderPressureIfToldTo) {
  WeightedHarness harness(settings_of("least_used=1", "", "not_under_pressure"));
  harness.add_nodes(2, Resources(8'000, 10'000));
  harness.heartbeat(NodeId(0u), Resources(0, 9'500), -1);
  harness.heartbeat(NodeId(1u), Resources(0, 9'499), 500);
  const AskId ask = harness.submit_and_ask({.pending = 1});
  EXPECT_EQ(to_text(harness.decide()), "");
  const auto why = harness.policy().why_waiting(harness.cluster(), ApplicationId(0u), ask);
  ASSERT_EQ(why.size(), 1u);
  EXPECT_EQ(why[0].text, "of 2 nodes, 2 fail not_under_pressure");
  EXPECT_EQ(to_text(harness.decide_at(NodeId(0u))), "a0:n0") << "nothing is used, by its report";
  harness.heartbeat(NodeId(0u), Resources(0, 9'500));
  harness.heartbeat(NodeId(1u), Resources(0, 9'499), 499);
  harness.submit_and_ask({.pending = 1});
  EXPECT_EQ(to_text(harness.decide()), "a1:n1");
}

// Of two nodes that reported at 0 s one reports again at 20 s: at 31 s the other is stale.
TEST(WeightedPriorities, AvoidStaleNodesIfToldTo) {
  WeightedHarness harness(settings_of("least_used=1", "", "not_stale"));
  harness.add_nodes(2, Resources(8'000, 8'192));
  harness.advance(seconds(20));
  harness.heartbeat(NodeId(1u));
  harness.decide();
  harness.advance(seconds(10));
  harness.submit_and_ask({});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0") << "30 s are not too long";
  harness.advance(seconds(1));
  harness.submit_and_ask({});
  EXPECT_EQ(to_text(harness.decide()), "a1:n1");
  harness.advance(seconds(20));
  const AskId ask = harness.submit_and_ask({});
  EXPECT_EQ(to_text(harness.decide()), "");
  const auto why = harness.policy().why_waiting(harness.cluster(), ApplicationId(2u), ask);
  ASSERT_EQ(why.size(), 1u);
  EXPECT_EQ(why[0].text, "of 2 nodes, 2 fail not_stale");
  EXPECT_EQ(to_text(harness.decide_at(NodeId(0u))), "a2:n0");
}

// Where nodes beat every 20 s, most would be stale most of the time.
TEST(WeightedPriorities, TakeNoNodeForStaleBeforeThreeHeartbeats) {
  SchedulerParameters parameters;
  parameters.heartbeat = seconds(20);
  const auto stale_after = [&] {
    return read_weighted_settings(parameters)->conditions.stale_after;
  };
  EXPECT_EQ(stale_after(), seconds(60));
  parameters.settings = {{"stale_after_ms", "61000"}};
  EXPECT_EQ(stale_after(), seconds(61));
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

TEST(WeightedPriorities, KeepAsManyChoicesAsTheyAreAskedFor) {
  WeightedHarness harness(settings_of("least_used=1"));
  harness.add_nodes(2, Resources(8'000, 8'192));
  harness.keep_choices(2);
  harness.advance(seconds(3));
  const AskId ask = harness.submit_and_ask({.pending = 3}, {.job = JobId(7u)});
  harness.decide();
  const auto choices = harness.policy().view(harness.cluster()).choices;
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].at, TraceTime(seconds(3)));
  EXPECT_EQ(choices[0].job, JobId(7u));
  EXPECT_EQ(choices[0].ask, ask);
  EXPECT_EQ(choices[0].chosen, NodeId(0u));
  EXPECT_EQ(choices[1].chosen, NodeId(1u));
  harness.keep_choices(1);
  EXPECT_TRUE(harness.policy().view(harness.cluster()).choices.empty());
  harness.submit_and_ask({.demand = Resources(9'000, 1'024)});
  harness.decide();
  EXPECT_TRUE(harness.policy().view(harness.cluster()).choices.empty()) << "no node was found";
  harness.keep_choices();
  harness.submit_and_ask({});
  harness.decide();
  const auto all = harness.policy().view(harness.cluster()).choices;
  EXPECT_FALSE(all.front().chosen.is_valid());
  EXPECT_TRUE(all.back().chosen.is_valid());
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
        Defect{"predicates", "fits",
               "beside_user, dedicated, label, not_stale, not_under_pressure"},
        Defect{"predicates", "apart,apart", "each once"},
        Defect{"percentage_of_nodes", "101", "101"}, Defect{"share", "mean", "mean"},
        Defect{"memory_pressure", "1.5", "1.5"}, Defect{"io_pressure", "-0.1", "-0.1"},
        Defect{"stale_after_ms", "-1", "-1"}}) {
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
