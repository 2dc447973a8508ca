#include "schedulers/yarn/configuration/queue_acl.h"

#include <algorithm>

#include "core/text.h"

namespace tracebed {

QueueAcl::QueueAcl(std::string_view text)
    : is_everybody_(text.find('*') != std::string_view::npos) {
  if (is_everybody_) return;
  const std::size_t space = std::min(text.find(' '), text.size());
  users_ = split_list(text.substr(0, space));
  groups_ = split_list(text.substr(space));
}

bool QueueAcl::allows(std::string_view user, std::span<const std::string> groups) const {
  if (is_everybody_ || std::find(users_.begin(), users_.end(), user) != users_.end()) return true;
  return std::any_of(groups.begin(), groups.end(), [&](const std::string& group) {
    return std::find(groups_.begin(), groups_.end(), group) != groups_.end();
  });
}

}  // namespace tracebed
