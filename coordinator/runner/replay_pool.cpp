#include "coordinator/runner/replay_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <sched.h>
#include <thread>
#include <utility>

#include "system/thread_room.h"

namespace tracebed {
namespace {

// What all threads share. All but the atomics is guarded by `mutex`.
struct SharedRuns {
  SharedRuns(std::span<const ReplayPlan> all, RunObserver& of_all)
      : plans(all), observer(of_all), requests(of_all.requests()), slots(all.size()) {}

  struct Slot {
    std::optional<FinishedReplay> finished;
    std::exception_ptr thrown;
    std::optional<RunProgress> progress;  // the latest, as is the next
    std::optional<EffectiveConfiguration> configuration;
    // What the observer is notified of when it is the replay's turn.
    std::vector<std::function<void()>> held_back;
    bool is_over = false;
  };

  std::span<const ReplayPlan> plans;
  RunObserver& observer;
  RunRequests* const requests;  // the observer's
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Slot> slots;
  std::size_t next = 0;  // plan to begin
  std::size_t running = 0;
  std::atomic<std::size_t> first = 0;  // of those that run, or the next to begin
  std::atomic<bool> is_ending = false;
  std::atomic<bool> is_interrupted = false;
  std::atomic<bool> has_request = false;
  std::optional<NumberedChange> requested;

  // Of all replays, the part that is done.
  double done() const {
    double sum = 0;
    for (const Slot& slot : slots) {
      if (slot.is_over) {
        sum += 1;
      } else if (slot.progress && slot.progress->jobs > 0) {
        sum += static_cast<double>(slot.progress->jobs_ended) /
               static_cast<double>(slot.progress->jobs);
      }
    }
    return sum / static_cast<double>(slots.size());
  }

  void show(std::size_t index) {
    if (!slots[index].progress) return;
    RunProgress progress = *slots[index].progress;
    // Replays before and after these are the experiment's, too.
    const std::size_t before = plans.front().position - 1;
    progress.done = (static_cast<double>(before) + done() * static_cast<double>(plans.size())) /
                    static_cast<double>(progress.replays);
    observer.progressed(progress);
  }

  void in_turn(std::size_t index, std::function<void()> notify) {
    if (index == first) return notify();
    slots[index].held_back.push_back(std::move(notify));
  }

  // The replays behind one that is over have their turn.
  void advance() {
    while (first < slots.size() && slots[first].is_over) {
      ++first;
      if (first == slots.size()) return;
      Slot& slot = slots[first];
      for (const auto& notify : std::exchange(slot.held_back, {})) notify();
      if (slot.configuration) requests->configured(*slot.configuration);
      show(first);
    }
  }
};

// What one replay reports and asks.
class ObserverOfOne final : public RunObserver, public RunRequests {
 public:
  ObserverOfOne(SharedRuns& shared, std::size_t index) : shared_(shared), index_(index) {}

  bool should_continue() override {
    if (shared_.is_interrupted) throw RunInterrupted();
    return !shared_.is_ending;
  }
  void progressed(const RunProgress& progress) override {
    const std::lock_guard lock(shared_.mutex);
    shared_.slots[index_].progress = progress;
    if (index_ == shared_.first) shared_.show(index_);
  }
  void warned(const std::string& message) override {
    in_turn([&observer = shared_.observer, message] { observer.warned(message); });
  }
  void noted(const std::string& message) override {
    in_turn([&observer = shared_.observer, message] { observer.noted(message); });
  }
  RunRequests* requests() override { return shared_.requests == nullptr ? nullptr : this; }

