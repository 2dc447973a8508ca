#include "coordinator/engine/namenode_service.h"

#include <algorithm>
#include <span>
#include <utility>

#include "coordinator/storage/block_locations.h"
#include "coordinator/storage/file_lookup.h"
#include "core/input_paths.h"
#include "core/kernel_work.h"
#include "core/visit.h"

namespace tracebed {
namespace {

// More than any disk or block has, so that sums over all datanodes fit.
constexpr std::int64_t bytes_max = std::int64_t{1} << 50;

bool is_amount(std::int64_t bytes) {
  return bytes >= 0 && bytes <= bytes_max;
}

bool is_sound(const ReportedReplica& replica) {
  return is_amount(replica.length);
}

// Where each task's split begins, as InputPlaces has it. Nodes are named once, in the order in
// which they come up.
class PlaceList {
 public:
  PlaceList(const ClusterModel& cluster, InputPlaces& places) : cluster_(cluster), places_(places) {
    places_.clear();
  }
  void add_task(std::span<const NodeId> nodes) {
    for (const NodeId node : nodes) {
      const auto [known, is_new] =
          numbers_.emplace(node, static_cast<std::uint32_t>(places_.hosts.size()));
      if (is_new) places_.hosts.push_back(cluster_.node(node).name);
      places_.entries.push_back(known->second);
    }
    places_.ends.push_back(static_cast<std::uint32_t>(places_.entries.size()));
  }

