#include "coordinator/virtual/modelled_writes.h"

#include <algorithm>

#include "core/check.h"
#include "core/output_files.h"
#include "core/task_client.h"
#include "core/transfer_weight.h"

namespace tracebed {
namespace {

// org.apache.hadoop.hdfs.client.impl.LeaseRenewer: half of the soft limit.
constexpr Duration lease_renewal = seconds(30);
constexpr Duration retry_pause = seconds(1);
constexpr unsigned retries_max = 300;

StorageCaller caller_of(ContainerId container, const Machine& machine, NodeId node) {
  StorageCaller caller;
  caller.user = "tracebed";
  caller.client = std::string(task_client_name) + "-" + std::to_string(container.value());
  caller.address = machine.name;
  caller.node = node;
  return caller;
}

// While it is written: the namenode need not know how long it is so far.
BlockName named(BlockName block) {
  block.length = 0;
  return block;
}

}  // namespace

// ---- tasks ----

void ModelledWrites::plan(ContainerId container, NodeId writer, const TaskWork& work) {
  Write write;
  write.writer = writer;
  write.path = attempt_output_path(work, container);
  write.replication = static_cast<std::uint32_t>(work.output_replication);
  write.length = write.limit = work.output_length;
  write.weight = flow_weight(work);
  writes_.emplace(container, std::move(write));
}

bool ModelledWrites::has_begun(ContainerId container) const {
  const auto found = writes_.find(container);
  if (found == writes_.end()) return closed_.contains(container);
  return found->second.stage != Stage::planned;
}

void ModelledWrites::start(ContainerId container, TraceTime now, TraceTime due) {
  Write& write = writes_.at(container);
  write.begun = now;
  write.run_time = due - now;
  create(container, write);
  renewals_.push(now + lease_renewal, container);
}

void ModelledWrites::pace(ContainerId container, Duration run_time, TraceTime due, TraceTime now) {
  const auto found = writes_.find(container);
  if (found == writes_.end() || found->second.stage == Stage::planned) return;
  Write& write = found->second;
  write.begun = due - run_time;
  write.run_time = run_time;
  for (const Transfer& transfer : write.pending) {
    datanodes_.pace(transfer.id, due_of(write, now), now);
  }
}

void ModelledWrites::start_untimed(ContainerId container, std::int64_t bytes, TraceTime now) {
  Write& write = writes_.at(container);
  write.begun = now;
  write.is_timed = false;
  write.limit = std::min(bytes, write.length);
  create(container, write);
}

void ModelledWrites::close(ContainerId container, std::int64_t bytes, TraceTime now) {
  const auto found = writes_.find(container);
  if (found == writes_.end()) return;
  Write& write = found->second;
  write.limit = std::clamp(bytes, write.written, write.limit);
  // Not created yet, and not about to be.
  const bool waits = write.stage == Stage::creating && !callers_.contains(write.ticket);
  if (write.stage == Stage::planned || waits) {
    closed_.emplace(container, 0);
    writes_.erase(found);
    return outcomes_.push_back({container, std::nullopt});
  }
  if (write.pending.empty()) return;
  const std::vector<std::int64_t> received = cancel_pending(write, now);
  const std::int64_t least = *std::min_element(received.begin(), received.end());
  write.limit = std::min(write.limit, write.written + least);
  write.block.length = write.limit - write.written;
  end_block_if_received(container, write);
}

std::optional<std::int64_t> ModelledWrites::length_of(ContainerId container) const {
  const auto closed = closed_.find(container);
  if (closed == closed_.end()) return std::nullopt;
  return closed->second;
}

std::int64_t ModelledWrites::end(ContainerId container, TraceTime now) {
  if (const auto closed = closed_.find(container); closed != closed_.end()) {
    const std::int64_t bytes = closed->second;
    closed_.erase(closed);
    return bytes;
  }
  const auto found = writes_.find(container);
  if (found == writes_.end()) return 0;
  Write& write = found->second;
  std::int64_t bytes = write.written;
  if (!write.pending.empty()) {
    const std::vector<std::int64_t> received = cancel_pending(write, now);
    bytes += *std::min_element(received.begin(), received.end());
  }
  callers_.erase(write.ticket);
  writes_.erase(found);
  return bytes;
}

void ModelledWrites::leave(NodeId node, TraceTime now) {
  std::vector<ContainerId> hit;
  for (auto& [container, write] : writes_) {
    if (write.writer == node) {
      cancel_pending(write, now);
      callers_.erase(write.ticket);
      write.stage = Stage::failed;
      continue;
    }
    if (std::find(write.targets.begin(), write.targets.end(), node) != write.targets.end()) {
      hit.push_back(container);
    }
  }
  for (const ContainerId container : hit) leave_out(container, writes_.at(container), node, now);
}

void ModelledWrites::fail(ContainerId container, Write& write, const std::string& why,
                          TraceTime now) {
  cancel_pending(write, now);
  write.stage = Stage::failed;
  outcomes_.push_back({container, write.path + ": " + why});
}

bool ModelledWrites::try_again(ContainerId container, Write& write, TraceTime now) {
  if (++write.retries > retries_max) return false;
  retries_.push(now + retry_pause, container);
  return true;
}

// ---- a file ----

void ModelledWrites::create(ContainerId container, Write& write) {
  write.stage = Stage::creating;
  CreateFile file;
  file.path = write.path;
  file.replication = write.replication;
  file.block_size = block_size_;
  call(container, write, std::move(file));
}

void ModelledWrites::next_block(ContainerId container, Write& write) {
  if (write.written < write.limit) {
    write.stage = Stage::adding_block;
    return call(container, write, AddBlock{file_of(write), write.previous, {}, false});
  }
  write.stage = Stage::completing;
  call(container, write, CompleteFile{file_of(write), write.previous});
}

void ModelledWrites::begin_block(ContainerId container, Write& write, const LocatedBlock& located,
                                 TraceTime now) {
  write.stage = Stage::sending;
  write.block = located.block;
  write.block.length = std::min(block_size_, write.limit - write.written);
  write.targets = located.nodes;
  send(container, write, now);
  for (const NodeId target : located.nodes) {
    if (!datanodes_.is_up(target)) leave_out(container, write, target, now);
  }
}

TraceTime ModelledWrites::due_of(const Write& write, TraceTime now) {
  __extension__ using Wide = __int128;
  const std::int64_t end = write.written + write.block.length;
  const auto until = static_cast<std::int64_t>(Wide{write.run_time.count()} * end /
                                               std::max<std::int64_t>(write.length, 1));
  return std::max(now, write.begun + microseconds(until));
}

void ModelledWrites::send(ContainerId container, Write& write, TraceTime now) {
  const FlowDemand demand{.bytes = write.is_timed ? write.block.length : 0,
                          .due = due_of(write, now),
                          .weight = write.weight};
  NodeId from = write.writer;
  for (const NodeId target : write.targets) {
    const std::uint64_t id = datanodes_.begin_write(from, target, demand, now);
    from = target;
    write.pending.push_back({target, id});
    writers_.emplace(id, container);
  }
}

void ModelledWrites::received(std::uint64_t transfer) {
  const auto found = writers_.find(transfer);
  TRACEBED_CHECK(found != writers_.end(), "what is received is from a task that writes");
  const ContainerId container = found->second;
  writers_.erase(found);
  Write& write = writes_.at(container);
  std::erase_if(write.pending, [&](const Transfer& one) { return one.id == transfer; });
  end_block_if_received(container, write);
}

void ModelledWrites::end_block_if_received(ContainerId container, Write& write) {
  if (write.stage != Stage::sending || !write.pending.empty()) return;
  if (write.block.length == 0) {  // nothing of it was made
    write.targets.clear();
    return call(container, write, AbandonBlock{file_of(write), write.block});
  }
  for (const NodeId target : write.targets) datanodes_.store(target, write.block);
  write.targets.clear();
  write.written += write.block.length;
  write.previous = write.block;
  next_block(container, write);
}

std::vector<std::int64_t> ModelledWrites::cancel_pending(Write& write, TraceTime now) {
  std::vector<std::int64_t> received;
  for (const Transfer& transfer : std::exchange(write.pending, {})) {
    writers_.erase(transfer.id);
    received.push_back(datanodes_.cancel_write(transfer.id, now));
  }
  return received;
}

void ModelledWrites::leave_out(ContainerId container, Write& write, NodeId target, TraceTime now) {
  std::erase(write.targets, target);
  for (const Transfer& transfer : write.pending) {
    if (transfer.target != target) continue;
    writers_.erase(transfer.id);
    static_cast<void>(datanodes_.cancel_write(transfer.id, now));
  }
  std::erase_if(write.pending, [&](const Transfer& one) { return one.target == target; });
  if (write.targets.empty()) {
    return fail(container, write, "no datanode of the pipeline is left", now);
  }
  if (write.stage != Stage::sending) {
    write.must_update_again = true;
    return;
  }
  write.stage = Stage::getting_stamp;
  call(container, write, UpdateBlockForPipeline{named(write.block)});
}

// ---- the namenode ----

void ModelledWrites::call(ContainerId container, Write& write, StorageOperation operation) {
  write.ticket = next_ticket_;
  callers_.emplace(write.ticket, container);
  make_call(
      {caller_of(container, machines_[write.writer.index()], write.writer), std::move(operation)});
}

void ModelledWrites::make_call(StorageCall call) {
  calls_.push_back({next_ticket_++, std::move(call)});
}

TraceTime ModelledWrites::next_call(TraceTime now) const {
  if (!calls_.empty() || !outcomes_.empty()) return now;
  return std::min(renewals_.next_time(), retries_.next_time());
}

std::vector<StorageCalled> ModelledWrites::take_calls(TraceTime now) {
  while (retries_.next_time() <= now) {
    const ContainerId container = retries_.pop();
    const auto found = writes_.find(container);
    if (found == writes_.end()) continue;
    Write& write = found->second;
    if (write.stage == Stage::creating) create(container, write);
    if (write.stage == Stage::adding_block || write.stage == Stage::completing) {
      next_block(container, write);
    }
  }
  while (renewals_.next_time() <= now) {
    const ContainerId container = renewals_.pop();
    const auto found = writes_.find(container);
    if (found == writes_.end()) continue;
    const NodeId writer = found->second.writer;
    make_call({caller_of(container, machines_[writer.index()], writer), RenewLease{}});
    renewals_.push(now + lease_renewal, container);
  }
  return std::exchange(calls_, {});
}

void ModelledWrites::answered(AnswerStorageCall&& answer, TraceTime now) {
  const auto caller = callers_.find(answer.ticket);
  if (caller == callers_.end()) return;  // nobody waits for it, or the task has ended
  const ContainerId container = caller->second;
  callers_.erase(caller);
  take(container, writes_.at(container), answer.reply, now);
}

void ModelledWrites::take(ContainerId container, Write& write, const StorageReply& reply,
                          TraceTime now) {
  if (const auto* const failure = std::get_if<StorageFailure>(&reply)) {
    const bool is_early =
        (failure->kind == StorageFailureKind::safe_mode && write.stage == Stage::creating) ||
        failure->kind == StorageFailureKind::not_replicated_yet;
    if (!is_early || !try_again(container, write, now)) {
      fail(container, write, failure->message, now);
    }
    return;
  }
  if (write.stage == Stage::completing && !std::get<Answer>(reply).is_true) {
    if (!try_again(container, write, now)) {
      fail(container, write, "its last block does not have enough replicas", now);
    }
    return;
  }
  write.retries = 0;
  switch (write.stage) {
    case Stage::planned:
    case Stage::failed:
      break;
    case Stage::creating:
      write.file_id = std::get<FileStatus>(reply).file_id;
      return next_block(container, write);
    case Stage::adding_block:
      return begin_block(container, write, std::get<LocatedBlock>(reply), now);
    case Stage::sending:  // the block was abandoned
      return next_block(container, write);
    case Stage::getting_stamp: {
      const BlockName old = named(write.block);
      write.block.generation_stamp = std::get<LocatedBlock>(reply).block.generation_stamp;
      write.stage = Stage::updating_pipeline;
      return call(container, write, UpdatePipeline{old, named(write.block), write.targets});
    }
    case Stage::updating_pipeline:
      write.stage = Stage::sending;
      if (std::exchange(write.must_update_again, false)) {
        write.stage = Stage::getting_stamp;
        return call(container, write, UpdateBlockForPipeline{named(write.block)});
      }
      return end_block_if_received(container, write);
    case Stage::completing:
      closed_.emplace(container, write.written);
      writes_.erase(container);
      return outcomes_.push_back({container, std::nullopt});
  }
  TRACEBED_CHECK(false, "what has made no call gets no answer");
}

}  // namespace tracebed
