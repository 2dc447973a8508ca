// What placement by locality costs, in CPU time.
//
// Usage: locality_bench [nodes] (default 10000).
// - data block density: one job of nodes / 10 units, whose input has ten blocks for each node and
//   three replicas of each, in both readings; the index of the blocks is part of it;
// - weighted priorities: single units, one after the other, on half of the nodes, a third in use,
//   among all of them, and among as many as Kubernetes looks at.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/story_cost.h"
#include "core/random.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

const Resources node_capacity(16'000, 65'536);
const Resources unit(1'000, 4'096);

std::unique_ptr<Scheduler> made(std::string_view name, const SettingValues& settings) {
  SchedulerParameters parameters = test::parameters_for(name);
  for (const auto& [setting, value] : settings) parameters.settings[setting] = value;
  return std::move(test::schedulers().make(name, parameters)).value();
}

InputBlocks blocks_of(std::size_t nodes, std::uint32_t blocks) {
  InputBlocks input;
  Random random(1);
  std::vector<NodeId> holders;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    holders.clear();
    while (holders.size() < 3) {
      const NodeId node(static_cast<std::size_t>(random.below(nodes)));
      if (std::find(holders.begin(), holders.end(), node) == holders.end()) holders.push_back(node);
    }
    input.add_block(holders);
  }
  return input;
}

void place_by_density(const char* what, const SettingValues& settings, std::size_t nodes) {
  const auto units = static_cast<std::uint32_t>(std::max<std::size_t>(1, nodes / 10));
  const InputBlocks input = blocks_of(nodes, static_cast<std::uint32_t>(nodes) * 10);
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const std::unique_ptr<Scheduler> scheduler = made("dbd", settings);
    PolicyHarness harness(*scheduler);
    for (std::size_t node = 0; node < nodes; ++node) harness.add_node(node_capacity);
    const ApplicationId job = harness.submit();
    harness.cluster().inputs.emplace(job, input);
    harness.decide();
    harness.ask(job, {.demand = unit, .pending = units});
    const double begin = cpu_seconds();
    harness.decide();
    least = std::min(least, cpu_seconds() - begin);
  }
  std::printf("dbd, %-22s %6u units, %7u blocks, %6zu nodes: %8.2f ms\n", what, units,
              input.blocks(), nodes, least * 1e3);
}

void place_by_priorities(const char* what, const SettingValues& settings, std::size_t nodes) {
  const std::size_t units = std::max<std::size_t>(10, std::min<std::size_t>(20'000, nodes * 2));
  const StoryCost cost = cost_of(
      [&] { return made("weighted_priorities", settings); },
      [&](PolicyHarness& harness, Playing& playing) {
        for (std::size_t node = 0; node < nodes; ++node) harness.add_node(node_capacity);
        harness.submit_and_ask({.demand = unit, .pending = static_cast<std::uint32_t>(nodes * 5)});
        harness.decide();
        playing.begin(harness);
        for (std::size_t i = 0; i < units; ++i) {
          const AskId ask = harness.submit_and_ask({.demand = unit});
          harness.decide();
          harness.finish(harness.cluster().asks[ask].application);
        }
        playing.end(harness, units);
      });
  std::printf("weighted, %-17s %6zu units, %6zu nodes: %10.0f units a second\n", what, units, nodes,
              static_cast<double>(units) / cost.seconds);
}

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  const std::size_t nodes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000;
  tracebed::place_by_density("greedy, share", {}, nodes);
  tracebed::place_by_density("sorted, always", {{"order", "sorted"}, {"cover", "always"}}, nodes);
  tracebed::place_by_priorities("all nodes", {}, nodes / 2);
  tracebed::place_by_priorities("some nodes", {{"percentage_of_nodes", "0"}}, nodes / 2);
  return 0;
}
