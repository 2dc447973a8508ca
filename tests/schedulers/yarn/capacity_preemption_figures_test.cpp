// Figures that explain a round of the Capacity scheduler's preemption are those of what it takes.
#include <array>
#include <map>

#include "core/random.h"
#include "schedulers/yarn/capacity_starving.h"

namespace tracebed {
namespace {

Resources amount_of(const QueueView& view, std::string_view id) {
  const Figure* const figure = find_figure(view.queue.figures, id);
  if (figure != nullptr) return std::get<Resources>(figure->value);
  ADD_FAILURE() << view.queue.path << " has no figure " << id;
  return {};
}

// In containers of a GiB, by leaf: what the round that would be now wants of it.
std::map<std::string, std::int64_t> shown_to_obtain(CapacityWorld& world) {
  std::map<std::string, std::int64_t> shown;
  for (const QueueView& view : world.scheduler().view(world.harness().cluster()).queues) {
    if (view.queue.path == "root") continue;
    // A container is taken as long as anything is wanted.
    const std::int64_t wanted = (amount_of(view, "to_obtain").memory_mib() + 1'023) / 1'024;
    if (wanted > 0) shown[view.queue.path] = wanted;
  }
  return shown;
}

std::map<std::string, std::int64_t> shown_as_chosen(CapacityWorld& world) {
  std::map<std::string, std::int64_t> chosen;
  const SchedulerView view = world.scheduler().view(world.harness().cluster());
  std::map<ApplicationId, std::string> queue_of;
  for (const ApplicationView& each : view.applications) queue_of[each.application] = each.queue;
  for (const PreemptionView& each : view.preemptions) ++chosen[queue_of.at(each.application)];
  return chosen;
}

// Hadoop's TestProportionalCapacityPreemptionPolicyPreemptToBalance: for guarantees alone 5 and 15
// are taken and everybody should have 30, 35 and 35; evened out, 7 and 17, and 33 each.
TEST(CapacityPreemptionFigures, AreThoseOfThePassThatDecides) {
  for (const bool evens_out : {false, true}) {
    CapacityWorld world(
        {{"root.queues", "a,b,c,d"},
         {"root.a.capacity", "30"},
         {"root.b.capacity", "30"},
         {"root.c.capacity", "30"},
         {"root.d.capacity", "10"},
         {"root.a.user-limit-factor", "10"},
         {"root.b.user-limit-factor", "10"},
         {"root.c.user-limit-factor", "10"},
         {"maximum-am-resource-percent", "1"}},
        preempting({{"preemption.natural_termination_factor", "1"},
                    {"preemption.total_preemption_per_round", "1"},
                    {"preemption.preemption-to-balance-queue-after-satisfied.enabled",
                     evens_out ? "true" : "false"}}));
    world.add_nodes(10, 10);
    const std::array<std::pair<const char*, std::uint32_t>, 3> uses = {
        {{"a", 10}, {"b", 40}, {"c", 50}}};
    std::vector<ApplicationId> applications;
    for (const auto& [queue, used] : uses) {
      applications.push_back(world.submit(queue, "ann"));
      world.ask(applications.back(), 1, used);
      EXPECT_EQ(world.fill_all(), used);
    }
    for (const ApplicationId application : applications) world.ask(application, 1, 30);
    // A user's limit in a is its guarantee, so two want more than that.
    world.ask(world.submit("a", "bob"), 1, 30);
    world.harness().decide();
    EXPECT_EQ(shown_to_obtain(world),
              (std::map<std::string, std::int64_t>{{"root.b", evens_out ? 7 : 5},
                                                   {"root.c", evens_out ? 17 : 15}}));
    EXPECT_EQ(shown_as_chosen(world), shown_to_obtain(world));
    for (const QueueView& view : world.scheduler().view(world.harness().cluster()).queues) {
      if (view.queue.path == "root" || view.queue.path == "root.d") continue;
      const std::int64_t ideal = amount_of(view, "ideal").memory_mib() / 1'024;
      EXPECT_EQ(ideal, evens_out ? 33 : view.queue.path == "root.a" ? 30 : 35) << view.queue.path;
    }
  }
}

// Of random queues, of which a round takes all that it wants in containers of one size.
TEST(CapacityPreemptionFigures, OfWhatIsWantedAddUpToWhatWouldBeTaken) {
  Random random(11);
  const auto draw = [&](std::uint64_t below) {
    return static_cast<std::uint32_t>(random.below(below));
  };
  std::int64_t taken_in_all = 0;
  for (int run = 0; run < 80; ++run) {
    CapacityWorld world(
        {{"root.queues", "a,b,c"},
         {"root.a.capacity", "20"},
         {"root.b.capacity", "30"},
         {"root.c.capacity", "50"},
         {"root.a.user-limit-factor", "10"},
         {"root.b.user-limit-factor", "10"},
         {"root.c.user-limit-factor", "10"},
         {"maximum-am-resource-percent", "1"}},
        preempting({{"preemption.natural_termination_factor", "1"},
                    {"preemption.total_preemption_per_round", "1"},
                    {"preemption.max_ignored_over_capacity", draw(2) == 0 ? "0" : "0.1"},
                    {"preemption.preemption-to-balance-queue-after-satisfied.enabled",
                     draw(2) == 0 ? "true" : "false"}}));
    world.add_nodes(10, 10);
    for (const char* queue : {"a", "b", "c"}) {
      for (std::uint32_t i = draw(3); i-- > 0;) {
        world.ask(world.submit(queue, i % 2 == 0 ? "ann" : "bob"), 1, draw(80));
      }
      if (draw(2) == 0) world.fill_all();
    }
    world.fill_all();
    const auto shown = shown_to_obtain(world);
    EXPECT_EQ(shown_as_chosen(world), shown) << "run " << run;
    for (const auto& [queue, wanted] : shown) taken_in_all += wanted;
  }
  EXPECT_GT(taken_in_all, 100) << "the runs want something back";
}

// With the calculator of memory alone a queue may use less than its guarantee of vcores.
TEST(CapacityPreemptionFigures, AreNotNegativeInWhatTheCalculatorDoesNotCount) {
  CapacityWorld world(halves, preempting());
  world.add_nodes(10, 10);
  world.harness().ask(world.submit("a", "ann"), {.demand = Resources(100, 1'024), .pending = 80});
  EXPECT_EQ(world.fill_all(), 80u);
  world.ask(world.submit("b", "bob"), 1, 50);
  world.harness().decide();
  for (const QueueView& view : world.scheduler().view(world.harness().cluster()).queues) {
    for (const char* const id : {"ideal", "preemptable", "untouchable", "to_preempt"}) {
      EXPECT_FALSE(amount_of(view, id).has_negative()) << view.queue.path << " " << id;
    }
  }
}

// YARN-11073: 1 % of ten cores are none, and nobody else wants what the queue has above that.
TEST(CapacityPreemption, DoesNotKillRoundAfterRoundWhereAGuaranteeIsRoundedToZero) {
  CapacityWorld world(
      {{"root.queues", "small,large"},
       {"resource-calculator", "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"},
       {"root.small.capacity", "1"},
       {"root.large.capacity", "99"},
       {"root.small.user-limit-factor", "100"},
       {"maximum-am-resource-percent", "1"}},
      preempting({{"preemption.natural_termination_factor", "1"},
                  {"preemption.total_preemption_per_round", "1"}}));
  for (int i = 0; i < 10; ++i) world.harness().add_node(Resources(1'000, 10'240));
  world.harness().decide();
  world.harness().ask(world.submit("small", "ann"),
                      {.demand = Resources(1'000, 1'024), .pending = 8});
  EXPECT_GE(world.fill_all(), 4u);
  for (int round = 0; round < 20; ++round) {
    world.harness().advance(seconds(15));
    world.fill_all();
    ASSERT_EQ(world.harness().taken_back(), "") << "round " << round;
  }
}

}  // namespace
}  // namespace tracebed