 private:
  const ClusterModel& cluster_;
  InputPlaces& places_;
  std::map<NodeId, std::uint32_t> numbers_;
};

std::span<const NodeId> good_replicas(const LocatedBlock& block) {
  if (block.is_corrupt) return {};
  return block.nodes;
}

// Those of the block that has the byte.
std::span<const NodeId> nodes_at(const LocatedFile& file, std::int64_t offset) {
  const auto after = std::upper_bound(
      file.blocks.begin(), file.blocks.end(), offset,
      [](std::int64_t position, const LocatedBlock& block) { return position < block.offset; });
  if (after == file.blocks.begin()) return {};
  return good_replicas(*std::prev(after));
}

}  // namespace

NamenodeService::NamenodeService(const std::optional<NamenodeOptions>& options,
                                 const ClusterModel& cluster, StepContext& context)
    : cluster_(cluster),
      context_(context),
      deferred_(options.value_or(NamenodeOptions()).report_wait,
                options.value_or(NamenodeOptions()).limits.deferred_max) {
  if (options) namenode_.emplace(*options, TraceTime());
}

bool NamenodeService::has_joined(NodeId node) const {
  // A node that only makes room in the table for later ones has no rack.
  return node.index() < cluster_.nodes.size() && cluster_.node(node).rack.is_valid();
}

void NamenodeService::take(StorageInput& input) {
  ++context_.counters.storage_inputs;
  const bool is_of_stranger = visit_all(
      input, [&](const OneOf<StorageCalled, PreloadedFile> auto&) { return false; },
      [&](const OneOf<DatanodeRegistered, DatanodeHeartbeat, FullBlockReport,
                      IncrementalBlockReport, DatanodeGone> auto& message) {
        return !has_joined(message.node);
      });
  if (!namenode_ || is_of_stranger) {
    ++context_.counters.storage_inputs_ignored;
    return;
  }
  has_taken_ = true;
  visit_all(input, [this](auto& each) { accept(each); });
}

void NamenodeService::accept(const DatanodeRegistered& registered) {
  namenode_->register_datanode(registered.node, cluster_.node(registered.node).rack,
                               context_.now());
}

void NamenodeService::accept(const DatanodeHeartbeat& heartbeat) {
  const DatanodeUsage& usage = heartbeat.usage;
  if (!is_amount(usage.capacity) || !is_amount(usage.used) || !is_amount(usage.remaining)) {
    ++context_.counters.storage_inputs_ignored;
    return;
  }
  answer(heartbeat.node, namenode_->heartbeat(heartbeat.node, usage, context_.now()));
}

void NamenodeService::accept(FullBlockReport& report) {
  if (!std::all_of(report.replicas.begin(), report.replicas.end(), is_sound)) {
    ++context_.counters.storage_inputs_ignored;
    return;
  }
  may_answer_now_ = true;
  answer(report.node,
         namenode_->full_report(report.node, std::move(report.replicas), context_.now()));
}

void NamenodeService::accept(const IncrementalBlockReport& report) {
  const bool are_sound =
      std::all_of(report.changes.begin(), report.changes.end(),
                  [](const ReplicaChange& change) { return is_sound(change.replica); });
  if (!are_sound) {
    ++context_.counters.storage_inputs_ignored;
    return;
  }
  may_answer_now_ = true;
  answer(report.node, namenode_->incremental_report(report.node, report.changes, context_.now()));
}

void NamenodeService::accept(const DatanodeGone& gone) {
  namenode_->datanode_gone(gone.node, context_.now());
}

void NamenodeService::accept(StorageCalled& called) {
  may_answer_now_ = true;
  const std::uint64_t ticket = called.ticket;
  auto reply = deferred_.call(*namenode_, called, context_.now());
  if (reply) answer({ticket, *std::move(reply)});
}

void NamenodeService::answer(AnswerStorageCall answer) {
  auto& command = context_.command<AnswerStorageCall>();
  command = std::move(answer);
  context_.digest.storage_call_answered(command);
}

void NamenodeService::accept(const PreloadedFile& file) {
  const auto placed = namenode_->preload(file, context_.now());
  if (!placed) {
    refused_files_.push_back(file.path + ": " + placed.error().message);
    return;
  }
  // Of a path that names no kernel that runs have, the trace's reading has told already.
  const auto kernel = kernel_input_of(file.path);
  for (const LocatedBlock& block : *placed) {
    for (const NodeId node : block.nodes) {
      StoreReplicas& order = to_store_[node];
      if (kernel) {
        order.datasets.resize(order.blocks.size());
        order.datasets.push_back({static_cast<std::uint8_t>(kernel->kernel), kernel->seed,
                                  static_cast<std::uint64_t>(block.offset)});
      }
      order.blocks.push_back(block.block);
    }
  }
}

void NamenodeService::answer(NodeId node, std::variant<HeartbeatReply, ReportReply> reply) {
  auto& command = context_.command<AnswerDatanode>();
  command.node = node;
  command.reply = std::move(reply);
  context_.digest.datanode_answered(command);
}

void NamenodeService::order_replicas() {
  for (auto& [node, order] : to_store_) {
    auto& command = context_.command<StoreReplicas>();
    command = std::move(order);
    command.node = node;
    if (!command.datasets.empty()) command.datasets.resize(command.blocks.size());
    context_.digest.replicas_ordered(command);
  }
  to_store_.clear();
}

void NamenodeService::advance() {
  if (!namenode_) return;
  order_replicas();
  if (may_answer_now_ || context_.now() >= deferred_.next_due()) {
    for (AnswerStorageCall& late : deferred_.retry(*namenode_, context_.now())) {
      answer(std::move(late));
    }
  }
  may_answer_now_ = false;
  // Inputs may let safe mode end, or transfers begin, at once.
  if (has_taken_ || context_.now() >= namenode_->next_due()) namenode_->advance(context_.now());
  has_taken_ = false;
}

TraceTime NamenodeService::next_due() const {
  if (!namenode_) return never;
  return std::min(namenode_->next_due(), deferred_.next_due());
}

Status NamenodeService::locate_input(Job& job, InputBlocks* blocks) const {
  if (!namenode_) return success();
  for (Stage& stage : job.stages) {
    stage.input = {};
    if (!has_files(job.kind) || stage.kind != StageKind::map || stage.input_path.empty()) continue;
    if (Status located = locate(stage, blocks); !located) return located;
  }
  return success();
}

Status NamenodeService::locate(Stage& stage, InputBlocks* blocks) const {
  const NamenodeState& state = namenode_->state();
  const auto inode = existing_file(state, stage.input_path);
  if (!inode) return Error{"its input " + stage.input_path + ": " + inode.error().message};
  const FileStatus status = status_of(state, *inode);
  const auto file = block_locations(state, stage.input_path, 0,
                                    std::max<std::int64_t>(status.length, 1), {}, context_.now());
  if (!file) return Error{"its input " + stage.input_path + ": " + file.error().message};
  // A file that several jobs share is as large as the largest of them needs. A kernel reads all of
  // its input, whose last record the trace's bytes may cut off.
  const std::int64_t wanted = is_kernel_path(stage.input_path) ? 0 : input_bytes_of(stage);
  const std::int64_t size = wanted > 0 ? std::min(wanted, file->length) : file->length;
  stage.input = {.id = status.file_id, .size = size, .block_size = status.block_size};
  PlaceList places(cluster_, stage.places);
  const std::uint32_t tasks = task_count(stage);
  for (std::uint32_t i = 0; i < tasks; ++i) {
    places.add_task(nodes_at(*file, split_of(stage.input, tasks, i).offset));
  }
  if (blocks == nullptr) return success();
  for (const LocatedBlock& block : file->blocks) {
    if (block.offset < stage.input.size) blocks->add_block(good_replicas(block));
  }
  return success();
}

bool NamenodeService::has(const std::string& path) const {
  if (!namenode_) return false;
  const auto found = namenode_->state().tree.find(path);
  return found && *found;
}

void NamenodeService::remove(const std::string& path) {
  if (has(path)) execute(DeletePath{path, true});
}

void NamenodeService::rename(const std::string& path, const std::string& new_path) {
  if (has(path)) execute(RenameTo{path, new_path, true});
}

void NamenodeService::execute(StorageOperation operation) {
  has_taken_ = true;
  const NamenodeOptions& options = namenode_->state().options;
  const StorageReply reply =
      namenode_->call({.caller = {.user = options.superuser, .group = options.supergroup},
                       .operation = std::move(operation)},
                      context_.now());
  if (std::holds_alternative<StorageFailure>(reply)) ++context_.counters.storage_calls_refused;
}

void NamenodeService::verify() const {
  if (namenode_) namenode_->check_invariants();
}

}  // namespace tracebed
