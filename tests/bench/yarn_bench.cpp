// What YARN's schedulers cost (story_cost.h) on a busy cluster: 1,000 applications in 100 leaf
// queues, whose units each name three nodes, as the blocks of a file do; and what a heartbeat costs
// that allocates nothing. For several sizes of the cluster, to show how cost grows with it.
//
// Usage: yarn_bench [nodes…] (default 1000 10000 50000).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/story_cost.h"
#include "core/random.h"
#include "schedulers/registry.h"
#include "support/scheduler_parameters.h"

namespace tracebed {
namespace {

constexpr std::uint32_t applications = 1'000;
constexpr std::uint32_t users = 50;
constexpr int parents = 10;
constexpr int leaves_per_parent = 10;
constexpr std::size_t nodes_per_rack = 40;
const Resources node_capacity(16'000, 65'536);
const Resources unit(1'000, 4'096);

struct Setup {
  Names names;
  SchedulerParameters parameters;
  std::vector<QueueId> leaves;
};

// Leaves of equal parts, two levels down; nothing limits users or masters, so that the offers are
// what is measured. `maximum` is of each parent, in percent.
Setup& capacity_setup(Setup& setup, const std::string& maximum) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto add = [&](const std::string& name, const std::string& value) {
    lines.emplace_back("yarn.scheduler.capacity." + name, value);
  };
  std::string top;
  for (int p = 0; p < parents; ++p) {
    const std::string parent = "p" + std::to_string(p);
    top += (p == 0 ? "" : ",") + parent;
    add("root." + parent + ".capacity", "10");
    add("root." + parent + ".maximum-capacity", maximum);
    std::string below;
    for (int q = 0; q < leaves_per_parent; ++q) {
      const std::string leaf = parent + "q" + std::to_string(q);
      below += (q == 0 ? "" : ",") + leaf;
      add("root." + parent + "." + leaf + ".capacity", "10");
      setup.leaves.push_back(setup.names.queues.intern(leaf));
    }
    add("root." + parent + ".queues", below);
  }
  add("root.queues", top);
  for (std::uint32_t user = 0; user < users; ++user) {
    setup.names.users.intern("user" + std::to_string(user));
  }
  add("user-limit-factor", "1000");
  add("maximum-am-resource-percent", "1");
  setup.parameters.names = &setup.names;
  setup.parameters.documents["config"] = test::hadoop_configuration(lines);
  return setup;
}

// The units of an application want `wanted` × 3 random nodes, and their racks.
AskFigures figures_of(Random& random, std::uint32_t wanted, std::size_t nodes) {
  AskFigures figures{.demand = unit, .pending = wanted};
  std::vector<NodeId> places;
  for (std::uint32_t i = 0; i < 3 * wanted; ++i) places.emplace_back(random.below(nodes));
  std::sort(places.begin(), places.end());
  for (const NodeId node : places) {
    if (figures.nodes.empty() || figures.nodes.back().place != node) {
      figures.nodes.push_back({node, 0});
    }
    ++figures.nodes.back().count;
    const RackId rack(node.index() / nodes_per_rack);
    if (figures.racks.empty() || figures.racks.back().place != rack) {
      figures.racks.push_back({rack, 0});
    }
    ++figures.racks.back().count;
  }
  return figures;
}

void submit_all(PolicyHarness& harness, const Setup& setup, std::size_t nodes, double load) {
  Random random(1);
  const auto wanted =
      static_cast<std::uint32_t>(load * static_cast<double>(nodes) * 16 / applications);
  for (std::uint32_t i = 0; i < applications; ++i) {
    Application application;
    application.queue = setup.leaves[i % setup.leaves.size()];
    application.user = UserId(i % users);
    harness.submit_and_ask(figures_of(random, std::max(wanted, 1U), nodes), application);
  }
  harness.decide();
}

void add_nodes(PolicyHarness& harness, std::size_t nodes) {
  for (std::size_t i = 0; i < nodes; ++i) {
    harness.add_node(node_capacity, RackId(i / nodes_per_rack));
  }
  harness.decide();
}

// As a job master does when it is given a unit that was wanted there.
void take_off_places(PolicyHarness& harness, const std::vector<Placement>& placed) {
  for (const Placement& each : placed) {
    Ask& ask = harness.cluster().asks[each.ask];
    const auto take_one = [](auto& counts, auto place) {
      const auto found =
          std::lower_bound(counts.begin(), counts.end(), place,
                           [](const auto& entry, auto id) { return entry.place < id; });
      if (found == counts.end() || found->place != place || found->count == 0) return;
      --found->count;
    };
    take_one(ask.nodes, each.node);
    take_one(ask.racks, harness.cluster().node(each.node).rack);
  }
}

std::vector<Placement> beat(PolicyHarness& harness, std::size_t node) {
  const std::vector<Placement> placed = harness.decide_at(NodeId(node));
  take_off_places(harness, placed);
  return placed;
}

// Nodes beat in turn until the cluster is full.
std::vector<Placement> fill(PolicyHarness& harness, std::size_t nodes) {
  std::vector<Placement> running;
  const std::size_t slots = nodes * 16;
  for (std::size_t before = 1; before != running.size() && running.size() < slots;) {
    before = running.size();
    for (std::size_t i = 0; i < nodes; ++i) {
      for (const Placement& placed : beat(harness, i)) running.push_back(placed);
    }
  }
  return running;
}

void print(const char* scheduler, const char* what, std::size_t nodes, const StoryCost& cost,
           std::uint64_t divisor) {
  const double nanoseconds =
      cost.seconds * 1e9 / static_cast<double>(std::max<std::uint64_t>(divisor, 1));
  std::printf("%-8s %-42s %6zu nodes %8llu units %8llu calls %9.1f ns %9.0f /s  hash %s\n",
              scheduler, what, nodes, static_cast<unsigned long long>(cost.whole.units),
              static_cast<unsigned long long>(cost.whole.calls), nanoseconds, 1e9 / nanoseconds,
              cost.whole.hash.c_str());
}

using Maker = std::function<std::unique_ptr<Scheduler>()>;

void measure_allocations(const char* scheduler, const Maker& make, const Setup& setup,
                         std::size_t nodes) {
  const StoryCost filling = cost_of(make, [&](PolicyHarness& harness, Playing& playing) {
    add_nodes(harness, nodes);
    submit_all(harness, setup, nodes, 3);
    playing.begin(harness);
    const std::vector<Placement> running = fill(harness, nodes);
    playing.end(harness, running.size());
  });
  print(scheduler, "filling, a unit", nodes, filling, filling.whole.units);
  const StoryCost turning = cost_of(make, [&](PolicyHarness& harness, Playing& playing) {
    add_nodes(harness, nodes);
    submit_all(harness, setup, nodes, 3);
    std::vector<Placement> running = fill(harness, nodes);
    Random random(2);
    std::size_t placed = 0;
    playing.begin(harness);
    for (std::size_t beats = 0; beats < nodes; ++beats) {
      // Some of what runs ends, and its nodes beat.
      for (int i = 0; i < 8 && !running.empty(); ++i) {
        std::swap(running[random.below(running.size())], running.back());
        const Placement ended = running.back();
        running.pop_back();
        harness.end(ended.container);
        for (const Placement& each : beat(harness, ended.node.index())) {
          running.push_back(each);
          ++placed;
        }
      }
    }
    playing.end(harness, placed);
  });
  print(scheduler, "turning over, a unit", nodes, turning, turning.whole.units);
}

// Each node beats ten times in a cluster that `prepare` has made such that nothing is allocated.
template <class Prepare>
void measure_idle(const char* scheduler, const char* what, const Maker& make, std::size_t nodes,
                  Prepare&& prepare) {
  const StoryCost idle = cost_of(make, [&](PolicyHarness& harness, Playing& playing) {
    prepare(harness);
    playing.begin(harness);
    std::size_t placed = 0;
    for (int round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < nodes; ++i) placed += harness.decide_at(NodeId(i)).size();
    }
    playing.end(harness, placed);
  });
  print(scheduler, what, nodes, idle, idle.whole.calls);
}

