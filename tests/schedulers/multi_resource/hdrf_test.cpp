// Hierarchical DRF (Bhattacharya et al., SoCC 2013) on the paper's trees, with figures worked by
// hand, and what holds for any tree.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "core/random.h"
#include "schedulers/hadoop1/slot_story.h"
#include "schedulers/multi_resource/hierarchical_scheduler.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;

struct TreeJob {
  std::string queue;
  Resources demand;
};

// One machine, and jobs that want more than there is; job i has the number of its demand.
class TreeStory : public SlotStory {
 public:
  TreeStory(const Resources& machine, const std::vector<TreeJob>& jobs, SettingValues settings = {},
            const std::string& scheduler = "hdrf")
      : SlotStory(scheduler, std::move(settings)), jobs_(jobs) {
    node_ = harness().add_node(machine);
    harness().decide();
    for (const TreeJob& job : jobs) {
      const ApplicationId id = submit({.queue = job.queue});
      maps_of(id, {.demand = job.demand, .pending = 100'000});
    }
    fill();
  }

  std::string fill() { return beat(node_); }
  std::vector<std::int64_t> tasks() {
    std::vector<std::int64_t> tasks;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const Resources& used = harness().cluster().applications[ApplicationId(i)].used;
      const std::size_t d = jobs_[i].demand[0] > 0 ? 0 : 1;
      tasks.push_back(used[d] / jobs_[i].demand[d]);
    }
    return tasks;
  }
  // Tasks of the job end one after another; what each beat after that gave.
  std::string end_all_of(std::size_t job, std::int64_t times) {
    std::string given;
    for (std::int64_t i = 0; i < times; ++i) {
      ContainerId ending;
      harness().cluster().containers.for_each([&](ContainerId id, const Container& container) {
        if (container.application == ApplicationId(job)) ending = id;
      });
      harness().end(ending);
      harness().decide();
      given += fill();
    }
    return given;
  }

 private:
  std::vector<TreeJob> jobs_;
  NodeId node_;
};

// ---- the paper's trees ----

// n1 wants both resources, one child of n2 each of them, and n1 and n2 weigh the same. Half of all
// is n2's, which is 15 of each of 30. With the tree collapsed to leaves of the weights 1/2, 1/4 and
// 1/4, DRF gives n1 twice what the others have: 20, and n2 10 of each, less than its half.
TEST(Hdrf, GivesAQueueItsHalfWhichACollapsedTreeDoesNot) {
  const std::vector<TreeJob> jobs{
      {"n1", Resources(1, 1)}, {"n2.a", Resources(1, 0)}, {"n2.b", Resources(0, 1)}};
  EXPECT_THAT(TreeStory(Resources(30, 30), jobs).tasks(), ElementsAre(15, 15, 15));

  const std::vector<TreeJob> collapsed{
      {"n1", Resources(1, 1)}, {"n2a", Resources(1, 0)}, {"n2b", Resources(0, 1)}};
  EXPECT_THAT(TreeStory(Resources(30, 30), collapsed,
                        {{"groups", "queue"}, {"weights", "n1=2,n2a=1,n2b=1"}}, "drf")
                  .tasks(),
              ElementsAre(20, 10, 10));
}

// Only n2.a wants the first resource and has all 10 of it, so that n2 has a dominant share of 1 if
// what its children use is summed. Then n1 is the needier one for every unit of the second resource
// that n2.b gives back, until n2.b has none. As n2.a is blocked and its resource exhausted, the
// share of n2 is that of n2.b, which gets back what it gave.
TEST(Hdrf, NaiveSharesStarveAQueue) {
  const std::vector<TreeJob> jobs{
      {"n1", Resources(0, 1)}, {"n2.a", Resources(1, 0)}, {"n2.b", Resources(0, 1)}};
  TreeStory story(Resources(10, 10), jobs);
  EXPECT_THAT(story.tasks(), ElementsAre(5, 10, 5));
  EXPECT_EQ(story.end_all_of(2, 5), "22222");
  EXPECT_THAT(story.tasks(), ElementsAre(5, 10, 5));

  TreeStory naive(Resources(10, 10), jobs, {{"policy", "naive"}});
  const std::int64_t of_b = naive.tasks()[2];
  EXPECT_GT(of_b, 0);
  naive.end_all_of(2, of_b);
  EXPECT_THAT(naive.tasks(), ElementsAre(10, 10, 0));
}

// Three leaves share the first resource, 4 of 12 each, and two the second one. When the first is
// exhausted n3.a is blocked with 4/12. Were it not ignored, n3 would have that share as long as
// n3.b has more, and n4 with more than 4 would be the last to be served: n3.b would have 8. As n3.a
// is ignored, n3.b and n4 have half each.
TEST(Hdrf, IgnoresBlockedNodes) {
  TreeStory story(Resources(12, 12), {{"n1", Resources(1, 0)},
                                      {"n2", Resources(1, 0)},
                                      {"n3.a", Resources(1, 0)},
                                      {"n3.b", Resources(0, 1)},
                                      {"n4", Resources(0, 1)}});
  EXPECT_THAT(story.tasks(), ElementsAre(4, 4, 4, 6, 6));
  EXPECT_EQ(story.figure("n3.a", "Blocked"), "true");
  EXPECT_EQ(story.figure("n3", "Dominant Share"), "50.0%");
  EXPECT_EQ(story.figure("n3", "Dominant Resource"), "memory");
}

// ---- weights, names, jobs ----

// Two thirds of 24 are 16, of which three quarters are 12.
TEST(Hdrf, WeightsDivideEachLevel) {
  const Resources unit(1, 1);
  TreeStory story(Resources(24, 24), {{"eng.prod", unit}, {"eng.dev", unit}, {"sales", unit}},
                  {{"weights", "eng=2,eng.prod=3"}});
  EXPECT_THAT(story.tasks(), ElementsAre(12, 4, 8));
  EXPECT_EQ(story.figure("eng.prod", "Weight"), "3.0");
}

TEST(Hdrf, TheFirstPartMayBeTheRoot) {
  const Resources unit(1, 1);
  TreeStory story(Resources(24, 24),
                  {{"root.eng.prod", unit}, {"eng.dev", unit}, {"root.sales", unit}},
                  {{"weights", "root.eng=2,eng.prod=3"}});
  EXPECT_THAT(story.tasks(), ElementsAre(12, 4, 8));
}

// The two jobs of eng.dev have what the one of eng.prod has, as do a job of eng itself and each of
// its queues.
TEST(Hdrf, JobsOfAQueueAreItsLeaves) {
  const Resources unit(1, 1);
  EXPECT_THAT(
      TreeStory(Resources(12, 12), {{"eng.prod", unit}, {"eng.dev", unit}, {"eng.dev", unit}})
          .tasks(),
      ElementsAre(6, 3, 3));
  EXPECT_THAT(
      TreeStory(Resources(12, 12), {{"eng", unit}, {"eng.prod", unit}, {"eng.dev", unit}}).tasks(),
      ElementsAre(4, 4, 4));
}

TEST(Hdrf, UsersAreATreeOfOneLevel) {
  SlotStory story("hdrf", {{"groups", "user"}, {"weights", "a.b=2"}});
  const NodeId node = story.harness().add_node(Resources(9, 9));
  story.harness().decide();
  for (const char* user : {"a.b", "c"}) {
    story.maps_of(story.submit({.user = user, .queue = "one.queue"}),
                  {.demand = Resources(1, 1), .pending = 20});
  }
  story.beat(node);
  EXPECT_EQ(story.figure("a.b", "Dominant Share"), "33.3333%");
  EXPECT_EQ(story.figure("c", "Dominant Share"), "33.3333%");
}

TEST(Hdrf, TriesTheNextJobWhereTheNeediestHasNoRoom) {
  for (const auto& [order, given] : {std::pair{"skip", "0 0"}, std::pair{"strict", ""}}) {
    SlotStory story("hdrf", {{"order", order}});
    const NodeId node = story.harness().add_node(Resources(6, 6));
    story.harness().add_node(Resources(4, 4));  // where the neediest has room
    story.harness().decide();
    const ApplicationId first = story.submit({.queue = "a"});
    story.maps_of(first, {.demand = Resources(1, 1), .pending = 4});
    EXPECT_EQ(story.beat(node), "0 0 0 0");
    story.maps_of(story.submit({.queue = "b"}), {.demand = Resources(3, 1), .pending = 1});
    story.maps_of(first, {.demand = Resources(1, 1), .pending = 4});
    EXPECT_EQ(story.beat(node), given) << order;
  }
}

TEST(Hdrf, SaysWhatIsWrongWithWeights) {
  Names names;
  SchedulerParameters parameters;
  parameters.names = &names;
  for (const auto& [weights, expected] :
       {std::pair{"eng=1,root.eng=2",
                  "scheduler hdrf, setting weights: expected each queue once, got \"eng\" a second "
                  "time"},
        std::pair{
            "eng=0",
            "scheduler hdrf, setting weights: expected names with weights from 0.001 to 1000, "
            "such as \"eng=2,eng.prod=3\", got \"eng=0\""}}) {
    parameters.settings["weights"] = weights;
    const auto made = test::schedulers().make("hdrf", parameters);
    ASSERT_FALSE(made.has_value()) << weights;
    EXPECT_EQ(made.error().message, expected);
  }
}

// ---- any tree ----

std::int64_t drawn(Random& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

constexpr std::uint64_t trees = 60;

TEST(HdrfProperties, ATreeOfOneLevelDividesAsDrf) {
  for (std::uint64_t seed = 1; seed <= trees; ++seed) {
    Random random(seed);
    const Resources machine(drawn(random, 200, 900), drawn(random, 200, 900));
    std::vector<TreeJob> jobs;
    for (std::int64_t i = drawn(random, 2, 5); i > 0; --i) {
      jobs.push_back(
          {"q" + std::to_string(i), Resources(drawn(random, 1, 6), drawn(random, 1, 6))});
    }
    const SettingValues settings{{"groups", "queue"}, {"weights", "q1=2,q2=0.5"}};
    EXPECT_EQ(TreeStory(machine, jobs, settings).tasks(),
              TreeStory(machine, jobs, settings, "drf").tasks())
        << "seed " << seed;
  }
}

// The hierarchical share guarantee: a leaf has at least its part of its parent's part.
// At the first moment at which a resource is exhausted the shares of all queues add up to 1 at
// least, and nobody loses anything after it. Tasks are of at most six units, and others may fill
// the rest with a few.
TEST(HdrfProperties, EveryLeafHasItsPartOfItsParentsPart) {
  constexpr double rest = 0.02;
  for (std::uint64_t seed = 1; seed <= trees; ++seed) {
    Random random(seed);
    const Resources machine(drawn(random, 2'000, 4'000), drawn(random, 2'000, 4'000));
    std::vector<TreeJob> jobs;
    std::vector<double> guaranteed;
    std::string weights;
    std::vector<std::int64_t> of_queues;
    for (std::int64_t i = drawn(random, 2, 3); i > 0; --i) of_queues.push_back(drawn(random, 1, 3));
    std::int64_t all = 0;
    for (const std::int64_t weight : of_queues) all += weight;
    for (std::size_t q = 0; q < of_queues.size(); ++q) {
      const std::string name = "q" + std::to_string(q);
      weights += (q == 0 ? "" : ",") + name + "=" + std::to_string(of_queues[q]);
      const std::int64_t leaves = drawn(random, 1, 3);
      for (std::int64_t i = 0; i < leaves; ++i) {
        // Often of one resource alone, so that siblings complement each other.
        const std::int64_t kind = drawn(random, 0, 3);
        jobs.push_back(
            {name + ".l" + std::to_string(i),
             Resources(kind == 0 ? 0 : drawn(random, 1, 6), kind == 1 ? 0 : drawn(random, 1, 6))});
        guaranteed.push_back(static_cast<double>(of_queues[q]) / static_cast<double>(all) /
                             static_cast<double>(leaves));
      }
    }
    TreeStory story(machine, jobs, {{"weights", weights}});
    const auto tasks = story.tasks();
    Resources left = machine;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Resources used = jobs[i].demand * tasks[i];
      left -= used;
      EXPECT_GE(DominantShare(used, machine, weight_of_one).value() + rest, guaranteed[i])
          << "seed " << seed << ", " << i;
    }
    for (const TreeJob& job : jobs) EXPECT_EQ(job.demand.count_in(left), 0) << "seed " << seed;
  }
}

// Shares as the paper's recursive function finds them, in doubles.
struct PlainLeaf {
  std::string queue;
  Resources used;
  DimensionSet wants = 0;  // none: it wants no task
};
struct PlainShare {
  std::array<double, 2> used{};
  double share = 0;
  bool is_blocked = true;
};
PlainShare plain_share(const std::map<ApplicationId, PlainLeaf>& leaves, const std::string& path,
                       const std::map<std::string, std::int64_t>& weights, const Resources& total,
                       DimensionSet exhausted) {
  std::map<std::string, PlainShare> children;
  for (const auto& [id, leaf] : leaves) {
    if (leaf.queue == path) {
      PlainShare child;
      for (std::size_t d = 0; d < 2; ++d) {
        child.used.at(d) = static_cast<double>(leaf.used[d]) / static_cast<double>(total[d]);
        child.share = std::max(child.share, child.used.at(d));
      }
      child.is_blocked = leaf.wants == 0 || (leaf.wants & exhausted) != 0;
      children["job " + std::to_string(id.value())] = child;
    } else if (path.empty() || leaf.queue.starts_with(path + ".")) {
      const std::size_t begin = path.empty() ? 0 : path.size() + 1;
      const std::string below = leaf.queue.substr(0, leaf.queue.find('.', begin));
      if (!children.contains(below)) {
        children[below] = plain_share(leaves, below, weights, total, exhausted);
      }
    }
  }
  const auto weight_of = [&](const std::string& name) {
    const auto found = weights.find(name);
    return found == weights.end() ? 1.0 : static_cast<double>(found->second) / 1'000;
  };
  PlainShare whole;
  double least = 0;
  for (const auto& [name, child] : children) {
    if (child.is_blocked) continue;
    const double share = child.share / weight_of(name);
    least = whole.is_blocked ? share : std::min(least, share);
    whole.is_blocked = false;
  }
  for (const auto& [name, child] : children) {
    double factor = 1;
    if (!child.is_blocked) factor = child.share > 0 ? least * weight_of(name) / child.share : 0;
    for (std::size_t d = 0; d < 2; ++d) whole.used.at(d) += factor * child.used.at(d);
  }
  for (std::size_t d = 0; d < 2; ++d) {
    if (exhausted == 3 || (exhausted >> d & 1) == 0)
      whole.share = std::max(whole.share, whole.used.at(d));
  }
  return whole;
}

TEST(ShareTreeTest, SharesAreThoseOfThePapersRecursion) {
  const std::map<std::string, std::int64_t> weights{{"b", 2'000}, {"b.c", 500}, {"b.d", 3'000}};
  const std::vector<std::string> paths{"a", "b", "b.c", "b.d", "b.d.e"};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    ShareTree tree(InnerShare::rescaled);
    std::map<ApplicationId, PlainLeaf> leaves;
    Resources total(100, 100);
    DimensionSet exhausted = 0;
    tree.set_total(total);
    const auto queue = [&](const std::string& path) {
      ShareTree::Index index = ShareTree::root;
      for (std::size_t end = path.find('.');; end = path.find('.', end + 1)) {
        const std::string prefix = path.substr(0, end);
        const auto weight = weights.find(prefix);
        index = tree.queue(index, prefix.substr(prefix.rfind('.') + 1),
                           weight == weights.end() ? weight_of_one : weight->second);
        if (end == std::string::npos) return index;
      }
    };
    for (std::size_t step = 0; step < 200; ++step) {
      const std::int64_t what = drawn(random, 0, 9);
      if (what < 2 || leaves.empty()) {
        const std::string& path = paths[static_cast<std::size_t>(random.below(paths.size()))];
        tree.add_job(ApplicationId(step), queue(path));
        leaves[ApplicationId(step)].queue = path;
      } else if (what == 2) {
        exhausted = static_cast<DimensionSet>(random.below(4));
        tree.set_exhausted(exhausted);
      } else if (what == 3) {
        total = Resources(drawn(random, 50, 150), drawn(random, 50, 150));
        tree.set_total(total);
      } else {
        auto leaf = leaves.begin();
        std::advance(leaf, static_cast<std::ptrdiff_t>(random.below(leaves.size())));
        if (what == 4) {
          tree.remove_job(leaf->first);
          leaves.erase(leaf);
        } else {
          leaf->second.used = Resources(drawn(random, 0, 9), drawn(random, 0, 9));
          leaf->second.wants = static_cast<DimensionSet>(random.below(4));
          std::vector<DimensionSet> wanted;
          if (leaf->second.wants != 0) wanted.push_back(leaf->second.wants);
          tree.set_job(leaf->first, leaf->second.used, wanted);
        }
      }
      tree.verify();
      for (const auto& [id, leaf] : leaves) {
        const ShareTree::Shown shown = tree.shown(tree.queue_of(id));
        const PlainShare plain =
            plain_share(leaves, std::string(shown.path), weights, total, exhausted);
        const double weight = static_cast<double>(shown.weight) / weight_of_one;
        ASSERT_NEAR(shown.share * weight, plain.share, 1e-9)
            << "seed " << seed << ", step " << step << ", " << shown.path;
        ASSERT_EQ(shown.is_blocked, plain.is_blocked) << "seed " << seed << ", step " << step;
      }
    }
  }
}

TEST(LargestFreeTest, IsTheMostOfEachResource) {
  Random random(3);
  LargestFree largest;
  std::vector<Resources> nodes;
  for (int step = 0; step < 500; ++step) {
    const auto node = static_cast<std::size_t>(random.below(40));
    if (nodes.size() <= node) nodes.resize(node + 1);
    nodes[node] = Resources(drawn(random, 0, 20), drawn(random, 0, 20));
    largest.set(NodeId(node), nodes[node]);
    Resources expected;
    for (const Resources& free : nodes) expected = component_maximum(expected, free);
    ASSERT_EQ(largest.largest(), expected) << "step " << step;
  }
}

TEST(Hdrf, BearsAQueueBelowMoreLevelsThanAStackHolds) {
  std::string path = "a";
  for (int i = 0; i < 50'000; ++i) path += ".a";
  TreeStory story(Resources(4, 4), {{path, Resources(1, 1)}});
  EXPECT_THAT(story.tasks(), ElementsAre(4));
  const SchedulerView view = story.scheduler().view(story.harness().cluster());
  EXPECT_EQ(view.queues.size(), 100u);
  EXPECT_EQ(view.queues.back().queue.path, path);
}

}  // namespace
}  // namespace tracebed
