#include "coordinator/real/log_book.h"

#include <algorithm>

namespace tracebed {

void LogBook::add(const std::string& daemon, const wire::LogLines& log) {
  if (log.lines.empty()) return;
  const std::lock_guard lock(mutex_);
  std::deque<BookedLine>& own = lines_[daemon];
  if (log.lost > 0) {
    const std::string text = std::to_string(log.lost) + " lines before this one are lost";
    own.push_back({++last_, daemon, {log.lines.front().at, wire::Severity::warning, text}});
  }
  for (const wire::LogLine& line : log.lines) own.push_back({++last_, daemon, line});
  const std::size_t share =
      std::clamp(lines_max / lines_.size(), daemon_lines_min, daemon_lines_max);
  while (own.size() > share) own.pop_front();
}

std::vector<BookedLine> LogBook::read(const std::string& daemon, std::uint64_t after,
                                      std::size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<BookedLine> found;
  for (const auto& [name, lines] : lines_) {
    if (!daemon.empty() && name != daemon) continue;
    const auto first = std::partition_point(
        lines.begin(), lines.end(), [&](const BookedLine& line) { return line.number <= after; });
    const auto count = static_cast<std::size_t>(lines.end() - first);
    found.insert(found.end(),
                 count > limit ? lines.end() - static_cast<std::ptrdiff_t>(limit) : first,
                 lines.end());
  }
  std::sort(found.begin(), found.end(),
            [](const BookedLine& a, const BookedLine& b) { return a.number < b.number; });
  if (found.size() > limit) {
    found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(limit));
  }
  return found;
}

}  // namespace tracebed