void measure_capacity(std::size_t nodes) {
  Setup open;
  capacity_setup(open, "100");
  const Maker make = [&] { return std::move(make_scheduler("capacity", open.parameters)).value(); };
  measure_allocations("capacity", make, open, nodes);
  measure_idle("capacity", "heartbeat, nothing wanted", make, nodes,
               [&](PolicyHarness& harness) { add_nodes(harness, nodes); });
  measure_idle("capacity", "heartbeat, node full", make, nodes, [&](PolicyHarness& harness) {
    add_nodes(harness, nodes);
    submit_all(harness, open, nodes, 3);
    fill(harness, nodes);
  });
  // Half of the parents want more than they may have, which is half of the cluster.
  Setup tight;
  capacity_setup(tight, "10");
  tight.leaves.resize(tight.leaves.size() / 2);
  measure_idle(
      "capacity", "heartbeat, room but queues at their limits",
      [&] { return std::move(make_scheduler("capacity", tight.parameters)).value(); }, nodes,
      [&](PolicyHarness& harness) {
        add_nodes(harness, nodes);
        submit_all(harness, tight, nodes, 3);
        fill(harness, nodes);
      });
}

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  using namespace tracebed;
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoul(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {1'000, 10'000, 50'000};
  std::printf("%u applications in %d leaf queues; ns and rate of a unit, or of a heartbeat\n",
              applications, parents * leaves_per_parent);
  for (const std::size_t nodes : sizes) {
    if (nodes < 100) {
      std::fprintf(stderr, "yarn_bench: expected at least 100 nodes\n");
      return 2;
    }
    measure_capacity(nodes);
  }
  return 0;
}
