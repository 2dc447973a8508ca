// A Capacity scheduler alone on a small cluster, told its queues as lines of its file. Amounts are
// in GiB of memory, and a core for each, unless a test says otherwise; nodes are on one rack.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/explained_figures.h"
#include "schedulers/policy_harness.h"
#include "schedulers/yarn/capacity/capacity_scheduler.h"
#include "support/scheduler_parameters.h"

namespace tracebed {

using Lines = std::vector<std::pair<std::string, std::string>>;

inline Resources gib(std::int64_t amount) {
  return {amount * 1'000, amount * 1'024};
}

// Two leaves of half the cluster each, one user may take all of a queue and more.
inline const Lines halves = {{"root.queues", "a,b"},
                             {"root.a.capacity", "50"},
                             {"root.b.capacity", "50"},
                             {"root.a.user-limit-factor", "10"},
                             {"root.b.user-limit-factor", "10"},
                             {"maximum-am-resource-percent", "1"}};

inline Lines with(Lines lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

// One leaf with everything.
inline Lines one_queue(const Lines& more = {}) {
  return with({{"root.queues", "a"},
               {"root.a.capacity", "100"},
               {"root.a.user-limit-factor", "10"},
               {"maximum-am-resource-percent", "1"}},
              more);
}

class CapacityWorld {
 public:
  // `lines` are without the prefix "yarn.scheduler.capacity.".
  explicit CapacityWorld(const Lines& lines, const SettingValues& settings = {},
                         ResourceDimensions dimensions = {})
      : dimensions_(std::move(dimensions)),
        scheduler_(make(lines, settings)),
        harness_(*scheduler_) {}

  CapacityScheduler& scheduler() { return *scheduler_; }
  PolicyHarness& harness() { return harness_; }
  const CapacityState& state() const { return scheduler_->state(); }

  void add_nodes(int count, std::int64_t gibs, std::uint32_t rack = 0,
                 const std::vector<std::string>& labels = {}) {
    for (int i = 0; i < count; ++i) harness_.add_node(gib(gibs), RackId(rack), labels);
    harness_.decide();
  }
  ApplicationId submit(const std::string& queue, const std::string& user, std::int32_t priority = 0,
                       const Resources& master = {}) {
    Application application;
    application.queue = names_.queues.intern(queue);
    application.user = names_.users.intern(user);
    application.priority = priority;
    application.submitted = harness_.now();
    application.master_demand = master;
    const ApplicationId id = harness_.submit(application);
    harness_.decide();
    return id;
  }
  // Containers of `gibs` each.
  AskId ask(ApplicationId application, std::int64_t gibs, std::uint32_t units) {
    return harness_.ask(application, {.demand = gib(gibs), .pending = units});
  }
  LabelId label(const std::string& name) { return names_.labels.intern(name); }

  // The node beats until nobody takes anything more; returns how many containers were placed.
  std::size_t fill(NodeId node) {
    std::size_t placed = 0;
    for (;;) {
      const std::vector<Placement> now = harness_.decide_at(node);
      remember(now);
      verify();
      if (now.empty()) return placed;
      placed += now.size();
    }
  }
  // All nodes beat in turn until nobody takes anything more.
  std::size_t fill_all() {
    std::size_t placed = 0;
    for (std::size_t before = ~std::size_t{0}; before != placed;) {
      before = placed;
      for (const Node& node : harness_.cluster().nodes) {
        if (node.alive) placed += fill(node.id);
      }
    }
    return placed;
  }
  // One heartbeat of the node; what was placed, as text.
  std::string beat(std::size_t node) {
    const std::vector<Placement> placed = harness_.decide_at(NodeId(node));
    remember(placed);
    verify();
    return to_text(placed);
  }
  // Ends the oldest container of the application that still runs.
  void end_one(ApplicationId application) {
    for (std::size_t i = 0; i < running_.size(); ++i) {
      const Container* container = harness_.cluster().containers.find(running_[i]);
      if (container == nullptr || container->application != application) continue;
      harness_.end(running_[i]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      harness_.decide();
      verify();
      return;
    }
    FAIL() << "no container of application " << application.value() << " runs";
  }
  void finish(ApplicationId application) {
    harness_.finish(application);
    harness_.decide();
    verify();
  }

  // In GiB.
  std::int64_t used(const std::string& path, const std::string& label = "") const {
    return use(path, label).used.memory_mib() / 1'024;
  }
  std::int64_t used(ApplicationId application) const {
    return harness_.cluster().applications[application].used.memory_mib() / 1'024;
  }
  std::int64_t reserved(const std::string& path) const {
    return use(path, "").reserved.memory_mib() / 1'024;
  }
  const QueueUse& use(const std::string& path, const std::string& label = "") const {
    const RunningQueue& queue = state().tree()[index_of(path)];
    for (PartitionIndex p = 0; p < state().partitions().size(); ++p) {
      if (state().partitions().label(p) == label) return queue.uses[p];
    }
    ADD_FAILURE() << "there is no partition " << label;
    return queue.uses[0];
  }
  QueueIndex index_of(const std::string& path) const {
    const auto& queues = state().configuration().queues;
    for (QueueIndex i = 0; i < queues.size(); ++i) {
      if (queues[i].path == path) return i;
    }
    ADD_FAILURE() << "there is no queue " << path;
    return 0;
  }
  bool is_active(ApplicationId application) const {
    return state().application(application)->stage == RunningApplication::Stage::active;
  }
  std::uint32_t missed(AskId ask) const { return state().ask(ask)->missed; }
  // What the page of queues shows of it.
  std::string figure(const std::string& path, const std::string& name) const {
    for (const QueueView& view : scheduler_->view(harness_.cluster()).queues) {
      if (view.queue.path == path) return test::text_of(view.queue.figures, name);
    }
    return "none";
  }
  std::string why(ApplicationId application) const {
    std::string text;
    for (const WaitingReason& reason :
         scheduler_->why_waiting(harness_.cluster(), application, AskId())) {
      text += (text.empty() ? "" : "; ") + reason.text;
    }
    return text;
  }
  // `whole` are further properties, by their whole names.
  Status refresh(const Lines& lines, const SettingValues& settings = {}, const Lines& whole = {}) {
    return scheduler_->reconfigure(parameters(lines, settings, whole), harness_.cluster());
  }

  // used by a parent = Σ by its children; by a leaf = Σ by its users = Σ by its applications; no
  // queue above its maximum.
  void verify() const;

 private:
  SchedulerParameters parameters(const Lines& lines, const SettingValues& settings,
                                 const Lines& whole = {}) const {
    std::vector<std::pair<std::string, std::string>> properties = whole;
    for (const auto& [name, value] : lines) {
      properties.emplace_back("yarn.scheduler.capacity." + name, value);
    }
    SchedulerParameters result;
    result.settings = settings;
    result.dimensions = dimensions_;
    result.names = &names_;
    result.documents["config"] = test::hadoop_configuration(properties);
    return result;
  }
  std::unique_ptr<CapacityScheduler> make(const Lines& lines, const SettingValues& settings) const {
    Result<CapacitySettings> read = read_capacity_settings(parameters(lines, settings));
    TRACEBED_CHECK(read.has_value(), read ? "" : read.error().message.c_str());
    return std::make_unique<CapacityScheduler>(std::move(read).value());
  }
  void remember(const std::vector<Placement>& placed) {
    for (const Placement& each : placed) running_.push_back(each.container);
  }

  Names names_;
  ResourceDimensions dimensions_;
  std::unique_ptr<CapacityScheduler> scheduler_;
  PolicyHarness harness_;
  std::vector<ContainerId> running_;
};

// Nodes 0 and 1, of 8 GiB each, have 6 used then.
inline void fill_six_each(CapacityWorld& world, ApplicationId filler) {
  world.harness().ask(filler, {.demand = gib(6), .pending = 2});
  world.beat(0);
  world.beat(1);
}

}  // namespace tracebed
