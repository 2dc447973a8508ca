#include "schedulers/yarn/capacity/placement/named_queues.h"

#include <algorithm>

namespace tracebed {

NamedQueues::NamedQueues(const std::vector<NamedQueue>& queues) {
  std::map<std::string, NamedQueue, std::less<>> by_last_part;
  for (const NamedQueue& queue : queues) {
    queues_.emplace(queue.path, queue);
    const std::size_t dot = queue.path.rfind('.');
    if (dot == std::string::npos) continue;  // the root, which is its own name
    const std::string last = queue.path.substr(dot + 1);
    if (last == "root") continue;
    if (!by_last_part.emplace(last, queue).second) ambiguous_.insert(last);
  }
  for (const auto& [last, queue] : by_last_part) {
    if (!ambiguous_.contains(last)) queues_.emplace(last, queue);
  }
}

const NamedQueue* NamedQueues::find(std::string_view name) const {
  const auto found = queues_.find(name);
  return found == queues_.end() ? nullptr : &found->second;
}

bool NamedQueues::is_ambiguous(std::string_view name) const {
  return ambiguous_.contains(name);
}

std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    parts.emplace_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  // A text without any dot is one part, also if it is empty.
  while (parts.size() > 1 && parts.back().empty()) parts.pop_back();
  return parts;
}

std::string joined_path(const std::vector<std::string>& parts) {
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) path += (i == 0 ? "" : ".") + parts[i];
  return path;
}

}  // namespace tracebed
