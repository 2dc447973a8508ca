// Tells a person at the terminal how an experiment goes on: one line that is drawn over where
// stderr is a terminal, a line every ten seconds elsewhere.
#pragma once

#include <chrono>
#include <set>
#include <string>

#include "coordinator/runner/interruption.h"
#include "coordinator/runner/run_observer.h"

namespace tracebed {

// "[2/4] spread: 120/5894 jobs, 87 running, trace 3:12:45, about 4:10 left". The estimate, by jobs
// ended, is left out before the first one and at the end. `elapsed` is that of this replay so far.
std::string progress_text(const RunProgress& progress, std::chrono::seconds elapsed);

class ProgressLine final : public RunObserver {
 public:
  enum class Form { drawn_over, lines, quiet };

  // `interruption` outlives this.
  ProgressLine(const Interruption& interruption, Form form);
  ~ProgressLine() override;

  // drawn_over if stderr is a terminal, else lines.
  static Form form_of_stderr();

  bool goes_on() override;
  void progressed(const RunProgress& progress) override;
  // Every message once: replays of one trace warn alike.
  void warned(const std::string& message) override;
  // A line of its own, unless nothing is to be said.
  void said(const std::string& message);

 private:
  using Clock = std::chrono::steady_clock;

  void draw(const std::string& text);
  void clear_line();

  const Interruption& interruption_;
  Form form_;
  bool is_line_drawn_ = false;
  bool has_told_cancelling_ = false;
  std::set<std::string> warned_;
  std::uint32_t replay_ = 0;
  Clock::time_point replay_began_{};
  Clock::time_point last_line_{};
};

}  // namespace tracebed
