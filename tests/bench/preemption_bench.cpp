// What a round of the Capacity scheduler's preemption costs: of 100 queues, half have twice their
// guarantee in containers of 10 applications each, and the applications of the others want theirs.
//
// Usage: preemption_bench [queues] [containers] (default 100 100000).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/check.h"
#include "schedulers/policy_harness.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

constexpr std::uint32_t applications_of_queue = 10;
constexpr std::uint32_t containers_of_node = 100;

struct Size {
  std::uint32_t queues = 100;
  std::uint32_t containers = 100'000;
};

class Cluster {
 public:
  Cluster(const Size& size, const SettingValues& settings) : size_(size) {
    const std::string prefix = "yarn.scheduler.capacity.";
    std::vector<std::pair<std::string, std::string>> properties = {
        {prefix + "maximum-am-resource-percent", "1"},
        {prefix + "per-node-heartbeat.maximum-container-assignments", "-1"},
        {prefix + "per-node-heartbeat.maximum-offswitch-assignments", "1000000"}};
    std::string names;
    for (std::uint32_t i = 0; i < size.queues; ++i) {
      const std::string queue = "q" + std::to_string(i);
      names += (i == 0 ? "" : ",") + queue;
      properties.emplace_back(prefix + "root." + queue + ".capacity",
                              std::to_string(100.0 / size.queues));
      properties.emplace_back(prefix + "root." + queue + ".user-limit-factor", "1000");
    }
    properties.emplace_back(prefix + "root.queues", names);
    SchedulerParameters parameters;
    parameters.settings = settings;
    parameters.names = &names_;
    parameters.documents["config"] = test::hadoop_configuration(properties);
    scheduler_ = std::move(test::schedulers().make("capacity", parameters)).value();
    harness_ = std::make_unique<PolicyHarness>(*scheduler_);
    fill();
  }

  // Milliseconds, on average; something changes before each round.
  double cost_of_round(int rounds) {
    std::chrono::steady_clock::duration spent{};
    for (int i = 0; i < rounds; ++i) {
      harness_->set_pending(wish_, 100 + static_cast<std::uint32_t>(i) % 2);
      harness_->decide();
      const auto begin = std::chrono::steady_clock::now();
      harness_->advance(seconds(3));
      spent += std::chrono::steady_clock::now() - begin;
    }
    return std::chrono::duration<double, std::milli>(spent).count() / rounds;
  }
  std::size_t preemptions() const { return harness_->preemptions().size(); }
  std::size_t containers() const { return harness_->cluster().containers.size(); }

 private:
  ApplicationId submit(std::uint32_t queue, std::uint32_t user) {
    Application application;
    application.queue = names_.queues.intern("q" + std::to_string(queue));
    application.user = names_.users.intern("user" + std::to_string(user % 3));
    const ApplicationId id = harness_->submit(application);
    harness_->decide();
    return id;
  }
  void fill() {
    const Resources unit(1'000, 1'024);
    const std::uint32_t each = size_.containers / (size_.queues / 2 * applications_of_queue);
    const std::uint32_t nodes = size_.containers / containers_of_node;
    for (std::uint32_t i = 0; i < nodes; ++i) harness_->add_node(unit * containers_of_node);
    harness_->decide();
    for (std::uint32_t queue = 0; queue < size_.queues; queue += 2) {
      for (std::uint32_t i = 0; i < applications_of_queue; ++i) {
        harness_->ask(submit(queue, i), {.demand = unit, .pending = each});
      }
    }
    for (std::uint32_t i = 0; i < nodes; ++i) harness_->decide_at(NodeId(i));
    for (std::uint32_t queue = 1; queue < size_.queues; queue += 2) {
      for (std::uint32_t i = 0; i < applications_of_queue; ++i) {
        wish_ = harness_->ask(submit(queue, i), {.demand = unit, .pending = each});
      }
    }
    harness_->advance(seconds(3));
  }

  Size size_;
  Names names_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<PolicyHarness> harness_;
  AskId wish_;
};

void measure(const char* what, const Size& size, SettingValues settings) {
  settings.emplace("preemption.enabled", "true");
  // Long enough that nothing is killed while rounds are measured.
  settings.emplace("preemption.max_wait_before_kill", "100000000");
  settings.emplace("preemption.preemption-to-balance-queue-after-satisfied.max-wait-before-kill",
                   "100000000");
  Cluster cluster(size, settings);
  const double cost = cluster.cost_of_round(20);
  std::printf("%-28s %4u queues %6zu containers %6zu chosen %8.2f ms a round\n", what, size.queues,
              cluster.containers(), cluster.preemptions(), cost);
  TRACEBED_CHECK(cluster.preemptions() > 0, "a round of the benchmark chooses something");
}

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  tracebed::Size size;
  if (argc > 1) size.queues = static_cast<std::uint32_t>(std::atoi(argv[1]));
  if (argc > 2) size.containers = static_cast<std::uint32_t>(std::atoi(argv[2]));
  tracebed::measure("between queues", size, {});
  tracebed::measure("with all selectors", size,
                    {{"preemption.select_based_on_reserved_containers", "true"},
                     {"preemption.preemption-to-balance-queue-after-satisfied.enabled", "true"},
                     {"preemption.intra-queue-preemption.enabled", "true"}});
  return 0;
}
