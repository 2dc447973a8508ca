#include "system/interruption.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <semaphore.h>
#include <signal.h>

#include "core/check.h"

namespace tracebed {
namespace {

// A handler can reach nothing but statics.
std::atomic<int> signals{0};
std::atomic<int> first_signal{0};
std::atomic<bool> reload_is_due{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);
sem_t has_come;  // posting it is one of the few things a handler may do

constexpr std::array handled{SIGINT, SIGTERM, SIGHUP};

// Where SIGHUP was ignored when the program began (nohup), it stays so.
void handle_all(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;  // without SA_RESTART: waits of real fleets end early
  ::sigemptyset(&action.sa_mask);
  for (const int number : handled) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    if (number != SIGHUP || before.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr);
  }
}

void on_signal(int number) {
  constexpr int last_caught = 2;
  int none = 0;
  first_signal.compare_exchange_strong(none, number);
  const int count = signals.fetch_add(1) + 1;
  ::sem_post(&has_come);
  if (count >= last_caught) handle_all(SIG_DFL);
}

void on_reload(int /*number*/) {
  reload_is_due = true;
}

}  // namespace

Interruption::Interruption(Hangup hangup) {
  signals = 0;
  first_signal = 0;
  reload_is_due = false;
  TRACEBED_CHECK(::sem_init(&has_come, 0, 0) == 0, "a semaphore of this process starts at zero");
  handle_all(on_signal);
  if (hangup == Hangup::asks_to_reload) ::signal(SIGHUP, on_reload);
}

Interruption::~Interruption() {
  handle_all(SIG_DFL);
  ::sem_destroy(&has_come);
}

int Interruption::count() const {
  return signals.load();
}

int Interruption::first() const {
  return first_signal.load();
}

void Interruption::wait() const {
  while (signals.load() == 0) ::sem_wait(&has_come);  // EINTR, too, is a reason to look again
}

bool Interruption::wait_for(std::chrono::milliseconds timeout) const {
  const auto until = std::chrono::steady_clock::now().time_since_epoch() + timeout;
  const auto whole_seconds = std::chrono::floor<std::chrono::seconds>(until);
  const timespec moment{.tv_sec = whole_seconds.count(),
                        .tv_nsec = std::chrono::nanoseconds(until - whole_seconds).count()};
  while (signals.load() == 0) {
    if (::sem_clockwait(&has_come, CLOCK_MONOTONIC, &moment) != 0 && errno == ETIMEDOUT) break;
  }
  return signals.load() > 0;
}

bool Interruption::take_reload() {
  return reload_is_due.exchange(false);
}

}  // namespace tracebed
