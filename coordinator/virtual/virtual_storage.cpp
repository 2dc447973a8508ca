#include "coordinator/virtual/virtual_storage.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/shuffle_work.h"
#include "core/transfer_weight.h"

namespace tracebed {

void VirtualStorage::leave(NodeId node, TraceTime now, Round& round) {
  datanodes_.leave(node, now, round);
  reads_.leave(node, now, outcomes_);
  writes_.leave(node, now);
  if (!is_ideal_) fetches_.leave(node, now);
}

void VirtualStorage::expect_orders() {
  if (namenode_ != nullptr) datanodes_.expect_orders(namenode_->datanodes_with_orders());
}

TraceTime VirtualStorage::next_time(TraceTime now) {
  return std::min(datanodes_.next_time(now), writes_.next_call(now));
}

// What follows a piece that has been read may be there at once. Calls come after the reports of
// datanodes, on which answers may depend.
void VirtualStorage::advance(TraceTime now, Round& round) {
  do {
    datanodes_.advance(now, round);
    ended_.clear();
    datanodes_.take_ended(ended_);
    for (const std::uint64_t transfer : ended_) {
      if (writes_.has(transfer)) {
        writes_.received(transfer);
      } else if (fetches_.has(transfer)) {
        fetches_.sent(transfer, now);
      } else if (map_outputs_.has(transfer)) {
        map_outputs_.received(transfer);
      } else {
        reads_.sent(transfer, now, outcomes_);
      }
    }
  } while (!ended_.empty());
  for (StorageCall& call : datanodes_.take_calls()) writes_.make_call(std::move(call));
  for (StorageCalled& called : writes_.take_calls(now)) round.add_storage(std::move(called));
}

std::optional<std::int64_t> VirtualStorage::bytes_to_read(const TaskWork& work) {
  return work.input_file == 0 ? std::nullopt : std::optional(work.input_length);
}

bool VirtualStorage::plan_reading(ContainerId container, NodeId node, const TaskWork& work) {
  if (work.input_file == 0 || work.input_length == 0) return true;
  TRACEBED_CHECK(namenode_ != nullptr, "tasks that read are those of a run with a namenode");
  ModelledReads::Part part;
  part.located = namenode_->locate(static_cast<std::uint64_t>(work.input_file), work.input_offset,
                                   work.input_length, node);
  part.offset = work.input_offset;
  part.length = work.input_length;
  if (const std::int64_t number = machine_with_input(work); number != 0) {
    part.memory = NodeId(static_cast<std::size_t>(number) - 1);
  }
  part.weight = flow_weight(work);
  return reads_.plan(container, node, part);
}

void VirtualStorage::plan_writing(ContainerId container, NodeId node, const TaskWork& work) {
  if (writes_output(work)) writes_.plan(container, node, work);
}

void VirtualStorage::start_writing(ContainerId container, TraceTime now, TraceTime due) {
  if (!is_ideal_ && is_writing(container)) writes_.start(container, now, due);
}

void VirtualStorage::finish_writing(ContainerId container, std::int64_t bytes, bool ends_early,
                                    TraceTime now) {
  if (is_ideal_ && bytes > 0 && !writes_.has_begun(container)) {
    writes_.start_untimed(container, bytes, now);
  } else if (ends_early) {
    writes_.close(container, bytes, now);
  }
}

void VirtualStorage::plan_shuffling(ContainerId container, NodeId node, const TaskWork& work) {
  // What is spilled passes the disk twice, along with the rest.
  const std::int64_t on_disk = kept_for_others(work) + 2 * spilled_by(work);
  if (on_disk > 0) map_outputs_.plan(container, node, on_disk, flow_weight(work));
  if (spilled_by(work) > 0) spilled_.emplace(container, spilled_by(work));
  if (fetches(work)) fetches_.plan(container, node, work);
}

ReadBytes VirtualStorage::end_shuffling(ContainerId container, TraceTime now, std::int64_t bytes) {
  map_outputs_.end(container, now);
  return is_ideal_ ? fetches_.end_untimed(container, bytes) : fetches_.end(container, now);
}

std::int64_t VirtualStorage::end_spilling(ContainerId container, double done) {
  const auto found = spilled_.find(container);
  if (found == spilled_.end()) return 0;
  const auto whole = static_cast<double>(found->second);
  spilled_.erase(found);
  return static_cast<std::int64_t>(std::ceil(whole * done));
}

std::vector<ContainerId> VirtualStorage::take_shuffled() {
  std::vector<ContainerId> whole = fetches_.take_whole();
  const std::vector<ContainerId> written = map_outputs_.take_whole();
  whole.insert(whole.end(), written.begin(), written.end());
  return whole;
}

void VirtualStorage::start_reading(ContainerId container, TraceTime now, TraceTime due) {
  if (is_reading(container)) reads_.start(container, now, due, outcomes_);
}

}  // namespace tracebed
