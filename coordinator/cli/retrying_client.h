// A client that retries while the coordinator does not answer, because it restarts or is cut off.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "coordinator/api/control_client.h"
#include "coordinator/cli/coordinator_flag.h"
#include "core/input_error.h"

namespace tracebed {

class RetryingClient {
 public:
  // Timeout of an answer.
  static constexpr std::chrono::seconds silence_max{60};

  // `report` is called with a sentence when answers cease; `flags` outlive this.
  RetryingClient(const CoordinatorFlags& flags, std::function<void(const std::string&)> report)
      : flags_(flags), report_(std::move(report)) {}

  // What `call(ControlClient&)` returns; none if there was no answer, and retry_pause() is to pass.
  // Throws EnvironmentError after silence_max without an answer, and ControlRefusal.
  template <class Call>
  auto ask_once(Call call) -> std::optional<decltype(call(std::declval<ControlClient&>()))> {
    try {
      if (!client_) client_.emplace(connect_to(flags_));
      auto answer = call(*client_);
      silent_since_.reset();
      return answer;
    } catch (const EnvironmentError& error) {
      note_silence(error.what());
      return std::nullopt;
    }
  }
  // The same until there is an answer. Calls `look`, which may throw, while it waits.
  template <class Call>
  auto ask(Call call, const std::function<void()>& look) {
    for (;;) {
      look();
      if (auto answer = ask_once(call)) return *std::move(answer);
      std::this_thread::sleep_for(retry_pause());
    }
  }

  bool is_silent() const { return silent_since_.has_value(); }
  // Grows from try to try, up to two seconds.
  std::chrono::milliseconds retry_pause() const { return pause_; }

 private:
  using Clock = std::chrono::steady_clock;

  void note_silence(const std::string& what);

  const CoordinatorFlags& flags_;
  std::function<void(const std::string&)> report_;
  std::optional<ControlClient> client_;
  std::optional<Clock::time_point> silent_since_;
  std::chrono::milliseconds pause_{0};
};

}  // namespace tracebed
