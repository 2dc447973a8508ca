#include "coordinator/storage/leases.h"

#include "core/check.h"

namespace tracebed {

void Leases::add(const std::string& holder, InodeId file, TraceTime now) {
  TRACEBED_CHECK(!holder.empty(), "a lease has a holder");
  const auto [lease, is_new] = leases_.try_emplace(holder, Lease{now, {}});
  if (is_new) {
    by_renewal_.emplace(now, holder);
  } else {
    renew(holder, now);
  }
  lease->second.files.insert(file);
}

void Leases::remove(const std::string& holder, InodeId file) {
  const auto lease = leases_.find(holder);
  TRACEBED_CHECK(lease != leases_.end() && lease->second.files.erase(file) == 1,
                 "an open file is in the lease of its writer");
  if (!lease->second.files.empty()) return;
  by_renewal_.erase({lease->second.renewed, holder});
  leases_.erase(lease);
}

void Leases::renew(const std::string& holder, TraceTime now) {
  const auto lease = leases_.find(holder);
  if (lease == leases_.end()) return;
  by_renewal_.erase({lease->second.renewed, holder});
  lease->second.renewed = now;
  by_renewal_.emplace(now, holder);
}

const Leases::Lease* Leases::find(const std::string& holder) const {
  const auto lease = leases_.find(holder);
  return lease == leases_.end() ? nullptr : &lease->second;
}

TraceTime Leases::next_expiry() const {
  if (by_renewal_.empty()) return never;
  // HDFS: more than the limit ago.
  return by_renewal_.begin()->first + options_.hard_limit + microseconds(1);
}

std::vector<std::pair<std::string, InodeId>> Leases::expired(TraceTime now) const {
  std::vector<std::pair<std::string, InodeId>> files;
  for (const auto& [renewed, holder] : by_renewal_) {
    if (now - renewed <= options_.hard_limit) break;
    for (const InodeId file : leases_.at(holder).files) files.emplace_back(holder, file);
  }
  return files;
}

}  // namespace tracebed
