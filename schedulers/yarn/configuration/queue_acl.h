// Who may do something with a queue (org.apache.hadoop.security.authorize.AccessControlList).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

class QueueAcl {
 public:
  // Nobody.
  QueueAcl() = default;
  // "*": everybody. Otherwise users, a space, groups, both separated by commas: "alice,bob admins".
  // A list of only groups begins with the space; a space alone is nobody.
  explicit QueueAcl(std::string_view text);

  bool allows(std::string_view user, std::span<const std::string> groups) const;
  bool is_everybody() const { return is_everybody_; }

 private:
  bool is_everybody_ = false;
  std::vector<std::string> users_;
  std::vector<std::string> groups_;
};

}  // namespace tracebed
