// What a look of the Fair Scheduler's preemption costs: of 100 queues, half use the whole cluster
// with 10 applications each, and the applications of the others have nothing. The first look
// chooses for all of those at once; a later one finds that they have been helped; an idle one finds
// nobody who starves.
//
// Usage: fair_preemption_bench [queues] [containers] (default 100 100000).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
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
constexpr Resources unit(1'000, 1'024);

// Measures the scheduler's calls alone.
class Timed final : public Scheduler {
 public:
  explicit Timed(std::unique_ptr<Scheduler> scheduler) : scheduler_(std::move(scheduler)) {}
  LimitedDimensions limited_dimensions() const override { return scheduler_->limited_dimensions(); }
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    const auto begin = std::chrono::steady_clock::now();
    scheduler_->decide(input, decisions);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - begin;
    longest_ms_ = std::max(longest_ms_, spent.count());
  }
  double longest_ms() { return std::exchange(longest_ms_, 0); }

 private:
  std::unique_ptr<Scheduler> scheduler_;
  double longest_ms_ = 0;
};

class Cluster {
 public:
  Cluster(std::uint32_t queues, std::uint32_t containers) {
    SchedulerParameters parameters;
    parameters.settings = {{"preemption.enabled", "true"},
                           {"preemption.wait_before_kill_ms", "100000000"},
                           {"assign_multiple", "true"},
                           {"dynamic_max_assign", "false"}};
    parameters.names = &names_;
    parameters.documents["config"] = test::xml_element(
        "allocations", "", {test::xml_element("defaultFairSharePreemptionTimeout", "10")});
    timed_ =
        std::make_unique<Timed>(std::move(test::schedulers().make("fair", parameters)).value());
    harness_ = std::make_unique<PolicyHarness>(*timed_);
    const std::uint32_t nodes = containers / containers_of_node;
    const std::uint32_t each = containers / (queues / 2 * applications_of_queue);
    for (std::uint32_t i = 0; i < nodes; ++i) harness_->add_node(unit * containers_of_node);
    harness_->decide();
    for (std::uint32_t queue = 0; queue < queues; queue += 2) submit_all(queue, each);
    harness_->advance(seconds(1));
    for (std::uint32_t i = 0; i < nodes; ++i) harness_->decide_at(NodeId(i));
    harness_->advance(seconds(1));
    for (std::uint32_t queue = 1; queue < queues; queue += 2) submit_all(queue, each);
    harness_->advance(seconds(9));
    timed_->longest_ms();
  }

  double first_look() {
    harness_->advance(seconds(2));
    return timed_->longest_ms();
  }
  double later_look() {
    harness_->set_pending(wish_, harness_->cluster().asks[wish_].pending + 1);
    harness_->advance(seconds(1));
    return timed_->longest_ms();
  }
  std::size_t preemptions() const { return harness_->preemptions().size(); }
  std::size_t containers() const { return harness_->cluster().containers.size(); }

 private:
  void submit_all(std::uint32_t queue, std::uint32_t containers) {
    for (std::uint32_t i = 0; i < applications_of_queue; ++i) {
      Application application;
      application.queue = names_.queues.intern("q" + std::to_string(queue));
      application.user = names_.users.intern("user");
      const ApplicationId id = harness_->submit(application);
      harness_->decide();
      wish_ = harness_->ask(id, {.demand = unit, .pending = containers});
    }
  }

  Names names_;
  std::unique_ptr<Timed> timed_;
  std::unique_ptr<PolicyHarness> harness_;
  AskId wish_;
};

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  const auto number = [&](int i, std::uint32_t otherwise) {
    return argc > i ? static_cast<std::uint32_t>(std::atoi(argv[i])) : otherwise;
  };
  const std::uint32_t queues = number(1, 100);
  const std::uint32_t containers = number(2, 100'000);
  std::vector<double> first;
  std::vector<double> later;
  std::size_t preemptions = 0;
  std::size_t running = 0;
  for (int i = 0; i < 5; ++i) {
    tracebed::Cluster cluster(queues, containers);
    first.push_back(cluster.first_look());
    preemptions = cluster.preemptions();
    running = cluster.containers();
    TRACEBED_CHECK(preemptions > 0, "the first look chooses something");
    for (int k = 0; k < 5; ++k) later.push_back(cluster.later_look());
  }
  std::sort(first.begin(), first.end());
  std::sort(later.begin(), later.end());
  std::printf(
      "%u queues, %zu containers: a look that chooses %zu takes %.2f ms, one after it "
      "%.3f ms (medians)\n",
      queues, running, preemptions, first[first.size() / 2], later[later.size() / 2]);
  return 0;
}
