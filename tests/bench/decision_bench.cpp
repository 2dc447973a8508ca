// What a scheduler's decisions cost: time spent in decide() alone, per unit allocated. The commits
// are made by the tests' minimal cluster model and are not counted. `hash` is that of all
// decisions: the same on every machine and build type. Usage: decision_bench [nodes] (default
// 10000).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>

#include "core/random.h"
#include "schedulers/policy_harness.h"
#include "schedulers/registry.h"

namespace tracebed {
namespace {

// CPU time of this thread, so that other work on the machine does not count.
double cpu_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double clock_cost() {
  constexpr int readings = 100'000;
  const double begin = cpu_nanoseconds();
  for (int i = 0; i < readings; ++i) cpu_nanoseconds();
  return (cpu_nanoseconds() - begin) / readings;
}

class Timed final : public Scheduler {
 public:
  explicit Timed(std::unique_ptr<Scheduler> scheduler) : scheduler_(std::move(scheduler)) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override {
    const double begin = cpu_nanoseconds();
    scheduler_->decide(input, decisions);
    spent_ += cpu_nanoseconds() - begin;
    ++calls_;
  }
  void reset() {
    spent_ = 0;
    calls_ = 0;
  }
  double nanoseconds() const { return spent_ - static_cast<double>(calls_) * clock_cost_; }
  std::uint64_t calls() const { return calls_; }

 private:
  std::unique_ptr<Scheduler> scheduler_;
  double clock_cost_ = clock_cost();
  double spent_ = 0;
  std::uint64_t calls_ = 0;
};

struct Bench {
  explicit Bench(std::string_view name)
      : scheduler(std::move(make_scheduler(name, {})).value()), harness(scheduler) {}

  Timed scheduler;
  PolicyHarness harness;
};

void report(const char* what, std::string_view name, const Bench& bench, std::uint64_t units) {
  const double nanoseconds = bench.scheduler.nanoseconds();
  std::printf("%-10s %-28s %9llu units %9llu calls %8.1f ns/unit %6.2f M units/s  hash %s\n",
              std::string(name).c_str(), what, static_cast<unsigned long long>(units),
              static_cast<unsigned long long>(bench.scheduler.calls()),
              nanoseconds / static_cast<double>(units),
              static_cast<double>(units) * 1e3 / nanoseconds,
              bench.harness.digest().to_string().c_str());
}

constexpr std::uint32_t applications = 1'000;
const Resources node_capacity(16'000, 65'536);
const Resources unit(1'000, 4'096);

// An empty cluster is filled by 1,000 applications that wait, then containers end one by one, at
// random, and each makes room for one more unit.
void fill_and_turn_over(std::string_view name, std::size_t nodes) {
  Bench bench(name);
  PolicyHarness& harness = bench.harness;
  for (std::uint32_t i = 0; i < applications; ++i) {
    const auto wanted = static_cast<std::uint32_t>(nodes * 16 / applications * 3);
    harness.submit_and_ask({.demand = unit, .pending = wanted});
  }
  harness.decide();
  for (std::size_t i = 0; i < nodes; ++i) harness.add_node(node_capacity);
  bench.scheduler.reset();
  std::vector<Placement> running;
  const auto serve = [&](NodeId node) {
    for (const Placement& placed : harness.decide_at(node)) running.push_back(placed);
  };
  for (std::size_t i = 0; i < nodes; ++i) serve(NodeId(i));
  report("fill", name, bench, running.size());

  bench.scheduler.reset();
  Random random(1);
  const std::size_t turns = running.size();
  for (std::size_t i = 0; i < turns; ++i) {
    std::swap(running[random.below(running.size())], running.back());
    const Placement ended = running.back();
    running.pop_back();
    harness.end(ended.container);
    serve(ended.node);
  }
  report("turn over, full", name, bench, turns);
}

// Half of the cluster is in use, in containers of many sizes; single units of many sizes come and
// go.
void mixed_sizes(std::string_view name, std::size_t nodes) {
  Bench bench(name);
  PolicyHarness& harness = bench.harness;
  for (std::size_t i = 0; i < nodes; ++i) harness.add_node(node_capacity);
  Random random(2);
  std::deque<Placement> running;
  const auto submit = [&] {
    const std::int64_t cores = random.between(1, 8);
    const AskId ask = harness.submit_and_ask(
        {.demand = Resources(cores * 500, cores * random.between(1, 4) * 512)});
    harness.heartbeat(NodeId(static_cast<std::size_t>(random.below(nodes))));
    for (const Placement& placed : harness.decide()) running.push_back(placed);
    if (harness.cluster().asks[ask].pending == 0) {
      harness.finish(harness.cluster().asks[ask].application);
    }
  };
  while (running.size() < nodes * 4) submit();
  bench.scheduler.reset();
  constexpr std::size_t units = 200'000;
  for (std::size_t i = 0; i < units; ++i) {
    harness.end(running.front().container);
    running.pop_front();
    submit();
  }
  report("mixed sizes, half full", name, bench, units);
}

// Rigid jobs of 1 to 16 cores at nine tenths of the cluster's load; figures are per job.
void rigid_jobs(std::string_view name, std::size_t nodes) {
  Bench bench(name);
  PolicyHarness& harness = bench.harness;
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
                            .gang = true});
    for (const Placement& piece : harness.decide()) {
      if (running.empty() || running.back().front().ask != piece.ask) running.emplace_back();
      running.back().push_back(piece);
      used += piece.units;
    }
  };
  const std::size_t target = nodes * 16 * 9 / 10;
  while (used < target) submit();
  bench.scheduler.reset();
  constexpr std::size_t jobs = 200'000;
  for (std::size_t i = 0; i < jobs; ++i) {
    while (used >= target) end_one();
    submit();
  }
  report("rigid 1-16 cores, load 0.9", name, bench, jobs);
}

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  using namespace tracebed;
  const std::size_t nodes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
  std::printf("%zu nodes of 16 cores, %u applications\n", nodes, applications);
  const std::string_view only = argc > 2 ? argv[2] : "";
  for (const SchedulerEntry& entry : builtin_schedulers()) {
    if (!only.empty() && entry.name != only) continue;
    fill_and_turn_over(entry.name, nodes);
    if (entry.name != "fifo" && entry.name != "fcfs") mixed_sizes(entry.name, nodes);
  }
  if (only.empty() || only == "fcfs") rigid_jobs("fcfs", nodes / 10);
  return 0;
}