  bool wants_snapshot() override {
    if (index_ != shared_.first) return false;
    const std::lock_guard lock(shared_.mutex);
    return shared_.requests->wants_snapshot();
  }
  void shown(RunSnapshot snapshot) override {
    const std::lock_guard lock(shared_.mutex);
    shared_.requests->shown(std::move(snapshot));
  }
  void joined(const std::string& node) override {
    const std::lock_guard lock(shared_.mutex);
    shared_.requests->joined(node);
  }
  std::optional<NumberedChange> requested_change() override {
    if (!shared_.has_request || index_ != shared_.first) return std::nullopt;
    const std::lock_guard lock(shared_.mutex);
    shared_.has_request = false;
    return std::exchange(shared_.requested, std::nullopt);
  }
  void changed(const ChangeOutcome& outcome) override {
    in_turn([requests = shared_.requests, outcome] { requests->changed(outcome); });
  }
  void configured(const EffectiveConfiguration& configuration) override {
    const std::lock_guard lock(shared_.mutex);
    shared_.slots[index_].configuration = configuration;
    if (index_ == shared_.first) shared_.requests->configured(configuration);
  }

 private:
  void in_turn(std::function<void()> notify) {
    const std::lock_guard lock(shared_.mutex);
    shared_.in_turn(index_, std::move(notify));
  }

  SharedRuns& shared_;
  std::size_t index_;
};

std::vector<FinishedReplay> ended_so_far(const SharedRuns& shared) {
  std::vector<FinishedReplay> ended;
  for (const SharedRuns::Slot& slot : shared.slots) {
    if (slot.finished) ended.push_back(*slot.finished);
  }
  return ended;
}

// One thread's work: a plan after the other, until there is none or all are to end.
void work(SharedRuns& shared, const ReplayPool::Run& run, const ReplayPool::Ended& ended) {
  std::unique_lock lock(shared.mutex);
  while (!shared.is_ending && shared.next < shared.plans.size()) {
    const std::size_t index = shared.next++;
    SharedRuns::Slot& slot = shared.slots[index];
    lock.unlock();
    std::optional<FinishedReplay> finished;
    std::exception_ptr thrown;
    try {
      ObserverOfOne observer(shared, index);
      finished = run(shared.plans[index], observer);
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    if (thrown || finished->failure) shared.is_ending = true;
    slot.finished = std::move(finished);
    slot.thrown = thrown;
    slot.is_over = true;
    try {
      shared.advance();
      ended(ended_so_far(shared));
    } catch (...) {
      if (!slot.thrown) slot.thrown = std::current_exception();
      shared.is_ending = true;
    }
  }
  --shared.running;
  shared.changed.notify_all();
}

// On the caller's thread, while others work.
void attend(SharedRuns& shared) {
  constexpr auto between_looks = std::chrono::milliseconds(10);
  std::unique_lock lock(shared.mutex);
  const auto all_ended = [&] { return shared.running == 0; };
  while (!shared.changed.wait_for(lock, between_looks, all_ended)) {
    try {
      if (!shared.observer.should_continue()) shared.is_ending = true;
      if (shared.requests != nullptr && !shared.requested) {
        shared.requested = shared.requests->requested_change();
        shared.has_request = shared.requested.has_value();
      }
    } catch (const RunInterrupted&) {
      shared.is_interrupted = true;
      shared.is_ending = true;
    }
  }
}

}  // namespace

std::vector<FinishedReplay> ReplayPool::run(std::span<const ReplayPlan> plans,
                                            RunObserver& observer) {
  SharedRuns shared(plans, observer);
  const std::size_t count = std::min<std::size_t>(threads_, plans.size());
  check_room_for_threads(count, "replays at a time (virtual.parallel)");
  shared.running = count;
  std::vector<std::thread> threads;
  std::exception_ptr failure;  // a thread's that does not start, or the observer's
  try {
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&] { work(shared, run_, ended_); });
    }
    attend(shared);
  } catch (...) {
    failure = std::current_exception();
    shared.is_ending = true;
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  for (const SharedRuns::Slot& slot : shared.slots) {
    if (slot.thrown) std::rethrow_exception(slot.thrown);
  }
  return ended_so_far(shared);
}

std::uint32_t chosen_threads(const ExperimentTables& experiment) {
  if (experiment.world != World::simulated) return 1;
  if (experiment.simulated.parallel) return *experiment.simulated.parallel;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&allowed)));
}

}  // namespace tracebed
