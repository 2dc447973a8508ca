#include "system/thread_room.h"

#include <fmt/format.h>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include "core/input_error.h"

namespace tracebed {

void check_room_for_threads(std::size_t count, std::string_view for_what) {
  std::promise<void> all_there;
  const std::shared_future<void> end = all_there.get_future().share();
  std::vector<std::jthread> threads;
  bool is_refused = false;
  try {
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([end] { end.wait(); });
  } catch (const std::system_error&) {
    is_refused = true;
  }
  all_there.set_value();
  threads.clear();
  if (!is_refused) return;
  throw EnvironmentError(fmt::format(
      "expected {} more threads for {}, but no more can be started (RLIMIT_NPROC of this user, "
      "TasksMax= of a unit, pids.max of a cgroup)",
      count, for_what));
}

}  // namespace tracebed
