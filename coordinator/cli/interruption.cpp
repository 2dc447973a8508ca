#include "coordinator/cli/interruption.h"

#include <array>
#include <atomic>
#include <initializer_list>
#include <signal.h>

namespace tracebed {
namespace {

// A handler can reach nothing but statics.
std::atomic<int> signals{0};
static_assert(std::atomic<int>::is_always_lock_free);

constexpr std::array handled{SIGINT, SIGTERM};

void on_signal(int) {
  constexpr int last_caught = 2;
  if (signals.fetch_add(1) + 1 < last_caught) return;
  for (const int number : handled) ::signal(number, SIG_DFL);
}

}  // namespace

Interruption::Interruption() {
  signals = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;  // without SA_RESTART: waits of real fleets end early
  ::sigemptyset(&action.sa_mask);
  for (const int number : handled) ::sigaction(number, &action, nullptr);
}

Interruption::~Interruption() {
  for (const int number : handled) ::signal(number, SIG_DFL);
}

int Interruption::count() const {
  return signals.load();
}

}  // namespace tracebed
