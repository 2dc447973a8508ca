#include "coordinator/cli/follow_run.h"

#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <signal.h>
#include <thread>

#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::chrono::milliseconds between_looks{500};

bool has_ended(const control::RunStatus& status) {
  return status.state != control::RunState::WAITING && status.state != control::RunState::RUNNING;
}

}  // namespace

RunProgress to_progress(const control::ReplayProgress& wire) {
  RunProgress progress;
  progress.scheduler = wire.scheduler;
  progress.replay = static_cast<std::uint32_t>(wire.replay);
  progress.replays = static_cast<std::uint32_t>(wire.replays);
  progress.repetition = static_cast<std::uint32_t>(wire.repetition);
  progress.repetitions = static_cast<std::uint32_t>(wire.repetitions);
  progress.is_noise = wire.is_noise;
  progress.done = wire.done;
  progress.jobs = static_cast<std::uint64_t>(wire.jobs);
  progress.jobs_submitted = static_cast<std::uint64_t>(wire.jobs_submitted);
  progress.jobs_ended = static_cast<std::uint64_t>(wire.jobs_ended);
  progress.containers = static_cast<std::uint64_t>(wire.containers);
  progress.now = TraceTime(Duration(wire.trace_microseconds));
  return progress;
}

namespace {

class Follower {
 public:
  Follower(RetryingClient& client, std::int64_t run, const Interruption& interruption,
           ProgressLine& progress)
      : client_(client), run_(run), interruption_(interruption), progress_(progress) {}

  FollowedRun follow() {
    for (;;) {
      if (std::optional<control::RunStatus> status = look()) {
        show(*status);
        if (has_ended(*status)) return {*std::move(status), false};
      }
      if (is_to_be_left()) return {{}, true};
      pause();
    }
  }

 private:
  std::optional<control::RunStatus> look() {
    try {
      return client_.ask_once([this](ControlClient& client) { return client.status(run_); });
    } catch (const EnvironmentError& error) {
      throw EnvironmentError(fmt::format("{}; run {} may still be running: tracebed status {}",
                                         error.what(), run_, run_));
    }
  }

  void show(const control::RunStatus& status) {
    for (const std::string& warning : status.warnings) progress_.warned(warning);
    if (status.state == control::RunState::WAITING && status.ahead != ahead_) {
      ahead_ = status.ahead;
      progress_.noted(fmt::format("run {} is queued; {} before it", run_, ahead_));
    }
    if (status.waits_for != waits_for_) {
      waits_for_ = status.waits_for;
      progress_.noted(waits_for_.empty() ? "the queue goes on"
                                         : fmt::format("the queue is paused: {}", waits_for_));
    }
    if (status.__isset.progress) progress_.progressed(to_progress(status.progress));
  }

  bool is_to_be_left() {
    const int signals = interruption_.count();
    if (signals == 0) return false;
    if (signals == 1 && interruption_.first() == SIGINT) {
      cancel();
      return false;
    }
    progress_.noted(
        fmt::format("detached; tracebed status {0} shows its status, tracebed fetch {0} downloads "
                    "its folder",
                    run_));
    return true;
  }

  void cancel() {
    if (is_cancelled_ || client_.is_silent()) return;  // tried again when the coordinator is back
    const auto asked = client_.ask_once([this](ControlClient& client) {
      try {
        client.cancel(run_);
      } catch (const ControlRefusal&) {  // it has ended meanwhile
      }
      return true;
    });
    if (!asked) return;
    is_cancelled_ = true;
    progress_.noted(fmt::format("cancelling run {}; press Ctrl-C again to detach", run_));
  }

  void pause() {
    const auto time = client_.is_silent() ? client_.retry_pause() : between_looks;
    if (interruption_.count() > 0) {
      std::this_thread::sleep_for(std::min(time, std::chrono::milliseconds(100)));
    } else {
      interruption_.wait_for(time);
    }
  }

  RetryingClient& client_;
  std::int64_t run_;
  const Interruption& interruption_;
  ProgressLine& progress_;
  std::int32_t ahead_ = -1;
  std::string waits_for_;
  bool is_cancelled_ = false;
};

}  // namespace

FollowedRun follow_run(RetryingClient& client, std::int64_t run, const Interruption& interruption,
                       ProgressLine& progress) {
  return Follower(client, run, interruption, progress).follow();
}

}  // namespace tracebed
