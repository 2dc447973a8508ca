#include "system/thread_without_signals.h"

#include <csignal>
#include <utility>

namespace tracebed {
namespace {

// A new thread begins with the signals blocked that its maker has blocked.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

std::thread thread_without_signals(std::function<void()> body) {
  const NoSignals none;
  return std::thread(std::move(body));
}

}  // namespace tracebed
