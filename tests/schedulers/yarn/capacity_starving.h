// Two queues of half the cluster each, of 10 nodes with 10 GiB unless a test says otherwise; one
// has everything.
#pragma once

#include "schedulers/yarn/capacity_world.h"

namespace tracebed {

inline SettingValues preempting(SettingValues more = {}) {
  more.emplace("preemption.enabled", "true");
  return more;
}

// Application 0 of queue a has all 100 GiB in containers 0 to 99; application 1 of queue b wants
// as many as are asked for.
class Starving {
 public:
  explicit Starving(const SettingValues& settings, const Lines& lines = halves,
                    std::uint32_t wanted = 50)
      : world(lines, settings) {
    world.add_nodes(10, 10);
    rich = world.submit("a", "ann");
    world.ask(rich, 1, 100);
    EXPECT_EQ(world.fill_all(), 100u);
    poor = world.submit("b", "bob");
    wish = world.ask(poor, 1, wanted);
    world.harness().decide();
  }

  // What happens in so much time.
  std::string pass(Duration duration) {
    world.harness().advance(duration);
    return world.harness().taken_back();
  }
  PolicyHarness& harness() { return world.harness(); }

  CapacityWorld world;
  ApplicationId rich;
  ApplicationId poor;
  AskId wish;
};

}  // namespace tracebed
