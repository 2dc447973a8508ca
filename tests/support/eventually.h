// Waiting for what other processes and threads do.
#pragma once

#include <chrono>
#include <thread>

namespace tracebed {

// How long tests wait for what must happen. A wait ends when the thing happens, so this costs time
// only where a test fails; it is long, since a loaded machine may be slow without being wrong.
inline constexpr std::chrono::seconds timeout{100};

// True as soon as `condition` is; false when timeout has run out.
template <class Condition>
bool eventually(Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace tracebed
