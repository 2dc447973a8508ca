// A small cluster under one of the slot schedulers, driven by hand. Users and queues are named as
// they come. Nodes have the slots that the settings say, and room for whatever they hold.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/config/xml_file.h"
#include "core/map_reduce_priorities.h"
#include "core/names.h"
#include "schedulers/explained_figures.h"
#include "schedulers/policy_harness.h"
#include "support/schedulers.h"

namespace tracebed {

struct SlotSubmission {
  std::string user = "alice";
  std::string queue;  // empty: names none
  std::int32_t priority = 0;
  Duration deadline{};  // from the submission; zero: none
  std::uint64_t maps = 0;
  std::uint64_t reduces = 0;
};

class SlotStory {
 public:
  // `document` is what stands in the file of the setting `config`; empty: there is none.
  SlotStory(std::string scheduler, SettingValues settings, const std::string& document = "")
      : name_(std::move(scheduler)), settings_(std::move(settings)) {
    auto made = test::schedulers().make(name_, parameters(document));
    EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
    scheduler_ = std::move(made).value();
    harness_ = std::make_unique<PolicyHarness>(*scheduler_);
  }

  SchedulerParameters parameters(const std::string& document) const {
    SchedulerParameters parameters;
    parameters.settings = settings_;
    if (!document.empty()) parameters.documents["config"] = parse_xml(document, "file.xml");
    parameters.names = &names_;
    return parameters;
  }

  std::vector<NodeId> nodes(std::size_t count, std::uint32_t rack = 0) {
    std::vector<NodeId> added;
    for (std::size_t i = 0; i < count; ++i) {
      added.push_back(harness_->add_node(Resources(100'000, 100'000), RackId(rack)));
    }
    harness_->decide();
    return added;
  }

  ApplicationId submit(const SlotSubmission& submission = {}) {
    Application application;
    application.user = names_.users.intern(submission.user);
    if (!submission.queue.empty()) application.queue = names_.queues.intern(submission.queue);
    application.priority = submission.priority;
    application.submitted = harness_->now();
    if (submission.deadline > Duration::zero()) {
      application.deadline = harness_->now() + submission.deadline;
    }
    application.maps = submission.maps;
    application.reduces = submission.reduces;
    const ApplicationId id = harness_->submit(application);
    harness_->decide();
    return id;
  }
  // A job with so many maps and reduces to give.
  ApplicationId run(SlotSubmission submission, std::uint32_t maps, std::uint32_t reduces = 0) {
    submission.maps = maps;
    submission.reduces = reduces;
    const ApplicationId id = submit(submission);
    if (maps > 0) maps_of(id, {.pending = maps});
    if (reduces > 0) reduces_of(id, reduces);
    return id;
  }
  AskId maps_of(ApplicationId id, AskFigures figures) {
    figures.priority = map_reduce_priority(StageKind::map);
    const AskId ask = harness_->ask(id, figures);
    harness_->decide();
    return ask;
  }
  AskId reduces_of(ApplicationId id, std::uint32_t count) {
    const AskId ask = harness_->ask(id, {.pending = count,
                                         .priority = map_reduce_priority(StageKind::reduce),
                                         .kind = StageKind::reduce});
    harness_->decide();
    return ask;
  }

  // What a heartbeat of the node gave, in order, by application: maps as "0", reduces as "0r".
  std::string beat(NodeId node) {
    std::string text;
    for (const Placement& placement : harness_->decide_at(node)) {
      const Container& container = harness_->cluster().containers[placement.container];
      const bool is_reduce = harness_->cluster().asks[placement.ask].kind == StageKind::reduce;
      containers_.push_back(placement.container);
      text += (text.empty() ? "" : " ") + std::to_string(container.application.value()) +
              (is_reduce ? "r" : "");
    }
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
  // The n-th container that a heartbeat gave ends.
  void end(std::size_t index, ContainerEnd how = ContainerEnd::succeeded) {
    harness_->end(containers_[index], how);
    harness_->decide();
  }
  ContainerId container(std::size_t index) const { return containers_[index]; }

  std::string figure(const std::string& queue, const std::string& name) const {
    for (const QueueView& view : scheduler_->view(harness_->cluster()).queues) {
      if (view.queue.path == queue) return test::text_of(view.queue.figures, name);
    }
    return "none";
  }
  std::string figure(ApplicationId id, const std::string& name) const {
    for (const ApplicationView& view : scheduler_->view(harness_->cluster()).applications) {
      if (view.application == id) return test::text_of(view.figures, name);
    }
    return "none";
  }
  std::string why(ApplicationId id) const {
    std::string text;
    for (const WaitingReason& reason : scheduler_->why_waiting(harness_->cluster(), id, AskId())) {
      text += std::string(name(reason.reason)) + ": " + reason.text;
    }
    return text;
  }
  Status reconfigure(const std::string& document) {
    return scheduler_->reconfigure(parameters(document), harness_->cluster());
  }

  void set(const std::string& setting, const std::string& value) { settings_[setting] = value; }
  Scheduler& scheduler() { return *scheduler_; }
  PolicyHarness& harness() { return *harness_; }

 private:
  std::string name_;
  Names names_;
  SettingValues settings_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<PolicyHarness> harness_;
  std::vector<ContainerId> containers_;
};

}  // namespace tracebed
