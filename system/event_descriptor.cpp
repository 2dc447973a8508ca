#include "system/event_descriptor.h"

#include <cerrno>
#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/input_error.h"

namespace tracebed {

EventDescriptor::EventDescriptor() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!descriptor_.is_open()) {
    throw EnvironmentError("expected an event descriptor, got: " + error_text(errno));
  }
}

// Neither can fail in a way that matters: a counter that is full is readable, an empty one is not.
void EventDescriptor::ring() const {
  const std::uint64_t one = 1;
  static_cast<void>(::write(descriptor_.number(), &one, sizeof(one)));
}

void EventDescriptor::clear() const {
  std::uint64_t count = 0;
  static_cast<void>(::read(descriptor_.number(), &count, sizeof(count)));
}

}  // namespace tracebed
