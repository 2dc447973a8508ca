// Names from outside (users, queues, racks, nodes) interned to dense ids, once, where they enter.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/check.h"
#include "core/ids.h"

namespace tracebed {

// Ids are given in order of first appearance, so the same input gives the same ids.
template <class IdType>
class NameTable {
 public:
  IdType intern(std::string_view name) {
    if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
    const IdType id(names_.size());
    names_.emplace_back(name);
    ids_.emplace(names_.back(), id);  // the view stays valid: a deque does not move its elements
    return id;
  }
  std::optional<IdType> find(std::string_view name) const {
    const auto found = ids_.find(name);
    return found == ids_.end() ? std::nullopt : std::optional<IdType>(found->second);
  }
  const std::string& name(IdType id) const {
    TRACEBED_CHECK(id.index() < names_.size(),
                   "a name is asked only for an id given out by this table");
    return names_[id.index()];
  }
  std::size_t size() const { return names_.size(); }

  NameTable() = default;
  NameTable(NameTable&&) = default;
  NameTable& operator=(NameTable&&) = default;
  NameTable(const NameTable&) = delete;  // ids_ looks into names_
  NameTable& operator=(const NameTable&) = delete;

 private:
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, IdType> ids_;  // looked up, never iterated
};

// The names in a workload and its machines.
struct Names {
  NameTable<UserId> users;
  NameTable<QueueId> queues;
  NameTable<RackId> racks;
  NameTable<LabelId> labels;  // of nodes: YARN's partitions
};

}  // namespace tracebed
