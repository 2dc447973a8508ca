// Replies of calls that must not be executed twice, for clients that repeat them because they did
// not get the first reply (org.apache.hadoop.ipc.RetryCache). Only successes are kept: a call that
// failed has changed nothing and is executed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "core/storage_reply.h"

namespace tracebed {

class RetryCache {
 public:
  RetryCache(std::size_t entries_max, Duration expiry)
      : entries_max_(entries_max), expiry_(expiry) {}

  // Null if there is none, or none any more.
  const StorageReply* find(const CallIdentity& identity, TraceTime now) const;
  // The oldest gives way when there are too many.
  void put(const CallIdentity& identity, const StorageReply& reply, TraceTime now);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    StorageReply reply;
    TraceTime since{};
  };
  std::size_t entries_max_;
  Duration expiry_;
  std::map<CallIdentity, Entry> entries_;
  std::map<std::uint64_t, CallIdentity> by_age_;
  std::uint64_t next_number_ = 0;
};

}  // namespace tracebed
