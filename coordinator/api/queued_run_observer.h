// The queue's observer of the current run: writes progress into its entry, passes requested changes
// to the run. A part of run_queue.cpp.
#pragma once

#include <algorithm>
#include <memory>
#include <spdlog/spdlog.h>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/api/run_queue.h"

namespace tracebed {

class RunQueue::Watcher final : public RunObserver, public RunRequests {
 public:
  Watcher(RunQueue& queue, RunEntry& entry) : queue_(queue), entry_(entry) {}

  bool should_continue() override { return !queue_.is_cancelling_; }
  void progressed(const RunProgress& progress) override {
    const std::lock_guard lock(queue_.mutex_);
    entry_.progress = progress;
  }
  RunRequests* requests() override { return this; }
  bool wants_snapshot() override { return queue_.wants_snapshot_.exchange(false); }
  void shown(RunSnapshot snapshot) override {
    auto kept = std::make_shared<const RunSnapshot>(std::move(snapshot));
    const std::lock_guard lock(queue_.mutex_);
    queue_.snapshot_ = std::move(kept);
    queue_.shown_at_ = std::chrono::steady_clock::now();
    queue_.shown_.notify_all();
  }
  void joined(const std::string& node) override {
    const std::lock_guard lock(queue_.mutex_);
    queue_.nodes_.insert(node);
  }
  std::optional<NumberedChange> requested_change() override {
    if (!queue_.has_wishes_) return std::nullopt;
    const std::lock_guard lock(queue_.mutex_);
    NumberedChange request = std::move(queue_.requested_changes_.front());
    queue_.requested_changes_.erase(queue_.requested_changes_.begin());
    queue_.has_wishes_ = !queue_.requested_changes_.empty();
    return request;
  }
  void configured(const EffectiveConfiguration& configuration) override {
    auto kept = std::make_shared<const EffectiveConfiguration>(configuration);
    const std::lock_guard lock(queue_.mutex_);
    queue_.configuration_ = std::move(kept);
  }
  void changed(const ChangeOutcome& outcome) override {
    const std::lock_guard lock(queue_.mutex_);
    std::vector<RunChange>& changes = entry_.changes;
    if (changes.size() >= RunEntry::changes_max) changes.erase(changes.begin());
    changes.push_back({++entry_.changes_made, seconds_since_1970(), outcome.at, outcome.was_taken,
                       clipped(outcome.text), outcome.request});
  }
  void noted(const std::string& message) override {
    spdlog::info("run {}: {}", entry_.id, message);
  }
  void warned(const std::string& message) override {
    const std::string text = clipped(message);
    spdlog::warn("run {}: {}", entry_.id, text);
    const std::lock_guard lock(queue_.mutex_);
    std::vector<std::string>& warnings = entry_.warnings;
    const bool is_known = std::find(warnings.begin(), warnings.end(), text) != warnings.end();
    if (is_known || warnings.size() >= RunEntry::warnings_max) return;
    const bool is_last = warnings.size() + 1 == RunEntry::warnings_max;
    warnings.push_back(is_last ? "more warnings were raised than are kept here; see the journal"
                               : text);
  }

 private:
  RunQueue& queue_;
  RunEntry& entry_;  // elements of a map are not moved
};

}  // namespace tracebed
