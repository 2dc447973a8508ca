// What the Capacity scheduler costs on a busy cluster (yarn_story.h), and what a heartbeat costs
// that allocates nothing. For several sizes of the cluster, to show how cost grows with it.
//
// Usage: yarn_bench [nodes…] (default 1000 10000 50000).
#include <cstdlib>

#include "bench/yarn_story.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed::bench {
namespace {

const Resources unit(1'000, 4'096);

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

void measure_capacity(std::size_t nodes) {
  Setup open;
  capacity_setup(open, "100");
  const Maker make = [&] {
    return std::move(test::schedulers().make("capacity", open.parameters)).value();
  };
  measure_allocations("capacity", make, open, nodes, unit);
  measure_idle("capacity", "heartbeat, nothing wanted", make, nodes,
               [&](PolicyHarness& harness) { add_nodes(harness, nodes); });
  measure_idle("capacity", "heartbeat, node full", make, nodes, [&](PolicyHarness& harness) {
    add_nodes(harness, nodes);
    submit_all(harness, open, nodes, 3, unit);
    fill(harness, nodes);
  });
  measure_idle("capacity", "heartbeat, room but all insist on another node", make, nodes,
               [&](PolicyHarness& harness) {
                 add_nodes(harness, nodes);
                 submit_strict(harness, open, unit);
                 fill(harness, nodes);
               });
  // Half of the parents want more than they may have, which is half of the cluster.
  Setup tight;
  capacity_setup(tight, "10");
  tight.leaves.resize(tight.leaves.size() / 2);
  measure_idle(
      "capacity", "heartbeat, room but queues at their limits",
      [&] { return std::move(test::schedulers().make("capacity", tight.parameters)).value(); },
      nodes,
      [&](PolicyHarness& harness) {
        add_nodes(harness, nodes);
        submit_all(harness, tight, nodes, 3, unit);
        fill(harness, nodes);
      });
}

}  // namespace
}  // namespace tracebed::bench

int main(int count, char** arguments) {
  return tracebed::bench::for_each_size(count, arguments, tracebed::bench::measure_capacity);
}
