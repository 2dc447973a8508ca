#include "daemon/line_limit.h"

namespace tracebed {

bool LineLimit::admits(const std::string& kind, Moment now) {
  auto found = windows_.find(kind);
  if (found == windows_.end()) {
    const bool has_room = windows_.size() < kinds_max;
    found = windows_.try_emplace(has_room ? kind : others, Window{now}).first;
  }
  return ++found->second.lines <= lines_max;
}

std::vector<LineLimit::LeftOut> LineLimit::take_left_out(Moment now) {
  std::vector<LeftOut> left_out;
  for (auto entry = windows_.begin(); entry != windows_.end();) {
    const auto& [kind, of_kind] = *entry;
    if (now < of_kind.begin + window) {
      ++entry;
      continue;
    }
    if (of_kind.lines > lines_max) left_out.push_back({kind, of_kind.lines - lines_max});
    entry = windows_.erase(entry);
  }
  return left_out;
}

}  // namespace tracebed
