#include "coordinator/cli/progress_line.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "coordinator/cli/text_output.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

std::size_t terminal_columns() {
  winsize size{};
  constexpr std::size_t usual = 80;
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

}  // namespace

std::string replay_name(const RunProgress& progress) {
  if (progress.repetitions == 1 && !progress.is_noise) return progress.scheduler;
  return fmt::format("{}, {} {} of {}", progress.scheduler,
                     progress.is_noise ? "noise" : "repetition", progress.repetition,
                     progress.repetitions);
}

std::string progress_text(const RunProgress& progress, std::chrono::seconds elapsed) {
  std::string text = fmt::format(
      "[{}/{}] {}: {}/{} jobs, {} running, trace {}", progress.replay, progress.replays,
      replay_name(progress), progress.jobs_ended, progress.jobs, progress.containers,
      clock_text(std::chrono::floor<std::chrono::seconds>(progress.now.time_since_epoch())));
  const bool is_last = progress.replay == progress.replays && progress.jobs_ended == progress.jobs;
  constexpr double least_done = 1e-6;  // of which nothing can be estimated yet
  if (!(progress.done >= least_done) || is_last) return text;
  // If all replays take as long.
  const double left = static_cast<double>(elapsed.count()) * std::max(1 / progress.done - 1, 0.0);
  return text + fmt::format(", about {} left",
                            clock_text(std::chrono::seconds(static_cast<std::int64_t>(left))));
}

ProgressLine::ProgressLine(const Interruption& interruption, Form form)
    : interruption_(interruption), form_(form), last_line_(Clock::now()) {}

ProgressLine::~ProgressLine() {
  clear_line();
}

ProgressLine::Form ProgressLine::form_of_stderr() {
  return ::isatty(STDERR_FILENO) == 1 ? Form::drawn_over : Form::lines;
}

bool ProgressLine::should_continue() {
  const int signals = interruption_.count();
  if (signals == 0) return true;
  if (signals > 1) throw RunInterrupted();
  if (!has_announced_cancelling_) {
    has_announced_cancelling_ = true;
    clear_line();
    print_plain(stderr, "tracebed: cancelling the run; press Ctrl-C again to leave at once\n");
  }
  return false;
}

void ProgressLine::progressed(const RunProgress& progress) {
  const Clock::time_point now = Clock::now();
  if (!began_) began_ = now;
  if (form_ == Form::quiet) return;
  constexpr auto between_lines = std::chrono::seconds(10);
  if (form_ == Form::lines && now - last_line_ < between_lines) return;
  last_line_ = now;
  draw(progress_text(progress, std::chrono::duration_cast<std::chrono::seconds>(now - *began_)));
}

void ProgressLine::warned(const std::string& message) {
  if (!warned_.insert(message).second) return;
  clear_line();
  print_plain(stderr, "tracebed: warning: {}\n", message);
}

void ProgressLine::noted(const std::string& message) {
  if (form_ == Form::quiet) return;
  clear_line();
  print_plain(stderr, "tracebed: {}\n", message);
}

void ProgressLine::draw(const std::string& text) {
  if (form_ == Form::lines) {
    print_plain(stderr, "{}\n", text);
    return;
  }
  // A line that wraps could not be drawn over.
  const std::string shown = plain_line(text).substr(0, terminal_columns() - 1);
  std::fprintf(stderr, "\r\x1b[K%s", shown.c_str());
  std::fflush(stderr);
  is_line_drawn_ = true;
}

void ProgressLine::clear_line() {
  if (!is_line_drawn_) return;
  std::fprintf(stderr, "\r\x1b[K");
  std::fflush(stderr);
  is_line_drawn_ = false;
}

}  // namespace tracebed
