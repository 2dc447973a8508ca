#include "coordinator/cli/retrying_client.h"

#include <algorithm>
#include <fmt/format.h>

namespace tracebed {

void RetryingClient::note_silence(const std::string& what) {
  constexpr std::chrono::milliseconds first_pause{100};
  constexpr std::chrono::milliseconds longest_pause{2'000};
  client_.reset();
  const Clock::time_point now = Clock::now();
  if (!silent_since_) {
    silent_since_ = now;
    pause_ = first_pause;
    report_(fmt::format("{}; retrying", what));
  } else {
    pause_ = std::min(2 * pause_, longest_pause);
  }
  if (now - *silent_since_ < silence_max) return;
  throw EnvironmentError(fmt::format("{}; gave up after {} s", what, silence_max.count()));
}

}  // namespace tracebed
