// The busy cluster that YARN's schedulers are measured on: 1,000 applications in 100 leaf queues,
// whose units each name three nodes, as the blocks of a file do.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/story_cost.h"
#include "core/names.h"
#include "core/random.h"
#include "core/scheduler_parameters.h"

namespace tracebed::bench {

inline constexpr std::uint32_t applications = 1'000;
inline constexpr std::uint32_t users = 50;
inline constexpr int parents = 10;
inline constexpr int leaves_per_parent = 10;
inline constexpr std::size_t nodes_per_rack = 40;
inline const Resources node_capacity(16'000, 65'536);

struct Setup {
  Names names;
  SchedulerParameters parameters;
  std::vector<QueueId> leaves;
};

// The units of an application want `wanted` × 3 random nodes, and their racks.
inline AskFigures figures_of(Random& random, std::uint32_t wanted, std::size_t nodes,
                             const Resources& unit) {
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

inline void submit_all(PolicyHarness& harness, const Setup& setup, std::size_t nodes, double load,
                       const Resources& unit) {
  Random random(1);
  const auto wanted =
      static_cast<std::uint32_t>(load * static_cast<double>(nodes) * 16 / applications);
  for (std::uint32_t i = 0; i < applications; ++i) {
    Application application;
    application.queue = setup.leaves[i % setup.leaves.size()];
    application.user = UserId(i % users);
    harness.submit_and_ask(figures_of(random, std::max(wanted, 1U), nodes, unit), application);
  }
  harness.decide();
}

// Every application insists on the first node, which has room for few of them.
inline void submit_strict(PolicyHarness& harness, const Setup& setup, const Resources& unit) {
  for (std::uint32_t i = 0; i < applications; ++i) {
    Application application;
    application.queue = setup.leaves[i % setup.leaves.size()];
    application.user = UserId(i % users);
    harness.submit_and_ask(
        {.demand = unit, .pending = 9, .relax_locality = false, .nodes = {{NodeId(0u), 9}}},
        application);
  }
  harness.decide();
}

inline void add_nodes(PolicyHarness& harness, std::size_t nodes) {
  for (std::size_t i = 0; i < nodes; ++i) {
    harness.add_node(node_capacity, RackId(i / nodes_per_rack));
  }
  harness.decide();
}

// Nodes beat in turn until the cluster is full.
inline std::vector<Placement> fill(PolicyHarness& harness, std::size_t nodes) {
  std::vector<Placement> running;
  const std::size_t slots = nodes * 16;
  for (std::size_t before = 1; before != running.size() && running.size() < slots;) {
    before = running.size();
    for (std::size_t i = 0; i < nodes; ++i) {
      for (const Placement& placed : harness.decide_at(NodeId(i))) running.push_back(placed);
    }
  }
  return running;
}

inline void print(const char* scheduler, const char* what, std::size_t nodes, const StoryCost& cost,
                  std::uint64_t divisor) {
  const double nanoseconds =
      cost.seconds * 1e9 / static_cast<double>(std::max<std::uint64_t>(divisor, 1));
  std::printf("%-8s %-42s %6zu nodes %8llu units %8llu calls %9.1f ns %9.0f /s  hash %s\n",
              scheduler, what, nodes, static_cast<unsigned long long>(cost.whole.units),
              static_cast<unsigned long long>(cost.whole.calls), nanoseconds, 1e9 / nanoseconds,
              cost.whole.hash.c_str());
}

using Maker = std::function<std::unique_ptr<Scheduler>()>;

inline void measure_allocations(const char* scheduler, const Maker& make, const Setup& setup,
                                std::size_t nodes, const Resources& unit) {
  const StoryCost filling = cost_of(make, [&](PolicyHarness& harness, Playing& playing) {
    add_nodes(harness, nodes);
    submit_all(harness, setup, nodes, 3, unit);
    playing.begin(harness);
    const std::vector<Placement> running = fill(harness, nodes);
    playing.end(harness, running.size());
  });
  print(scheduler, "filling, a unit", nodes, filling, filling.whole.units);
  const StoryCost turning = cost_of(make, [&](PolicyHarness& harness, Playing& playing) {
    add_nodes(harness, nodes);
    submit_all(harness, setup, nodes, 3, unit);
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
        for (const Placement& each : harness.decide_at(ended.node)) {
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

// The body of a program that takes numbers of nodes, each at least 100, as arguments; 1,000, 10,000
// and 50,000 if there are none. Returns its exit code.
inline int for_each_size(int count, char** arguments,
                         const std::function<void(std::size_t nodes)>& measure_size) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < count; ++i) sizes.push_back(std::strtoul(arguments[i], nullptr, 10));
  if (sizes.empty()) sizes = {1'000, 10'000, 50'000};
  if (*std::min_element(sizes.begin(), sizes.end()) < 100) {
    std::fprintf(stderr, "%s: expected numbers of nodes, at least 100 each\n", arguments[0]);
    return 2;
  }
  std::printf("%u applications in %d leaf queues; ns and rate of a unit, or of a heartbeat\n",
              applications, parents * leaves_per_parent);
  for (const std::size_t nodes : sizes) measure_size(nodes);
  return 0;
}

}  // namespace tracebed::bench
