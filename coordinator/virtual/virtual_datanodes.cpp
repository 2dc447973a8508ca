#include "coordinator/virtual/virtual_datanodes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/check.h"
#include "core/visit.h"

namespace tracebed {
VirtualDatanodes::VirtualDatanodes(const VirtualDatanodeOptions& options,
                                   const std::vector<Machine>& machines)
    : options_(options),
      nodes_(machines.size()),
      links_(machines, options.datanodes),
      wheel_(machines.size(), options.datanodes.heartbeat,
             Random::stream(options.seed, "virtual.datanode_phase")) {
  TRACEBED_CHECK(options.silence_max > options.datanodes.heartbeat,
                 "datanodes may be silent for longer than a heartbeat");
  if (!options.deliver_every_heartbeat) next_sign_of_life_ = TraceTime();
}

DatanodeUsage VirtualDatanodes::usage_of(const Node& node) const {
  const std::int64_t capacity = options_.datanodes.capacity;
  const std::int64_t used = node.replicas.used();
  return {capacity, used, std::max<std::int64_t>(0, capacity - used), node.transfers};
}

// ---- machines ----

void VirtualDatanodes::join(NodeId id, Round& round) {
  nodes_[id.index()].is_up = true;
  register_datanode(id, round);
}

void VirtualDatanodes::register_datanode(NodeId id, Round& round) {
  Node& node = nodes_[id.index()];
  node.must_register = false;
  node.unreported.clear();
  round.add_storage(DatanodeRegistered{id});
  beat(id, round);
  round.add_storage(FullBlockReport{id, node.replicas.all()});
}

void VirtualDatanodes::leave(NodeId id, TraceTime now, Round& round) {
  Node& node = nodes_[id.index()];
  for (auto next = transfers_.begin(); next != transfers_.end();) {
    const auto current = next++;  // cutting one may remove it
    const Transfer& transfer = current->second;
    const auto target = std::find(transfer.targets.begin(), transfer.targets.end(), id);
    if (transfer.source == id) {
      cut_transfer(current->first, 0, now);
    } else if (target != transfer.targets.end()) {
      cut_transfer(current->first, static_cast<std::size_t>(target - transfer.targets.begin()),
                   now);
    }
  }
  report(id, round);
  beat(id, round);
  node.is_up = false;
  node.must_register = false;
  node.unreported.clear();
  update_mark(id);
}

// ---- commands ----

void VirtualDatanodes::execute(const StoreReplicas& stored) {
  Node& node = nodes_[stored.node.index()];
  for (const BlockName& block : stored.blocks) node.replicas.put(block);
  update_mark(stored.node);
}

void VirtualDatanodes::execute(const AnswerDatanode& answer, TraceTime now) {
  Node& node = nodes_[answer.node.index()];
  if (!node.is_up) return;  // it failed meanwhile
  const auto take_registration = [&](bool must_register) {
    if (!must_register) return;
    node.must_register = true;
    changed_.push_back(answer.node);
  };
  visit_all(
      answer.reply,
      [&](const HeartbeatReply& reply) {
        for (const RecoveryOrder& order : reply.recoveries) recover(order);
        for (const TransferOrder& order : reply.transfers) order_transfer(answer.node, order, now);
        for (const DeletionOrder& order : reply.deletions) remove_replica(answer.node, order);
        take_registration(reply.must_register);
      },
      [&](const ReportReply& reply) {
        for (const std::uint64_t block : reply.unknown) {
          (void)node.replicas.remove({block, std::numeric_limits<std::uint32_t>::max()});
        }
        take_registration(reply.must_register);
      });
  update_mark(answer.node);
}

void VirtualDatanodes::expect_orders(const std::vector<NodeId>& nodes) {
  if (nodes == with_orders_) return;
  const std::vector<NodeId> before = std::exchange(with_orders_, nodes);
  for (const NodeId id : before) nodes_[id.index()].has_orders = false;
  for (const NodeId id : with_orders_) nodes_[id.index()].has_orders = true;
  for (const NodeId id : before) update_mark(id);
  for (const NodeId id : with_orders_) update_mark(id);
}

void VirtualDatanodes::order_transfer(NodeId source, const TransferOrder& order, TraceTime now) {
  Node& node = nodes_[source.index()];
  if (!node.replicas.has(order.block)) {
    ++counters_.transfers_lost;
    return;
  }
  const std::uint64_t id = next_transfer_++;
  transfers_.emplace(id, Transfer{source, order.block, order.targets, {}});
  ++node.transfers;
  for (const NodeId target : order.targets) {
    ++nodes_[target.index()].transfers;
    update_mark(target);
  }
  seeks_.push(now + options_.datanodes.seek, id);
  const auto down = std::find_if(order.targets.begin(), order.targets.end(),
                                 [&](NodeId target) { return !nodes_[target.index()].is_up; });
  if (down == order.targets.end()) return;
  cut_transfer(id, static_cast<std::size_t>(down - order.targets.begin()), now);
}

void VirtualDatanodes::remove_replica(NodeId id, const DeletionOrder& order) {
  if (!nodes_[id.index()].replicas.remove(order)) return;
  ++counters_.deletions;
  note(id, {.block_id = order.block_id, .generation_stamp = order.generation_stamp}, true);
}

// A replica that is being written has no bytes that count, and is not reported: only whole ones can
// be recovered (BlockRecoveryWorker).
void VirtualDatanodes::recover(const RecoveryOrder& order) {
  CommitBlockSynchronization commit{
      .block = order.block, .new_generation_stamp = order.new_generation_stamp, .nodes = {}};
  for (const NodeId id : order.nodes) {
    const Node& node = nodes_[id.index()];
    const auto length = node.is_up ? node.replicas.length_of(order.block.id) : std::nullopt;
    if (!length) continue;
    commit.nodes.push_back(id);
    commit.new_length = order.truncated_length.value_or(*length);
  }
  commit.deletes_block = commit.nodes.empty();
  for (const NodeId id : commit.nodes) {
    Node& node = nodes_[id.index()];
    (void)node.replicas.remove({order.block.id, order.new_generation_stamp});
    store(id, {order.block.id, order.new_generation_stamp, commit.new_length});
  }
  calls_.push_back({.caller = {}, .operation = std::move(commit)});
}

// ---- transfers ----

void VirtualDatanodes::begin_transfer(std::uint64_t id, TraceTime now) {
  FlowNetwork& flows = links_.flows();
  if (const auto found = seeking_.find(id); found != seeking_.end()) {
    const TaskRead& read = found->second;
    of_tasks_.emplace(id,
                      flows.begin(links_.read_path(read.server, read.reader), read.demand, now));
    seeking_.erase(found);
    return;
  }
  const auto found = transfers_.find(id);
  if (found == transfers_.end()) return;  // it was cut
  Transfer& transfer = found->second;
  const FlowDemand demand{.tag = id, .bytes = transfer.block.length};
  for (std::size_t i = 0; i < transfer.targets.size(); ++i) {
    const NodeId target = transfer.targets[i];
    const auto path = i == 0 ? links_.copy_path(transfer.source, target)
                             : links_.write_path(transfer.targets[i - 1], target);
    transfer.hops.push_back(flows.begin(path, demand, now));
  }
}

void VirtualDatanodes::cut_transfer(std::uint64_t id, std::size_t from, TraceTime now) {
  const auto found = transfers_.find(id);
  Transfer& transfer = found->second;
  for (std::size_t i = from; i < transfer.targets.size(); ++i) {
    --nodes_[transfer.targets[i].index()].transfers;
    update_mark(transfer.targets[i]);
    ++counters_.transfers_lost;
  }
  transfer.targets.resize(from);
  for (std::size_t i = from; i < transfer.hops.size(); ++i) {
    links_.flows().cancel(transfer.hops[i], now);
  }
  transfer.hops.resize(std::min(from, transfer.hops.size()));
  if (from > 0) return;
  --nodes_[transfer.source.index()].transfers;
  update_mark(transfer.source);
  transfers_.erase(found);
}

void VirtualDatanodes::end_transfer(std::uint64_t id) {
  const auto found = transfers_.find(id);
  if (found == transfers_.end()) return;  // two of its hops ended at once
  const auto& hops = found->second.hops;
  const auto is_on_its_way = [&](FlowId hop) { return links_.flows().has(hop); };
  if (std::any_of(hops.begin(), hops.end(), is_on_its_way)) return;
  const Transfer transfer = std::move(found->second);
  transfers_.erase(found);
  --nodes_[transfer.source.index()].transfers;
  update_mark(transfer.source);
  for (const NodeId target : transfer.targets) {
    Node& node = nodes_[target.index()];
    --node.transfers;
    if (has_room(node, transfer.block)) {
      store(target, transfer.block);
      ++counters_.transfers;
      counters_.bytes_transferred += transfer.block.length;
    } else {
      ++counters_.transfers_lost;
    }
    update_mark(target);
  }
}

void VirtualDatanodes::end_flows(TraceTime now) {
  flows_ended_.clear();
  links_.flows().take_ended(now, flows_ended_);
  for (const std::uint64_t transfer : flows_ended_) {
    if (of_tasks_.erase(transfer) > 0) {
      ended_.push_back(transfer);
    } else {
      end_transfer(transfer);
    }
  }
}

// ---- tasks that read and write ----

std::uint64_t VirtualDatanodes::begin_read(NodeId server, NodeId reader, const FlowDemand& demand,
                                           TraceTime now) {
  const std::uint64_t id = next_transfer_++;
  TaskRead& read = seeking_.emplace(id, TaskRead{server, reader, demand}).first->second;
  read.demand.tag = id;
  seeks_.push(now + options_.datanodes.seek, id);
  return id;
}

std::int64_t VirtualDatanodes::cancel_read(std::uint64_t transfer, TraceTime now) {
  seeking_.erase(transfer);
  const auto found = of_tasks_.find(transfer);
  if (found == of_tasks_.end()) return 0;
  const FlowId flow = found->second;
  of_tasks_.erase(found);
  return links_.flows().cancel(flow, now);
}

std::int64_t VirtualDatanodes::sent_so_far(std::uint64_t transfer, TraceTime now) const {
  const auto found = of_tasks_.find(transfer);
  return found == of_tasks_.end() ? 0 : links_.flows().transferred(found->second, now);
}

std::uint64_t VirtualDatanodes::begin_write(NodeId writer, NodeId target, const FlowDemand& demand,
                                            TraceTime now) {
  return begin_flow(links_.write_path(writer, target), demand, now);
}

std::uint64_t VirtualDatanodes::begin_flow(const MachineLinks::Path& path, FlowDemand demand,
                                           TraceTime now) {
  const std::uint64_t id = next_transfer_++;
  demand.tag = id;
  of_tasks_.emplace(id, links_.flows().begin(path, demand, now));
  return id;
}

void VirtualDatanodes::pace(std::uint64_t transfer, TraceTime due, TraceTime now) {
  if (const auto found = seeking_.find(transfer); found != seeking_.end()) {
    found->second.demand.due = due;
  } else if (const auto begun = of_tasks_.find(transfer); begun != of_tasks_.end()) {
    links_.flows().pace(begun->second, due, now);
  }
}

bool VirtualDatanodes::has_room(const Node& node, const BlockName& block) const {
  return node.replicas.used() + block.length <= options_.datanodes.capacity;
}

void VirtualDatanodes::store(NodeId target, const BlockName& block) {
  Node& node = nodes_[target.index()];
  if (!node.is_up || !has_room(node, block)) return;
  node.replicas.put(block);
  note(target, {block.id, block.generation_stamp, block.length, ReportedState::finalized}, false);
  update_mark(target);
}

void VirtualDatanodes::take_ended(std::vector<std::uint64_t>& ended) {
  ended.insert(ended.end(), ended_.begin(), ended_.end());
  ended_.clear();
}

// ---- what the namenode gets ----

void VirtualDatanodes::note(NodeId id, const ReportedReplica& replica, bool is_deleted) {
  Node& node = nodes_[id.index()];
  if (node.unreported.empty()) changed_.push_back(id);
  node.unreported.push_back({replica, is_deleted});
}

void VirtualDatanodes::report(NodeId id, Round& round) {
  Node& node = nodes_[id.index()];
  if (node.must_register && node.is_up) return register_datanode(id, round);
  if (node.unreported.empty()) return;
  round.add_storage(IncrementalBlockReport{id, std::exchange(node.unreported, {})});
}

void VirtualDatanodes::beat(NodeId id, Round& round) {
  Node& node = nodes_[id.index()];
  node.stated = usage_of(node);
  round.add_storage(DatanodeHeartbeat{id, node.stated});
  ++counters_.heartbeats;
  update_mark(id);
}

void VirtualDatanodes::update_mark(NodeId id) {
  const Node& node = nodes_[id.index()];
  const bool matters =
      options_.deliver_every_heartbeat || node.has_orders || node.stated != usage_of(node);
  wheel_.mark(id, node.is_up && matters);
}

// Those that are marked beat by themselves, at most a heartbeat from now.
void VirtualDatanodes::show_life(TraceTime now, Round& round) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_up && !wheel_.is_marked(NodeId(i))) beat(NodeId(i), round);
  }
  next_sign_of_life_ = now + options_.silence_max - options_.datanodes.heartbeat;
}

// ---- time ----

TraceTime VirtualDatanodes::next_time(TraceTime now) {
  if (!changed_.empty() || !calls_.empty()) return now;
  const TraceTime next_beat = wheel_.next_time(std::max(now, beaten_until_ + microseconds(1)));
  return std::min({seeks_.next_time(), links_.flows().next_end(), next_beat, next_sign_of_life_});
}

void VirtualDatanodes::advance(TraceTime now, Round& round) {
  if (beaten_until_ < now) {
    while (wheel_.next_time(now) == now) beat(wheel_.take(), round);
    if (next_sign_of_life_ <= now) show_life(now, round);
    beaten_until_ = now;
  }
  while (seeks_.next_time() == now) begin_transfer(seeks_.pop(), now);
  end_flows(now);
  for (const NodeId id : std::exchange(changed_, {})) report(id, round);
}

}  // namespace tracebed
