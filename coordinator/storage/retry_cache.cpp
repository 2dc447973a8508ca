#include "coordinator/storage/retry_cache.h"

namespace tracebed {

const StorageReply* RetryCache::find(const CallIdentity& identity, TraceTime now) const {
  const auto found = entries_.find(identity);
  if (found == entries_.end() || now - found->second.since > expiry_) return nullptr;
  return &found->second.reply;
}

void RetryCache::put(const CallIdentity& identity, const StorageReply& reply, TraceTime now) {
  while (!by_age_.empty()) {
    const auto oldest = entries_.find(by_age_.begin()->second);
    const bool is_over = oldest == entries_.end() || now - oldest->second.since > expiry_ ||
                         entries_.size() >= entries_max_;
    if (!is_over) break;
    if (oldest != entries_.end()) entries_.erase(oldest);
    by_age_.erase(by_age_.begin());
  }
  if (!entries_.insert_or_assign(identity, Entry{reply, now}).second) return;
  by_age_.emplace(next_number_++, identity);
}

}  // namespace tracebed
