#include "system/small_thread.h"

#include <memory>

namespace tracebed {
namespace {

void* run_body(void* body) {
  const std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()>*>(body));
  (*owned)();
  return nullptr;
}

}  // namespace

std::optional<SmallThread> SmallThread::start(std::size_t stack_bytes, std::function<void()> body) {
  auto owned = std::make_unique<std::function<void()>>(std::move(body));
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return std::nullopt;
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread{};
  const int failure = pthread_create(&thread, &attributes, run_body, owned.get());
  pthread_attr_destroy(&attributes);
  if (failure != 0) return std::nullopt;
  (void)owned.release();  // the thread's
  return SmallThread(thread);
}

void SmallThread::join() {
  if (thread_) pthread_join(*std::exchange(thread_, std::nullopt), nullptr);
}

}  // namespace tracebed
