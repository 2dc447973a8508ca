#include "agents/launcher/task_users.h"

#include <charconv>
#include <fcntl.h>
#include <limits>
#include <sstream>

#include "system/files.h"

namespace tracebed::launcher {
namespace {

// Below are the users of the machine, nobody among them (Debian policy 9.2.2).
constexpr std::uint64_t range_begin_min = 65'536;
// Some programs take user ids for signed numbers.
constexpr std::uint64_t range_end_max = std::numeric_limits<std::int32_t>::max();

bool holds(const std::string& map, std::uint64_t first, std::uint64_t last) {
  std::istringstream lines(map);
  std::uint64_t inside = 0;
  std::uint64_t outside = 0;
  std::uint64_t count = 0;
  while (lines >> inside >> outside >> count) {
    if (inside <= first && last < inside + count) return true;
  }
  return false;
}

std::string text_of(const char* path) {
  return read_kernel_file(AT_FDCWD, path).value_or("");
}

}  // namespace

UserLimits user_limits() {
  UserLimits limits;
  limits.process_numbers = parse_number(text_of("/proc/sys/kernel/pid_max")).value_or(0);
  limits.user_map = text_of("/proc/self/uid_map");
  limits.group_map = text_of("/proc/self/gid_map");
  return limits;
}

Result<TaskUsers> task_user_range(const std::string& text, uid_t agent, const UserLimits& limits) {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  const char* const end = text.data() + text.size();
  const auto one = std::from_chars(text.data(), end, first);
  const bool is_range = one.ec == std::errc{} && one.ptr != end && *one.ptr == '-';
  const auto other = is_range ? std::from_chars(one.ptr + 1, end, last) : one;
  if (!is_range || other.ec != std::errc{} || other.ptr != end || last < first) {
    return Error{"expected a range of user ids, FIRST-LAST, got '" + text + "'"};
  }
  if (first < range_begin_min || last > range_end_max) {
    return Error{"expected user ids from " + std::to_string(range_begin_min) + " to " +
                 std::to_string(range_end_max) + ", got " + text};
  }
  if (first <= agent && agent <= last) {
    return Error{"expected a range without the agent's user, which is " + std::to_string(agent) +
                 ", got " + text};
  }
  const std::uint64_t count = last - first + 1;
  const auto needed = static_cast<std::uint64_t>(limits.process_numbers);
  if (count < needed) {
    return Error{"expected a range of at least " + std::to_string(needed) +
                 " user ids, one for each process number (kernel.pid_max), got " + text};
  }
  if (!holds(limits.user_map, first, last) || !holds(limits.group_map, first, last)) {
    return Error{
        "expected users and groups that this user namespace has (/proc/self/uid_map), got " + text};
  }
  return TaskUsers{static_cast<uid_t>(first), static_cast<gid_t>(first),
                   static_cast<std::uint32_t>(count)};
}

}  // namespace tracebed::launcher
