#include "agents/datanode/transfer_counters.h"

#include <algorithm>

namespace tracebed {

TransferCounts& TransferCounts::operator+=(const TransferCounts& other) {
  transfers += other.transfers;
  errors += other.errors;
  for (std::size_t i = 0; i < distances; ++i) {
    bytes_read[i] += other.bytes_read[i];
    bytes_written[i] += other.bytes_written[i];
  }
  return *this;
}

TransferCounts& TransferCounters::counts_of(std::string_view client) {
  if (clients_max_ == 0) return other_;
  client = client.substr(0, client_bytes_max);
  auto found = clients_.find(client);
  if (found == clients_.end()) {
    if (clients_.size() == clients_max_) {
      const auto silent = std::min_element(
          clients_.begin(), clients_.end(),
          [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; });
      other_ += silent->second.counts;
      clients_.erase(silent);
    }
    found = clients_.emplace(client, Client()).first;
  }
  found->second.last_use = ++uses_;
  return found->second.counts;
}

void TransferCounters::begun(std::string_view client) {
  const std::lock_guard lock(mutex_);
  ++counts_of(client).transfers;
}

void TransferCounters::failed(std::string_view client) {
  const std::lock_guard lock(mutex_);
  ++counts_of(client).errors;
}

void TransferCounters::read(std::string_view client, Distance distance, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  counts_of(client).bytes_read[static_cast<std::size_t>(distance)] += bytes;
}

void TransferCounters::written(std::string_view client, Distance distance, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  counts_of(client).bytes_written[static_cast<std::size_t>(distance)] += bytes;
}

TransferCounts TransferCounters::total() const {
  const std::lock_guard lock(mutex_);
  TransferCounts sum = other_;
  for (const auto& [name, client] : clients_) sum += client.counts;
  return sum;
}

TransferCounts TransferCounters::other() const {
  const std::lock_guard lock(mutex_);
  return other_;
}

std::vector<ClientTransfers> TransferCounters::clients() const {
  const std::lock_guard lock(mutex_);
  std::vector<ClientTransfers> clients;
  for (const auto& [name, client] : clients_) clients.push_back({name, client.counts});
  return clients;
}

}  // namespace tracebed
