#include "agents/link/log_sender.h"

namespace tracebed::agent {

std::optional<wire::LogLines> LogSender::next() {
  constexpr auto between = std::chrono::seconds(1);
  const auto now = std::chrono::steady_clock::now();
  if (log_ == nullptr || now < due_) return std::nullopt;
  due_ = now + between;
  wire::LogLines sent;
  for (LoggedLine& line : log_->take(wire::log_lines_max)) {
    sent.lines.push_back(
        {line.at, static_cast<wire::Severity>(line.severity), std::move(line.text)});
  }
  if (sent.lines.empty()) return std::nullopt;
  sent.lost = log_->take_lost();
  return sent;
}

}  // namespace tracebed::agent
