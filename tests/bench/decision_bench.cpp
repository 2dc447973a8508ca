// What a scheduler's decisions cost (story_cost.h), per unit allocated; for rigid jobs, per job.
//
// Usage: decision_bench [nodes [scheduler [setting=value…]]] (default 10000, all).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/story_cost.h"
#include "core/names.h"
#include "core/random.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using Story = void (*)(PolicyHarness&, std::size_t nodes, Playing&);

constexpr std::uint32_t users = 100;

SettingValues given;  // on the command line

SchedulerParameters parameters_for(std::string_view name) {
  static const Names names = [] {
    Names made;
    for (std::uint32_t i = 0; i < users; ++i) made.users.intern("user" + std::to_string(i));
    return made;
  }();
  SchedulerParameters parameters = test::parameters_for(name);
  parameters.names = &names;
  parameters.settings = given;
  return parameters;
}

std::unique_ptr<Scheduler> made(std::string_view name) {
  return std::move(test::schedulers().make(name, parameters_for(name))).value();
}

void measure(const char* what, Story story, std::string_view name, std::size_t nodes) {
  const StoryCost cost =
      cost_of([&] { return made(name); },
              [&](PolicyHarness& harness, Playing& playing) { story(harness, nodes, playing); });
  const double nanoseconds = cost.seconds * 1e9;
  const auto units = static_cast<double>(cost.whole.units);
  std::printf("%-8s %-27s %7llu units %7llu calls ", std::string(name).c_str(), what,
              static_cast<unsigned long long>(cost.whole.units),
              static_cast<unsigned long long>(cost.whole.calls));
  if (cost.whole.units == 0) {
    std::printf("%31s", "nothing allocated");
  } else if (cost.is_too_little()) {
    std::printf("%31s", "too little to tell");
  } else {
    std::printf("%8.1f ns a unit %7.2f M/s", nanoseconds / units, units * 1e3 / nanoseconds);
  }
  std::printf("  hash %s\n", cost.whole.hash.c_str());
}

constexpr std::uint32_t applications = 1'000;
constexpr std::size_t nodes_min = 100;  // of fewer, no application would want a unit
const Resources node_capacity(16'000, 65'536);
const Resources unit(1'000, 4'096);

// Some decide only when a node beats: stories without heartbeats would wait for them for ever.
bool needs_heartbeats(std::string_view name) {
  const std::unique_ptr<Scheduler> scheduler = made(name);
  PolicyHarness harness(*scheduler);
  harness.add_node(node_capacity);
  harness.submit_and_ask({.demand = unit});
  return harness.decide().empty();
}

// What an application asks for.
struct Wish {
  AskFigures figures;
  Application application;
};
using Wishes = std::function<Wish(std::uint32_t application, std::size_t nodes)>;

std::uint32_t wanted(std::size_t nodes) {
  return static_cast<std::uint32_t>(nodes * 16 / applications * 3);
}

Wish equal_units(std::uint32_t /*application*/, std::size_t nodes) {
  return {.figures = {.demand = unit, .pending = wanted(nodes)}, .application = {}};
}

// Each unit would like to be on one of three nodes, among the hundredth of all that have the input
// of its application.
Wish units_with_places(std::uint32_t application, std::size_t nodes) {
  Wish wish = equal_units(application, nodes);
  Random random(application);
  const std::size_t holders = nodes / 100;
  std::map<NodeId, std::uint32_t> places;
  for (std::uint32_t i = 0; i < 3 * wanted(nodes); ++i) {
    ++places[NodeId(application % 100 * holders + static_cast<std::size_t>(random.below(holders)))];
  }
  for (const auto& [node, count] : places) wish.figures.nodes.push_back({node, count});
  return wish;
}

