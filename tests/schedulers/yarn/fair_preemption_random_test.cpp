// What holds of the Fair Scheduler's preemption whatever happens.
#include <map>
#include <set>

#include "core/random.h"
#include "schedulers/yarn/fair_preemption_story.h"

namespace tracebed {
namespace {

const std::string allocations =
    "<queue name='a'/><queue name='b'><weight>2</weight></queue>"
    "<queue name='safe'><allowPreemptionFrom>false</allowPreemptionFrom></queue>"
    "<queue name='p'><queue name='c'><minResources>6144 mb, 4 vcores</minResources></queue>"
    "<queue name='d'><fairSharePreemptionThreshold>0.9</fairSharePreemptionThreshold></queue>"
    "</queue>"
    "<defaultFairSharePreemptionTimeout>3</defaultFairSharePreemptionTimeout>"
    "<defaultMinSharePreemptionTimeout>2</defaultMinSharePreemptionTimeout>";

class RandomStory : public PreemptionStory {
 public:
  RandomStory(std::uint64_t seed, const std::string& delivery)
      : PreemptionStory(allocations, {{"preemption.delivery", delivery},
                                      {"preemption.wait_before_kill_ms", "2000"},
                                      {"preemption.wait_before_next_check_ms", "500"},
                                      {"assign_multiple", "true"}}),
        random_(seed) {
    for (int i = 0; i < 6; ++i) all_.push_back(nodes(1, {8000, 8192})[0]);
  }

  void play(int steps) {
    for (int i = 0; i < steps; ++i) {
      act();
      harness().advance(milliseconds(random_.between(1, 4) * 250));
      look();
      scheduler().verify();
      harness().verify();
      if (HasFailure()) return;
    }
  }

  // Everybody leaves, and nothing is kept or wanted any more.
  void end() {
    const std::set<ApplicationId> left = open_;
    for (const ApplicationId id : left) harness().finish(id);
    harness().decide();
    std::vector<ContainerId> containers;
    harness().cluster().containers.for_each(
        [&](ContainerId id, const Container&) { containers.push_back(id); });
    for (const ContainerId id : containers) harness().end(id);
    harness().advance(seconds(100));
    scheduler().verify();
    EXPECT_TRUE(preemptions().empty());
    EXPECT_FALSE(scheduler().heartbeat_interest().any);
    EXPECT_EQ(harness().wake_at(), never);
    EXPECT_EQ(harness().cluster().free, harness().cluster().capacity);
  }
  std::size_t asked() const { return asked_; }

 private:
  static bool HasFailure() { return testing::Test::HasFailure(); }
  NodeId any_node() { return all_[random_.below(all_.size())]; }
  ApplicationId any_open() {
    auto chosen = open_.begin();
    std::advance(chosen, static_cast<std::ptrdiff_t>(random_.below(open_.size())));
    return *chosen;
  }

  void act() {
    const std::uint64_t choice = random_.below(20);
    if (choice < 3) return start();
    if (choice < 5 && open_.size() > 3) {
      const ApplicationId id = any_open();
      open_.erase(id);
      return harness().finish(id);
    }
    if (choice < 7) return end_some();
    if (choice == 7) return toggle(any_node());
    if (choice == 8 && !asks_.empty()) {
      const AskId ask = asks_[random_.below(asks_.size())];
      const Ask* model = harness().cluster().asks.find(ask);
      if (model != nullptr && !model->is_gang()) {
        harness().set_pending(ask, static_cast<std::uint32_t>(random_.below(6)));
      }
      return;
    }
    for (const NodeId node : all_) {
      if (harness().cluster().node(node).alive && random_.chance(0.7)) beat(node);
    }
  }

  void start() {
    static constexpr const char* queues[] = {"a", "b", "safe", "p.c", "p.d"};
    const ApplicationId id = submit({.queue = queues[random_.below(5)]});
    open_.insert(id);
    AskFigures figures;
    figures.demand = Resources(1000, 1024 * random_.between(1, 3));
    figures.pending = static_cast<std::uint32_t>(random_.between(1, 12));
    figures.kind = random_.chance(0.2) ? StageKind::gang : StageKind::map;
    if (figures.kind != StageKind::gang && random_.chance(0.3)) {
      figures.nodes = {{any_node(), 1}};
      figures.relax_locality = random_.chance(0.7);
    }
    figures.is_master =
        figures.kind != StageKind::gang && figures.nodes.empty() && random_.chance(0.2);
    asks_.push_back(harness().ask(id, figures));
  }

  void end_some() {
    std::vector<ContainerId> ended;
    harness().cluster().containers.for_each([&](ContainerId id, const Container&) {
      if (random_.chance(0.1)) ended.push_back(id);
    });
    for (const ContainerId id : ended) harness().end(id);
  }

  void toggle(NodeId node) {
    if (harness().cluster().node(node).alive) {
      harness().drain(node);
    } else {
      harness().undrain(node);
    }
  }

  std::vector<PreemptionView> wanted_back() {
    std::vector<PreemptionView> views = preemptions();
    std::erase_if(views, [](const PreemptionView& view) { return !view.is_asked_for; });
    return views;
  }

  // Whose containers were chosen just now keeps its share, and its queue allows it.
  void look() {
    const std::string taken = harness().taken_back();
    for (std::size_t at = taken.find("ask "); at != std::string::npos; ++asked_) {
      at = taken.find("ask ", at + 1);
    }
    std::map<ApplicationId, std::int64_t> to_lose;
    for (const PreemptionView& view : wanted_back()) {
      if (known_.insert(view.container).second) {
        to_lose[view.application] = 0;
        EXPECT_NE(queue_of(view.application), "root.safe");
      }
    }
    for (const PreemptionView& view : wanted_back()) {
      const auto loser = to_lose.find(view.application);
      if (loser == to_lose.end()) continue;
      loser->second += harness().cluster().containers[view.container].resources.memory_mib();
    }
    for (const auto& [id, amount] : to_lose) {
      if (!open_.contains(id)) continue;
      const std::int64_t used = harness().cluster().applications[id].used.memory_mib();
      EXPECT_GE(used - amount, memory_of(application_figure(id, "Fair Share"))) << id.value();
    }
  }
  static std::int64_t memory_of(const std::string& figure) {
    return std::stoll(figure.substr(figure.find(' ')));
  }

  Random random_;
  std::vector<NodeId> all_;
  std::vector<AskId> asks_;
  std::set<ApplicationId> open_;
  std::set<ContainerId> known_;
  std::size_t asked_ = 0;
};

// Proves: 6.who-may-lose
TEST(FairPreemptionAlways, TakesNobodyBelowItsShareNorFromProtectedQueuesAndGivesBackWhatItKeeps) {
  std::size_t asked = 0;
  for (const std::string delivery : {"contract", "hadoop", "kill"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      RandomStory story(seed, delivery);
      story.play(150);
      story.end();
      asked += story.asked();
      if (testing::Test::HasFailure()) {
        FAIL() << "with seed " << seed << " and " << delivery;
      }
    }
  }
  EXPECT_GT(asked, 100u) << "something was at stake";
}

}  // namespace
}  // namespace tracebed
