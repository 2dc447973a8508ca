// What the Fair Scheduler costs on a busy cluster (yarn_story.h): allocations, heartbeats that
// allocate nothing, and the shares of 10,000 queues. For several sizes of the cluster, to show how
// cost grows with it.
//
// Usage: fair_bench [nodes…] (default 1000 10000 50000).
#include <cstdlib>

#include "bench/yarn_story.h"
#include "schedulers/yarn/fair/fair_shares.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed::bench {
namespace {

XmlElement queue_named(const std::string& name, std::vector<XmlElement> children) {
  XmlElement queue = test::xml_element("queue", "", std::move(children));
  queue.attributes.emplace_back("name", name);
  return queue;
}

// Leaves of equal weight, two levels down. `policy` holds everywhere; `maximum` is of each parent.
void declare_queues(Setup& setup, const std::string& policy, const std::string& maximum) {
  const XmlElement shared_by = test::xml_element("schedulingPolicy", policy);
  std::vector<XmlElement> top{shared_by};
  for (int p = 0; p < parents; ++p) {
    std::vector<XmlElement> below{shared_by, test::xml_element("maxResources", maximum)};
    for (int q = 0; q < leaves_per_parent; ++q) {
      const std::string leaf = "q" + std::to_string(q);
      below.push_back(queue_named(leaf, {shared_by}));
      const std::string path = "root.p" + std::to_string(p) + "." + leaf;
      setup.leaves.push_back(setup.names.queues.intern(path));
    }
    top.push_back(queue_named("p" + std::to_string(p), std::move(below)));
  }
  for (std::uint32_t user = 0; user < users; ++user) {
    setup.names.users.intern("user" + std::to_string(user));
  }
  setup.parameters.names = &setup.names;
  setup.parameters.documents["config"] =
      test::xml_element("allocations", "", {queue_named("root", std::move(top))});
  setup.parameters.settings["assign_multiple"] = "true";
}

void measure(const char* name, const std::string& policy, std::size_t nodes, const Resources& unit,
             const SettingValues& settings) {
  Setup open;
  declare_queues(open, policy, "100%");
  for (const auto& [key, value] : settings) open.parameters.settings[key] = value;
  const Maker make = [&] {
    return std::move(test::schedulers().make("fair", open.parameters)).value();
  };
  measure_allocations(name, make, open, nodes, unit);
  measure_idle(name, "heartbeat, nothing wanted", make, nodes,
               [&](PolicyHarness& harness) { add_nodes(harness, nodes); });
  measure_idle(name, "heartbeat, node full", make, nodes, [&](PolicyHarness& harness) {
    add_nodes(harness, nodes);
    submit_all(harness, open, nodes, 3, unit);
    fill(harness, nodes);
  });
  // Half of the parents want more than they may have, which is half of the cluster.
  Setup tight;
  declare_queues(tight, policy, "10%");
  for (const auto& [key, value] : settings) tight.parameters.settings[key] = value;
  tight.leaves.resize(tight.leaves.size() / 2);
  measure_idle(
      name, "heartbeat, room but queues at their limits",
      [&] { return std::move(test::schedulers().make("fair", tight.parameters)).value(); }, nodes,
      [&](PolicyHarness& harness) {
        add_nodes(harness, nodes);
        submit_all(harness, tight, nodes, 3, unit);
        fill(harness, nodes);
      });
}

void measure_shares(std::size_t count) {
  Random random(3);
  std::vector<ShareClaim> claims(count);
  for (ShareClaim& claim : claims) {
    claim.weight = static_cast<float>(random.between(1, 10));
    claim.minimum = random.chance(0.3) ? random.between(0, 4'096) : 0;
    if (random.chance(0.3)) claim.maximum = random.between(4'096, 65'536);
    claim.is_active = random.chance(0.8);
  }
  std::vector<std::int64_t> shares(count);
  constexpr int rounds = 20;
  const double begun = cpu_seconds();
  for (int i = 0; i < rounds; ++i) {
    compute_fair_shares(claims, 655'360'000 + i, shares);
  }
  const double seconds = (cpu_seconds() - begun) / rounds;
  std::int64_t sum = 0;
  for (const std::int64_t share : shares) sum += share;
  std::printf("fair     shares of %zu queues: %.2f ms (sum %lld)\n", count, seconds * 1e3,
              static_cast<long long>(sum));
}

}  // namespace
}  // namespace tracebed::bench

int main(int count, char** arguments) {
  using namespace tracebed;
  // Asks of 4 GiB could reserve nodes, those of 1 GiB could not.
  const Resources large(1'000, 4'096);
  const Resources small(1'000, 1'024);
  const int code = bench::for_each_size(count, arguments, [&](std::size_t nodes) {
    bench::measure("fair", "fair", nodes, large, {});
    bench::measure("drf", "drf", nodes, large, {});
    bench::measure("small", "fair", nodes, small, {});
    bench::measure("places", "fair", nodes, large,
                   {{"locality_threshold_node", "0.01"}, {"locality_threshold_rack", "0.01"}});
  });
  if (code == 0) bench::measure_shares(10'000);
  return code;
}
