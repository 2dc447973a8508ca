// Shows the progress of an experiment: one line that is redrawn if stderr is a terminal, otherwise
// a line every ten seconds.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "coordinator/monitoring/run_observer.h"
#include "system/interruption.h"

namespace tracebed {

// "spread", or if there are several repetitions "spread, repetition 2 of 10".
std::string replay_name(const RunProgress& progress);

// "[2/4] spread: 120/5894 jobs, 87 running, trace 3:12:45, about 4:10 left"; if there are several,
// the repetition follows the scheduler. The estimate, by jobs ended, is left out before the first
// one and at the end. `elapsed` is the time since the first replay began.
std::string progress_text(const RunProgress& progress, std::chrono::seconds elapsed);

class ProgressLine final : public RunObserver {
 public:
  enum class Form { drawn_over, lines, quiet };

  // `interruption` outlives this.
  ProgressLine(const Interruption& interruption, Form form);
  ~ProgressLine() override;

  // drawn_over if stderr is a terminal, else lines.
  static Form form_of_stderr();

  bool should_continue() override;
  void progressed(const RunProgress& progress) override;
  // Every message once: replays of one trace warn alike.
  void warned(const std::string& message) override;
  // On a line of its own, unless quiet.
  void noted(const std::string& message) override;
  // Other output follows: clears what was drawn.
  void finish() { clear_line(); }

 private:
  using Clock = std::chrono::steady_clock;

  void draw(const std::string& text);
  void clear_line();

  const Interruption& interruption_;
  Form form_;
  bool is_line_drawn_ = false;
  bool has_announced_cancelling_ = false;
  std::set<std::string> warned_;
  std::optional<Clock::time_point> began_;
  Clock::time_point last_line_{};
};

}  // namespace tracebed
