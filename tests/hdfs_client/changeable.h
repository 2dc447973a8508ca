// A value that a test and the threads of its scripted peers share: neither knows of the order that
// their sockets make, so the thread sanitizer wants a lock.
#pragma once

#include <mutex>
#include <utility>

namespace tracebed::hdfs::test {

template <class Value>
class Changeable {
 public:
  Changeable() = default;
  explicit Changeable(Value value) : value_(std::move(value)) {}
  Changeable& operator=(Value value) {
    const std::lock_guard lock(mutex_);
    value_ = std::move(value);
    return *this;
  }
  Value get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  Value value_{};
};

}  // namespace tracebed::hdfs::test