// Of half a core to four cores.
Wish units_of_sizes(std::uint32_t application, std::size_t nodes) {
  Wish wish = equal_units(application, nodes);
  const std::int64_t cores = 1 + application % 8;
  wish.figures.demand = Resources(cores * 500, cores * (1 + application / 8 % 4) * 1'024);
  return wish;
}

// Of 100 users, with goals, maps and reduces.
Wish tasks_with_deadlines(std::uint32_t application, std::size_t nodes) {
  Wish wish = equal_units(application, nodes);
  wish.figures.kind = application % 4 == 0 ? StageKind::reduce : StageKind::map;
  const bool is_reduce = wish.figures.kind == StageKind::reduce;
  (is_reduce ? wish.application.reduces : wish.application.maps) = wanted(nodes);
  wish.application.user = UserId(application % users);
  wish.application.deadline = TraceTime(seconds(600 + application * 7 % 600));
  return wish;
}

// 1,000 applications want three times what the cluster holds; nodes beat one after the other.
void fill(PolicyHarness& harness, std::size_t nodes, const Wishes& wishes,
          std::vector<Placement>& running) {
  for (std::uint32_t i = 0; i < applications; ++i) {
    const Wish wish = wishes(i, nodes);
    const ApplicationId id = harness.submit(wish.application);
    harness.decide();
    // Some judge applications by what nodes there are: here by one that holds nothing.
    if (!harness.is_accepted(id)) harness.add_node(Resources(1, 1));
    harness.decide();
    harness.ask(id, wish.figures);
  }
  harness.decide();
  std::vector<NodeId> added;
  for (std::size_t i = 0; i < nodes; ++i) added.push_back(harness.add_node(node_capacity));
  for (const NodeId node : added) {
    for (const Placement& placed : harness.decide_at(node)) running.push_back(placed);
  }
  // Who needs time to decide has placed nothing yet: until nothing is placed for some wake-ups.
  constexpr int quiet_max = 3;
  for (int quiet = running.empty() ? 0 : quiet_max;
       quiet < quiet_max && harness.wake_at() != never;) {
    harness.advance(harness.wake_at() - harness.now());
    const std::vector<Placement> more = harness.decide();
    quiet = more.empty() ? quiet + 1 : 0;
    running.insert(running.end(), more.begin(), more.end());
  }
}

void filling(PolicyHarness& harness, std::size_t nodes, Playing& playing) {
  std::vector<Placement> running;
  playing.begin(harness);
  fill(harness, nodes, equal_units, running);
  playing.end(harness, running.size());
}

// Containers end one by one, at random, all within half a minute, and each makes room for one more
// unit or, where they have several sizes, for some.
void turn_over(PolicyHarness& harness, std::size_t nodes, const Wishes& wishes, Playing& playing) {
  std::vector<Placement> running;
  fill(harness, nodes, wishes, running);
  Random random(1);
  const std::size_t turns = running.size();
  const Duration turn = seconds(30) / static_cast<std::int64_t>(std::max<std::size_t>(1, turns));
  playing.begin(harness);
  for (std::size_t i = 0; i < turns; ++i) {
    harness.advance(turn);
    std::swap(running[random.below(running.size())], running.back());
    const Placement ended = running.back();
    running.pop_back();
    harness.end(ended.container);
    for (const Placement& placed : harness.decide_at(ended.node)) running.push_back(placed);
  }
  playing.end(harness, turns);
}

void turning_over(PolicyHarness& harness, std::size_t nodes, Playing& playing) {
  turn_over(harness, nodes, equal_units, playing);
}
void turning_over_places(PolicyHarness& harness, std::size_t nodes, Playing& playing) {
  turn_over(harness, nodes, units_with_places, playing);
}
void turning_over_sizes(PolicyHarness& harness, std::size_t nodes, Playing& playing) {
  turn_over(harness, nodes, units_of_sizes, playing);
}
void turning_over_deadlines(PolicyHarness& harness, std::size_t nodes, Playing& playing) {
  turn_over(harness, nodes, tasks_with_deadlines, playing);
}

// Half of the cluster is in use, in containers of many sizes; single units of many sizes come and
// go.
void mixing_sizes(PolicyHarness& harness, std::size_t nodes, Playing& playing) {
  for (std::size_t i = 0; i < nodes; ++i) harness.add_node(node_capacity);
  Random random(2);
  std::deque<Placement> running;
  const auto submit = [&] {
    const std::int64_t cores = random.between(1, 8);
    const AskId ask = harness.submit_and_ask(
        {.demand = Resources(cores * 500, cores * random.between(1, 4) * 512)});
    for (const Placement& placed : harness.decide()) running.push_back(placed);
    if (harness.cluster().asks[ask].pending == 0) {
      harness.finish(harness.cluster().asks[ask].application);
    }
  };
  while (running.size() < nodes * 4) submit();
  const std::size_t units = std::min<std::size_t>(200'000, nodes * 20);
  playing.begin(harness);
  for (std::size_t i = 0; i < units; ++i) {
    harness.end(running.front().container);
    running.pop_front();
    submit();
  }
  playing.end(harness, units);
}

// Rigid jobs of 1 to 16 cores at nine tenths of the cluster's load; a unit is a job here.
void rigid_jobs(PolicyHarness& harness, std::size_t nodes, Playing& playing) {
  for (std::size_t i = 0; i < nodes; ++i) harness.add_node(node_capacity);
  Random random(3);
  std::deque<std::vector<Placement>> running;
  std::size_t used = 0;
  const auto end_one = [&] {
    std::swap(running[random.below(running.size())], running.front());
    for (const Placement& piece : running.front()) {
      used -= piece.units;
      harness.end(piece.container);
    }
    const AskId ask = running.front().front().ask;
    harness.finish(harness.cluster().asks[ask].application);
    running.pop_front();
  };
  const auto submit = [&] {
    harness.submit_and_ask({.demand = Resources(1'000, 0),
                            .pending = static_cast<std::uint32_t>(random.between(1, 16)),
                            .kind = StageKind::gang});
    for (const Placement& piece : harness.decide()) {
      if (running.empty() || running.back().front().ask != piece.ask) running.emplace_back();
      running.back().push_back(piece);
      used += piece.units;
    }
  };
  const std::size_t target = nodes * 16 * 9 / 10;
  while (used < target) submit();
  const std::size_t jobs = std::min<std::size_t>(200'000, nodes * 200);
  playing.begin(harness);
  for (std::size_t i = 0; i < jobs; ++i) {
    while (used >= target) end_one();
    submit();
  }
  playing.end(harness, jobs);
}

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  using namespace tracebed;
  const std::size_t nodes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
  if (nodes < nodes_min) {
    std::fprintf(stderr, "decision_bench: expected at least %zu nodes\n", nodes_min);
    return 2;
  }
  const std::string_view only = argc > 2 ? argv[2] : "";
  for (int i = 3; i < argc; ++i) {
    const std::string_view setting = argv[i];
    const std::size_t end = setting.find('=');
    if (end == std::string_view::npos) {
      std::fprintf(stderr, "decision_bench: expected setting=value, got %s\n", argv[i]);
      return 2;
    }
    given.emplace(setting.substr(0, end), setting.substr(end + 1));
  }
  std::printf("%zu nodes of 16 cores, %u applications; rigid jobs on a tenth of the nodes\n", nodes,
              applications);
  for (const SchedulerEntry& entry : test::schedulers()) {
    if (!only.empty() && entry.name != only) continue;
    measure("filling", filling, entry.name, nodes);
    measure("turning over, full", turning_over, entry.name, nodes);
    measure("turning over, places", turning_over_places, entry.name, nodes);
    measure("turning over, sizes", turning_over_sizes, entry.name, nodes);
    measure("turning over, deadlines", turning_over_deadlines, entry.name, nodes);
    if (needs_heartbeats(entry.name)) continue;
    measure("mixing sizes, half full", mixing_sizes, entry.name, nodes);
    measure("rigid jobs, load 0.9", rigid_jobs, entry.name, nodes / 10);
  }
  return 0;
}
