#include "schedulers/yarn/configuration/user_groups.h"

#include <algorithm>

#include "core/text.h"

namespace tracebed {

Result<UserGroups> UserGroups::parse(std::string_view text) {
  const Error wrong{std::string("expected ") + std::string(form)};
  UserGroups result;
  for (const std::string& entry : split_list(text)) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) return wrong;
    std::vector<std::string>& groups =
        result.groups_[std::string(trimmed(std::string_view(entry).substr(0, equals)))];
    std::string_view left = std::string_view(entry).substr(equals + 1);
    while (!left.empty()) {
      const std::size_t plus = std::min(left.find('+'), left.size());
      const std::string_view group = trimmed(left.substr(0, plus));
      if (group.empty()) return wrong;
      groups.emplace_back(group);
      left = left.substr(std::min(plus + 1, left.size()));
    }
    if (groups.empty()) return wrong;
  }
  return result;
}

std::vector<std::string> UserGroups::of(const std::string& user) const {
  const auto listed = groups_.find(user);
  return listed == groups_.end() ? std::vector<std::string>{user} : listed->second;
}

}  // namespace tracebed
