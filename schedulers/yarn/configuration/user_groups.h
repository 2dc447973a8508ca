// Which groups users belong to. YARN asks the machine it runs on
// (org.apache.hadoop.security.Groups); here a setting lists them, since a trace's users have no
// accounts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tracebed {

class UserGroups {
 public:
  // "alice=staff+research, bob=ops": of each user the groups, the primary one first. Fails with
  // what was expected, without what was found.
  static Result<UserGroups> parse(std::string_view text);
  // What parse() takes, for people.
  static constexpr std::string_view form = "USER=GROUP+GROUP, separated by commas";

  // A user who is not listed has one group, named like the user.
  std::vector<std::string> of(const std::string& user) const;

 private:
  std::map<std::string, std::vector<std::string>> groups_;
};

}  // namespace tracebed
