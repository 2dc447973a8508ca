// The users of containers' processes. With a range of users, each container has one of its own: the
// range's first, plus the number of the container's first process, which no other process of the
// machine has meanwhile. So launchers that know nothing of each other never give two containers one
// user, and no state is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

#include "core/result.h"

namespace tracebed {

struct TaskUsers {
  uid_t first = 0;
  gid_t group = 0;          // the first of `count` groups
  std::uint32_t count = 1;  // 1: all containers are this user's

  bool is_range() const { return count > 1; }
};

namespace launcher {

// Unassigned on a Debian machine: above the users of directory services and of containers, within
// the range of a signed number (systemd.io/UIDS-GIDS).
inline constexpr uid_t first_task_user_default = 2'100'000'000;
inline constexpr std::uint32_t task_users_default = 4'194'304;  // the kernel's limit of processes

// A machine's limits on users, from /proc.
struct UserLimits {
  std::int64_t process_numbers = 0;  // process numbers are below this
  std::string user_map;              // of this user namespace; user_namespaces(7)
  std::string group_map;
};
UserLimits user_limits();

// A range FIRST-LAST. The error says what is wrong with it on such a machine: it is no range,
// begins with users that a machine gives to people and daemons, contains `agent`, has fewer users
// than there are process numbers, or users that the namespace does not have.
Result<TaskUsers> task_user_range(const std::string& text, uid_t agent, const UserLimits& limits);

}  // namespace launcher
}  // namespace tracebed
