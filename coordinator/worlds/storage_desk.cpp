#include "coordinator/worlds/storage_desk.h"

#include <algorithm>
#include <chrono>

#include "core/shuffle.h"
#include "core/task_client.h"
#include "system/secret_number.h"

namespace tracebed {
namespace {

std::int64_t milliseconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

ServedNamenode::ServedNamenode(StorageGate& gate, std::string pool, const ReplayClock& clock)
    : gate_(gate), pool_(std::move(pool)), clock_(clock) {}

// Clients see wall time: that of the run's beginning, and what has passed since.
void ServedNamenode::serve(const Namenode& namenode) {
  const std::int64_t begin_ms = milliseconds_since_1970();
  const ReplayClock& clock = clock_;
  StorageTimes times;
  times.to_epoch = [&clock, begin_ms](TraceTime time) {
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(
        clock.to_wall(time.time_since_epoch()));
    return begin_ms + since.count();
  };
  times.from_epoch = [&clock, begin_ms](std::int64_t ms) {
    // Those before the run began are at its beginning.
    const std::chrono::milliseconds since(ms > begin_ms ? ms - begin_ms : 0);
    constexpr std::chrono::milliseconds most = std::chrono::hours(24 * 365 * 100);
    return TraceTime(clock.to_trace(std::min(since, most)));
  };
  gate_.open({&namenode, pool_, [&clock] { return clock.now(); }, std::move(times)});
  is_open_ = true;
}

void ServedNamenode::close(const std::string& reason) {
  if (!is_open_) return;
  is_open_ = false;
  gate_.close(reason);
}

RealStorage real_storage(const WorldPlan& plan, StorageGate& gate, DatanodeOrderQueue& orders,
                         std::string namenode) {
  const ResolvedStorage& resolved = *plan.experiment.storage_options;
  RealStorage storage;
  storage.gate = &gate;
  storage.orders = &orders;
  storage.datanodes = resolved.datanodes;
  storage.namenode = std::move(namenode);
  storage.user = resolved.namenode.superuser;
  storage.group = resolved.namenode.supergroup;
  if (resolved.namenode.shuffle) storage.shuffle_key = secret_bytes(shuffle_key_bytes);
  return storage;
}

std::optional<ReadBytes> served_bytes_of(const RealFleet& fleet) {
  const RealDatanodes* const datanodes = fleet.datanodes();
  if (datanodes == nullptr) return std::nullopt;
  ReadBytes bytes;
  for (const DatanodeRecord& record : datanodes->records()) {
    // One that was killed has counted what nobody knows.
    if (!record.has_left) return std::nullopt;
    if (record.transfers_before.total.transfers > 0) return std::nullopt;
    const auto& clients = record.transfers.clients;
    const auto tasks = std::find_if(clients.begin(), clients.end(), [](const auto& client) {
      return client.client == task_client_name;
    });
    if (tasks == clients.end()) {
      if (clients.size() == wire::transfer_clients_max) return std::nullopt;  // not all are stated
      continue;
    }
    bytes.node_local += static_cast<std::int64_t>(tasks->sums.bytes_read[0]);
    bytes.rack_local += static_cast<std::int64_t>(tasks->sums.bytes_read[1]);
    bytes.off_rack += static_cast<std::int64_t>(tasks->sums.bytes_read[2]);
  }
  return bytes;
}

}  // namespace tracebed
