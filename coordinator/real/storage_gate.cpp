#include "coordinator/real/storage_gate.h"

#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

StorageReply not_now(std::string message) {
  return StorageFailure{StorageFailureKind::retriable, std::move(message)};
}

}  // namespace

bool StorageGate::read(const std::function<void(const View&)>& look) const {
  // Lets the run's thread in, also when `look` throws.
  struct Reading {
    const StorageGate& gate;
    ~Reading() {
      const std::lock_guard lock(gate.turn_mutex_);
      if (--gate.readers_ == 0) gate.turn_changed_.notify_all();
    }
  };
  {
    std::unique_lock lock(turn_mutex_);
    turn_changed_.wait(lock, [this] { return !is_inside_ || !run_; });
    if (!run_) return false;
    ++readers_;
  }
  const Reading reading{*this};
  look({run_->namenode->state(), datanodes_, run_->pool, run_->now(), run_->times});
  return true;
}

void StorageGate::call(StorageCall call, Reply reply) {
  std::string obstacle;
  {
    const std::lock_guard lock(calls_mutex_);
    if (!is_open_) {
      obstacle = "no run with storage is in progress";
    } else if (replies_.size() >= calls_max_) {
      obstacle = "too many calls wait for the namenode";
    } else {
      replies_.emplace(++last_ticket_, std::move(reply));
      waiting_.push_back({last_ticket_, std::move(call)});
      calls_wait_.ring();
      return;
    }
  }
  reply(not_now(std::move(obstacle)));
}

void StorageGate::open(Run run) {
  {
    const std::lock_guard lock(turn_mutex_);
    TRACEBED_CHECK(!run_ && run.namenode != nullptr, "a gate is open for one run at a time");
    run_ = std::move(run);
    is_inside_ = true;
  }
  const std::lock_guard lock(calls_mutex_);
  is_open_ = true;
}

void StorageGate::close(const std::string& reason) {
  std::map<std::uint64_t, Reply> unanswered;
  {
    const std::lock_guard lock(calls_mutex_);
    is_open_ = false;
    waiting_.clear();
    unanswered.swap(replies_);
    calls_wait_.clear();
  }
  for (auto& [ticket, reply] : unanswered) reply(not_now(reason));
  enter();
  const std::lock_guard lock(turn_mutex_);
  run_.reset();
  datanodes_ = {};
  map_outputs_.clear();
  turn_changed_.notify_all();
}

void StorageGate::leave() {
  const std::lock_guard lock(turn_mutex_);
  is_inside_ = false;
  turn_changed_.notify_all();
}

void StorageGate::enter() {
  std::unique_lock lock(turn_mutex_);
  is_inside_ = true;
  turn_changed_.wait(lock, [this] { return readers_ == 0; });
}

void StorageGate::set_place(NodeId node, DatanodePlace place) {
  datanodes_.set(node, std::move(place));
}

std::vector<StorageCalled> StorageGate::take_calls(std::size_t count) {
  const std::lock_guard lock(calls_mutex_);
  std::vector<StorageCalled> taken;
  while (!waiting_.empty() && taken.size() < count) {
    taken.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  if (waiting_.empty()) calls_wait_.clear();
  return taken;
}

void StorageGate::answer(const AnswerStorageCall& answer) {
  Reply reply;
  {
    const std::lock_guard lock(calls_mutex_);
    const auto found = replies_.find(answer.ticket);
    if (found == replies_.end()) return;
    reply = std::move(found->second);
    replies_.erase(found);
  }
  reply(answer.reply);
}

std::uint64_t StorageGate::next_ticket() {
  const std::lock_guard lock(calls_mutex_);
  return ++last_ticket_;
}

}  // namespace tracebed
