// Names made of a prefix and a number, interned once per number: "user7", "queue2".
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/names.h"

namespace tracebed {

template <class IdType>
class NumberedNames {
 public:
  // `table` outlives this.
  NumberedNames(NameTable<IdType>& table, std::string prefix, std::string unknown)
      : table_(table), prefix_(std::move(prefix)), unknown_(std::move(unknown)) {}

  // A negative number is the unknown one.
  IdType operator()(std::int64_t number) {
    if (number >= 0 && number < static_cast<std::int64_t>(small_.size()) &&
        small_[static_cast<std::size_t>(number)].is_valid()) {
      return small_[static_cast<std::size_t>(number)];
    }
    return intern(number);
  }

 private:
  // Larger numbers are looked up in the table every time, so that one row cannot make this large.
  static constexpr std::int64_t small_max = 1 << 16;

  IdType intern(std::int64_t number) {
    if (number < 0) {
      if (!unknown_id_.is_valid()) unknown_id_ = table_.intern(unknown_);
      return unknown_id_;
    }
    const IdType id = table_.intern(prefix_ + std::to_string(number));
    if (number < small_max) {
      const auto index = static_cast<std::size_t>(number);
      if (index >= small_.size()) small_.resize(index + 1);
      small_[index] = id;
    }
    return id;
  }

  NameTable<IdType>& table_;
  std::string prefix_;
  std::string unknown_;
  std::vector<IdType> small_;
  IdType unknown_id_;
};

}  // namespace tracebed
