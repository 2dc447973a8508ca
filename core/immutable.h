// A large immutable value with several holders, each as if it had its own copy: the contents of a
// queued command must not change, and copying a job for every command that names it would cost more
// than the command. Never null.
#pragma once

#include <memory>
#include <utility>

namespace tracebed {

template <class Value>
class Immutable {
 public:
  Immutable() : Immutable(Value()) {}
  explicit Immutable(Value value) : value_(std::make_shared<const Value>(std::move(value))) {}

  const Value& operator*() const { return *value_; }
  const Value* operator->() const { return value_.get(); }

  // Compares values, not addresses.
  bool operator==(const Immutable& other) const {
    return value_ == other.value_ || *value_ == *other.value_;
  }

 private:
  std::shared_ptr<const Value> value_;
};

}  // namespace tracebed
