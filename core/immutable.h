// A large value that never changes and that several hold, each as if it had a copy of its own: what
// a queued command says must stay true, and copying a job for every command that names it would
// cost more than the command. Never null.
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

  // By what they are, not by whose they are.
  bool operator==(const Immutable& other) const {
    return value_ == other.value_ || *value_ == *other.value_;
  }

 private:
  std::shared_ptr<const Value> value_;
};

}  // namespace tracebed
