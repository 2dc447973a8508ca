// What a scheduler says an application could still be given is what it gives: the largest ask that
// fits in it is granted. On one machine, so that nothing is left in pieces. Larger asks may be
// granted, too, as in YARN: Capacity lets a user's limit grow with what is asked for, and Fair
// gives beyond fair shares what nobody else wants.
#include <algorithm>
#include <gtest/gtest.h>
#include <optional>

#include "contract/suite_schedulers.h"
#include "core/names.h"
#include "core/random.h"
#include "schedulers/policy_harness.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

constexpr std::int64_t unit_mib = 1'024;
constexpr std::int64_t unit_milli_vcores = 1'000;

// In whole units of both, as schedulers round asks.
Resources in_units(const Resources& amount) {
  return {amount.milli_vcores() / unit_milli_vcores * unit_milli_vcores,
          amount.memory_mib() / unit_mib * unit_mib};
}

// A machine on which applications use something and want nothing more, all from one seed.
class QuietCluster {
 public:
  // Applications are of one of the queues.
  QuietCluster(std::unique_ptr<Scheduler> scheduler, std::uint64_t seed,
               const std::vector<QueueId>& queues = {QueueId()})
      : scheduler_(std::move(scheduler)), random_(Random::stream(seed, "headroom")) {
    node_ = harness_.add_node({1'000 * random_.between(4, 32), unit_mib * random_.between(4, 64)});
    std::vector<AskId> asks;
    for (std::int64_t left = random_.between(1, 4); left > 0; --left) {
      Application submitted;
      submitted.queue = queues[random_.below(queues.size())];
      const ApplicationId application = harness_.submit(submitted);
      settle();
      if (!harness_.is_accepted(application)) continue;
      applications_.push_back(application);
      AskFigures figures;
      figures.demand = {1'000 * random_.between(1, 3), unit_mib * random_.between(1, 4)};
      figures.pending = static_cast<std::uint32_t>(random_.between(1, 6));
      asks.push_back(harness_.ask(application, figures));
    }
    const std::vector<Placement> running = settle();
    for (const AskId ask : asks) harness_.close(ask);
    for (const Placement& placement : running) {
      if (random_.chance(0.4)) harness_.end(placement.container);
    }
    settle();
  }

  // Of what is placed, until nothing is for a while.
  std::vector<Placement> settle() {
    std::vector<Placement> placed;
    for (int quiet = 0; quiet < 3;) {
      harness_.advance(seconds(1));
      const std::vector<Placement> more = harness_.decide_at(node_);
      placed.insert(placed.end(), more.begin(), more.end());
      quiet = more.empty() ? quiet + 1 : 0;
    }
    return placed;
  }

  bool is_granted(ApplicationId application, const Resources& demand) {
    AskFigures figures;
    figures.demand = demand;
    const AskId ask = harness_.ask(application, figures);
    const std::vector<Placement> placed = settle();
    const bool is_granted =
        std::any_of(placed.begin(), placed.end(),
                    [&](const Placement& placement) { return placement.ask == ask; });
    if (!is_granted) harness_.close(ask);
    return is_granted;
  }

  // Of those that may run; none if there is none.
  std::optional<ApplicationId> any_application() {
    std::vector<ApplicationId> active = applications_;
    for (const ApplicationView& view : scheduler_->view(harness_.cluster()).applications) {
      if (!view.is_active) std::erase(active, view.application);
    }
    if (active.empty()) return std::nullopt;
    return active[random_.below(active.size())];
  }
  const Scheduler& scheduler() const { return *scheduler_; }
  const ClusterModel& cluster() const { return harness_.cluster(); }
  Resources headroom(ApplicationId application) const {
    return scheduler_->headroom(harness_.cluster(), application);
  }

 private:
  std::unique_ptr<Scheduler> scheduler_;
  PolicyHarness harness_{*scheduler_};
  Random random_;
  NodeId node_;
  std::vector<ApplicationId> applications_;
};

class ShownHeadroom : public ::testing::TestWithParam<std::string_view> {
 protected:
  static constexpr std::uint64_t clusters = 200;
};

// Of schedulers whose headroom says all that limits. Hadoop 1 has none: what is told there is the
// room on machines, whatever slots are taken.
class ShownHeadroomWithoutSlots : public ShownHeadroom {};

std::vector<std::string_view> schedulers_without_slots() {
  std::vector<std::string_view> names = suite_schedulers();
  std::erase_if(names, [](std::string_view name) { return name.starts_with("slot_"); });
  return names;
}

TEST_P(ShownHeadroomWithoutSlots, IsGrantedAsOneAsk) {
  std::uint64_t granted = 0;
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    QuietCluster cluster(make_for_suite(GetParam(), seed), seed);
    const std::optional<ApplicationId> application = cluster.any_application();
    if (!application) continue;
    Resources demand = in_units(cluster.headroom(*application));
    if (!cluster.cluster().limits.has_vcores()) demand[Resources::vcores_dimension] = 1'000;
    if (demand.milli_vcores() == 0 || demand.memory_mib() == 0) continue;
    ASSERT_TRUE(cluster.is_granted(*application, demand))
        << demand.milli_vcores() << " milli-vcores and " << demand.memory_mib() << " MiB";
    ++granted;
  }
  EXPECT_GT(granted, clusters / 4);
}

TEST_P(ShownHeadroom, IsWhatTheViewShows) {
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const QuietCluster cluster(make_for_suite(GetParam(), seed), seed);
    for (const ApplicationView& view : cluster.scheduler().view(cluster.cluster()).applications) {
      ASSERT_EQ(view.headroom, cluster.headroom(view.application));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShownHeadroom, ::testing::ValuesIn(suite_schedulers()),
                         [](const auto& parameter) { return std::string(parameter.param); });

INSTANTIATE_TEST_SUITE_P(All, ShownHeadroomWithoutSlots,
                         ::testing::ValuesIn(schedulers_without_slots()),
                         [](const auto& parameter) { return std::string(parameter.param); });

// ---- queues with limits ----

// Two queues, of which one may have half of the cluster at most.
struct LimitedQueues {
  Names names;
  std::vector<QueueId> queues{names.queues.intern("small"), names.queues.intern("large")};

  std::unique_ptr<Scheduler> make(std::string_view scheduler) const {
    SchedulerParameters parameters = test::parameters_for(scheduler);
    parameters.names = &names;
    if (scheduler == "capacity") {
      const std::string prefix = "yarn.scheduler.capacity.";
      parameters.documents["config"] =
          test::hadoop_configuration({{prefix + "root.queues", "small,large"},
                                      {prefix + "root.small.capacity", "30"},
                                      {prefix + "root.small.maximum-capacity", "50"},
                                      {prefix + "root.small.user-limit-factor", "10"},
                                      {prefix + "root.large.capacity", "70"},
                                      {prefix + "root.large.user-limit-factor", "10"}});
    } else {
      XmlElement small = test::xml_element(
          "queue", "", {test::xml_element("maxResources", "50% cpu, 50% memory")});
      small.attributes.emplace_back("name", "small");
      XmlElement large = test::xml_element("queue", "");
      large.attributes.emplace_back("name", "large");
      parameters.documents["config"] = test::xml_element("allocations", "", {small, large});
    }
    return test::schedulers().make(scheduler, parameters).value();
  }
};

TEST(ShownHeadroomOfLimitedQueues, IsGrantedAsOneAsk) {
  const LimitedQueues limited;
  for (const char* scheduler : {"capacity", "fair"}) {
    std::uint64_t granted = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      SCOPED_TRACE(scheduler + (" with seed " + std::to_string(seed)));
      QuietCluster cluster(limited.make(scheduler), seed, limited.queues);
      const std::optional<ApplicationId> application = cluster.any_application();
      if (!application) continue;
      const Resources headroom = in_units(cluster.headroom(*application));
      if (headroom.memory_mib() == 0 || headroom.milli_vcores() == 0) continue;
      ASSERT_TRUE(cluster.is_granted(*application, {1'000, headroom.memory_mib()}))
          << headroom.memory_mib() << " MiB";
      ++granted;
    }
    EXPECT_GT(granted, 100u) << scheduler;
  }
}

}  // namespace
}  // namespace tracebed
