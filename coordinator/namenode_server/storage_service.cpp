#include "coordinator/namenode_server/storage_service.h"

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "coordinator/namenode_server/storage_conversions.h"
#include "coordinator/storage/file_lookup.h"
#include "coordinator/storage/namenode_queries.h"

namespace tracebed {
namespace {

storage::StorageException exception_of(const StorageFailure& failure) {
  storage::StorageException thrown;
  thrown.exception_class = exception_class(failure.kind);
  thrown.message = failure.message;
  return thrown;
}

storage::StorageException bad_argument(std::string message) {
  return exception_of({StorageFailureKind::illegal_argument, std::move(message)});
}

// What another thread says once; it may come too late. Shared, as neither knows who is last.
template <class T>
class Promised {
 public:
  auto setter() const {
    return [promise = promise_](const T& value) { promise->set_value(value); };
  }
  T wait(std::chrono::milliseconds timeout, const std::string& who) const {
    std::future<T> future = promise_->get_future();
    if (future.wait_for(timeout) == std::future_status::ready) return future.get();
    throw exception_of(
        {StorageFailureKind::retriable,
         who + " has not answered within " + std::to_string(timeout.count()) + " ms"});
  }

 private:
  std::shared_ptr<std::promise<T>> promise_ = std::make_shared<std::promise<T>>();
};

// Whether `given` is "ADDRESS:PORT" or "ADDRESS" of it.
bool is_named(const DatanodePlace& place, const std::string& given) {
  return given == place.address || given == storage_name(place);
}

}  // namespace

void StorageService::look(const std::function<void(const StorageGate::View&)>& look) const {
  if (gate_.read(look)) return;
  throw exception_of({StorageFailureKind::retriable, "no run with storage is in progress"});
}

NodeId StorageService::node_named(const std::string& datanode) const {
  std::vector<NodeId> found;
  look([&](const StorageGate::View& view) {
    for (std::size_t i = 0; i < view.datanodes.size(); ++i) {
      const DatanodePlace* place = view.datanodes.find(NodeId(i));
      if (place != nullptr && is_named(*place, datanode)) found.push_back(NodeId(i));
    }
  });
  if (found.size() == 1) return found[0];
  throw bad_argument(found.empty() ? "the run has no datanode " + datanode
                                   : "several datanodes have the address " + datanode);
}

void StorageService::list_blocks(std::vector<storage::LocatedBlock>& blocks,
                                 const std::string& path, std::int64_t offset) {
  std::optional<StorageFailure> failure;
  look([&](const StorageGate::View& view) {
    const auto file = existing_file(view.state, path);
    if (!file) {
      failure = file.error();
      return;
    }
    std::int64_t at = 0;
    std::size_t replicas = 0;
    for (const BlockIndex block : view.state.tree.inode(*file).file.blocks) {
      if (blocks.size() == page_max || replicas >= page_replicas_max) break;
      const std::int64_t end = at + view.state.blocks.block(block).length;
      // One that is being written may be empty so far.
      if (end > offset || (end == at && at >= offset)) {
        blocks.push_back(to_thrift(view, block, at));
        replicas += blocks.back().replicas.size();
      }
      at = end;
    }
  });
  if (failure) throw exception_of(*failure);
}

void StorageService::list_datanodes(std::vector<storage::DatanodeInfo>& datanodes,
                                    const std::string& after) {
  look([&](const StorageGate::View& view) {
    bool is_after = after.empty();
    for (const DatanodeReport& report : datanode_reports(view.state, view.now)) {
      const DatanodePlace* place = view.datanodes.find(report.node);
      if (place == nullptr || datanodes.size() == page_max) continue;
      if (is_after) datanodes.push_back(to_thrift(view, report, *place));
      is_after |= storage_name(*place) == after;
    }
  });
}

void StorageService::order(const std::string& datanode, const DatanodeOrder& order) {
  const NodeId node = node_named(datanode);
  const Promised<Status> outcome;
  datanodes_.order(node, order, outcome.setter());
  const Status status = outcome.wait(timeout_, "datanode " + datanode);
  if (!status) throw exception_of({StorageFailureKind::io, status.error().message});
}

void StorageService::set_rates(const std::string& datanode, const storage::DatanodeRates& rates) {
  constexpr std::int64_t seek_microseconds_max = 60'000'000;
  const auto rate = [](bool is_set, std::int64_t value) -> std::optional<std::uint64_t> {
    if (!is_set) return std::nullopt;
    if (value < 1) throw bad_argument("a rate is at least one byte per second");
    return static_cast<std::uint64_t>(value);
  };
  if (rates.seek_microseconds < 0 || rates.seek_microseconds > seek_microseconds_max) {
    throw bad_argument("a seek takes from 0 to 60,000,000 microseconds");
  }
  order(datanode, SetDatanodeRates{
                      rate(rates.__isset.disk_bytes_per_second, rates.disk_bytes_per_second),
                      rate(rates.__isset.network_bytes_per_second, rates.network_bytes_per_second),
                      std::chrono::microseconds(rates.seek_microseconds)});
}

void StorageService::corrupt_replica(const std::string& datanode, std::int64_t block_id,
                                     std::int64_t offset, std::int64_t bytes) {
  if (block_id < 0 || offset < 0 || bytes < 1) {
    throw bad_argument("a block, an offset from 0 and a number of bytes from 1 are expected");
  }
  order(datanode,
        CorruptReplica{static_cast<std::uint64_t>(block_id), static_cast<std::uint64_t>(offset),
                       static_cast<std::uint64_t>(bytes)});
}

void StorageService::stop_datanode(const std::string& datanode) {
  order(datanode, StopDatanode{});
}

StorageReply StorageService::change(StorageOperation operation) {
  std::string superuser;
  look([&](const StorageGate::View& view) { superuser = view.state.options.superuser; });
  const Promised<StorageReply> outcome;
  gate_.call({{.user = superuser,
               .group = {},
               .client = {},
               .address = "administrator",
               .node = {},
               .identity = {}},
              std::move(operation)},
             outcome.setter());
  StorageReply reply = outcome.wait(timeout_, "the run");
  if (const auto* failure = std::get_if<StorageFailure>(&reply)) throw exception_of(*failure);
  return reply;
}

void StorageService::decommission(const std::string& datanode) {
  change(DecommissionDatanode{node_named(datanode)});
}

void StorageService::recommission(const std::string& datanode) {
  change(RecommissionDatanode{node_named(datanode)});
}

bool StorageService::set_safe_mode(storage::SafeModeAction::type action) {
  if (action == storage::SafeModeAction::GET) {
    bool is_on = false;
    look([&](const StorageGate::View& view) { is_on = view.state.safe_mode.is_on(); });
    return is_on;
  }
  const bool enters = action == storage::SafeModeAction::ENTER;
  if (!enters && action != storage::SafeModeAction::LEAVE) {
    throw bad_argument("there is no such action for safe mode");
  }
  const StorageReply reply =
      change(SetSafeMode{enters ? SetSafeMode::Action::enter : SetSafeMode::Action::leave});
  const Answer* answer = std::get_if<Answer>(&reply);
  return answer != nullptr && answer->is_true;
}

}  // namespace tracebed
