// A small cluster under the Fair Scheduler, driven by hand. Users, queues and racks are named as
// they come; figures that are not given are what most stories do not care about.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/config/xml_file.h"
#include "core/names.h"
#include "schedulers/explained_figures.h"
#include "schedulers/policy_harness.h"
#include "schedulers/yarn/fair/fair_scheduler.h"

namespace tracebed {

struct Submission {
  std::string user = "alice";
  std::string queue;  // empty: names none
  Resources master;   // zero: unmanaged
  std::int32_t priority = 0;
};

class FairStory {
 public:
  // `allocations` is what stands in <allocations>.
  explicit FairStory(const std::string& allocations = "", SettingValues settings = {},
                     ResourceDimensions dimensions = {})
      : settings_(std::move(settings)), dimensions_(std::move(dimensions)) {
    auto made = FairScheduler::make(parameters(allocations));
    EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
    scheduler_ = std::move(made).value();
    harness_ = std::make_unique<PolicyHarness>(*scheduler_);
  }

  SchedulerParameters parameters(const std::string& allocations) const {
    SchedulerParameters parameters;
    parameters.settings = settings_;
    parameters.documents["config"] =
        parse_xml("<allocations>" + allocations + "</allocations>", "fair.xml");
    parameters.names = &names_;
    parameters.dimensions = dimensions_;
    return parameters;
  }
  void set(const std::string& setting, const std::string& value) { settings_[setting] = value; }
  Status reconfigure(const std::string& allocations) {
    return scheduler_->reconfigure(parameters(allocations), harness_->cluster());
  }

  std::vector<NodeId> nodes(std::size_t count, const Resources& capacity, std::uint32_t rack = 0) {
    std::vector<NodeId> added;
    for (std::size_t i = 0; i < count; ++i) {
      added.push_back(harness_->add_node(capacity, RackId(rack)));
    }
    harness_->decide();
    return added;
  }
  ApplicationId submit(const Submission& submission = {}) {
    Application application;
    application.user = names_.users.intern(submission.user);
    if (!submission.queue.empty()) application.queue = names_.queues.intern(submission.queue);
    application.master_demand = submission.master;
    application.priority = submission.priority;
    application.submitted = harness_->now();
    const ApplicationId id = harness_->submit(application);
    harness_->decide();
    return id;
  }
  // An application that asks for `units`.
  ApplicationId run(const Submission& submission, const AskFigures& figures = {}) {
    const ApplicationId id = submit(submission);
    asks_.push_back(harness_->ask(id, figures));
    harness_->decide();
    return id;
  }
  AskId last_ask() const { return asks_.back(); }

  // Which applications a heartbeat of the node gave something to, in order: "0 1 0".
  std::string beat(NodeId node) {
    std::string text;
    for (const Placement& placement : harness_->decide_at(node)) {
      placements_.push_back(placement);
      if (!text.empty()) text += ' ';
      text += std::to_string(owner(placement).value());
    }
    scheduler_->verify();
    harness_->verify();
    return text;
  }
  std::string beat(NodeId node, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) {
      const std::string given = beat(node);
      text += (text.empty() || given.empty() ? "" : " ") + given;
    }
    return text;
  }
  ApplicationId owner(const Placement& placement) const {
    return harness_->cluster().containers[placement.container].application;
  }
  const std::vector<Placement>& placements() const { return placements_; }

  const QueueView queue(const std::string& path) const {
    for (QueueView& view : scheduler_->view(harness_->cluster()).queues) {
      if (view.queue.path == path) return view;
    }
    return {};
  }
  bool has_queue(const std::string& path) const { return queue(path).queue.path == path; }
  std::string figure(const std::string& path, const std::string& name) const {
    return test::text_of(queue(path).queue.figures, name, dimensions_);
  }
  std::string queue_of(ApplicationId id) const {
    for (const ApplicationView& view : scheduler_->view(harness_->cluster()).applications) {
      if (view.application == id) return view.queue;
    }
    return "rejected: " + harness_->rejection(id);
  }
  bool is_running(ApplicationId id) const {
    for (const ApplicationView& view : scheduler_->view(harness_->cluster()).applications) {
      if (view.application == id) return view.is_active;
    }
    return false;
  }
  // The reasons' sentences, one a line.
  std::string why(ApplicationId id, AskId ask = AskId()) const {
    std::string text;
    for (const WaitingReason& reason : scheduler_->why_waiting(harness_->cluster(), id, ask)) {
      text += std::string(name(reason.reason)) + ": " + reason.text + "\n";
    }
    return text;
  }

  FairScheduler& scheduler() { return *scheduler_; }
  PolicyHarness& harness() { return *harness_; }
  Names& names() { return names_; }

 private:
  Names names_;
  SettingValues settings_;
  ResourceDimensions dimensions_;
  std::unique_ptr<FairScheduler> scheduler_;
  std::unique_ptr<PolicyHarness> harness_;
  std::vector<AskId> asks_;
  std::vector<Placement> placements_;
};

}  // namespace tracebed
