#include "coordinator/storage/namenode_queries.h"

#include <algorithm>

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/block_writing.h"
#include "coordinator/storage/file_lookup.h"

namespace tracebed {
namespace {

constexpr std::size_t damaged_files_max = 100;

void check_block(const NamenodeState& state, BlockIndex block, FileHealth& health) {
  const ReplicaCounts counts = state.manager.counts(block);
  const std::uint32_t expected = state.manager.expected(block);
  const std::uint32_t good = counts.live + counts.decommissioning;
  ++health.blocks;
  health.corrupt_replicas += counts.corrupt;
  health.missing += good == 0 ? 1u : 0u;
  health.minimally_replicated += good >= state.options.replication_min ? 1u : 0u;
  health.under_replicated += good > 0 && counts.live < expected ? 1u : 0u;
  health.over_replicated += counts.live + counts.excess > expected ? 1u : 0u;
  const bool is_badly_distributed =
      state.manager.queues().priority_of(block) == RedundancyPriority::badly_distributed;
  health.badly_distributed += is_badly_distributed ? 1u : 0u;
}

void check_file(const NamenodeState& state, InodeId id, FileHealth& health) {
  const FileContents& file = state.tree.inode(id).file;
  ++health.files;
  health.open_files += file.is_under_construction() ? 1u : 0u;
  health.bytes += length_of(state, file);
  const std::uint64_t missing_before = health.missing;
  for (const BlockIndex block : file.blocks) {
    if (state.blocks.block(block).is_complete()) check_block(state, block, health);
  }
  const bool is_damaged = health.missing > missing_before;
  if (is_damaged && health.damaged.size() < damaged_files_max) {
    health.damaged.push_back(state.tree.path_of(id));
  }
}

// Everything at and below it, each directory before its children and those by name.
template <class Visit>
void walk(const NamenodeState& state, InodeId from, const Visit& visit) {
  std::vector<InodeId> open{from};
  while (!open.empty()) {
    const InodeId id = open.back();
    open.pop_back();
    visit(id);
    const auto& children = state.tree.inode(id).children;
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      open.push_back(child->second);
    }
  }
}

}  // namespace

StorageResult<std::optional<FileStatus>> file_info(const NamenodeState& state,
                                                   const std::string& path) {
  const auto found = state.tree.find(path);
  if (!found) return found.error();
  if (!*found) return std::optional<FileStatus>();
  return std::optional(status_of(state, **found));
}

StorageResult<bool> is_file_closed(const NamenodeState& state, const std::string& path) {
  const auto file = existing_file(state, path);
  if (!file) return file.error();
  return !state.tree.inode(*file).file.is_under_construction();
}

StorageResult<std::optional<DirectoryListing>> listing(const NamenodeState& state,
                                                       const std::string& path,
                                                       const std::string& start_after) {
  const auto found = state.tree.find(path);
  if (!found) return found.error();
  if (!*found) return std::optional<DirectoryListing>();
  const Inode& inode = state.tree.inode(**found);
  DirectoryListing listed;
  if (!inode.is_directory) {
    listed.entries.push_back(status_of(state, **found));
    listed.entries.back().name.clear();
    return std::optional(std::move(listed));
  }
  const auto begin =
      start_after.empty() ? inode.children.begin() : inode.children.upper_bound(start_after);
  for (auto child = begin; child != inode.children.end(); ++child) {
    if (listed.entries.size() < state.options.listing_max) {
      listed.entries.push_back(status_of(state, child->second));
    } else {
      ++listed.remaining;
    }
  }
  return std::optional(std::move(listed));
}

StorageResult<PathSummary> content_summary(const NamenodeState& state, const std::string& path) {
  const auto from = existing_inode(state, path, "File does not exist: " + path);
  if (!from) return from.error();
  PathSummary summary;
  walk(state, *from, [&](InodeId id) {
    const Inode& inode = state.tree.inode(id);
    if (inode.is_directory) {
      ++summary.directories;
      return;
    }
    ++summary.files;
    const std::int64_t length = length_of(state, inode.file);
    summary.length += length;
    summary.space_consumed += length * inode.file.replication;
  });
  return summary;
}

StorageStatistics statistics(const NamenodeState& state) {
  const RedundancyQueues& queues = state.manager.queues();
  StorageStatistics figures{.inodes = state.tree.size(),
                            .blocks = state.live_blocks,
                            .under_replicated = queues.size(),
                            .missing = queues.size(RedundancyPriority::corrupt),
                            .pending_transfers = state.manager.pending_transfers(),
                            .pending_deletions = state.manager.deletions()};
  for (const Datanode& datanode : state.datanodes.all()) {
    figures.capacity += datanode.usage.capacity;
    figures.used += datanode.usage.used;
    figures.remaining += datanode.usage.remaining;
  }
  for (const auto& [holder, lease] : state.leases.all()) figures.open_files += lease.files.size();
  return figures;
}

std::vector<DatanodeReport> datanode_reports(const NamenodeState& state, TraceTime now) {
  std::vector<DatanodeReport> reports;
  for (const Datanode& datanode : state.datanodes.all()) {
    if (!datanode.node.is_valid()) continue;
    reports.push_back({datanode.node, datanode.rack, datanode.usage, datanode.admin_state,
                       state.datanodes.liveness(datanode, now), datanode.last_heartbeat,
                       state.blocks.blocks_on(datanode.node).size()});
  }
  return reports;
}

ServerDefaults server_defaults(const NamenodeState& state) {
  return {.block_size = state.options.default_block_size,
          .replication = state.options.default_replication};
}

StorageResult<LocatedBlock> additional_datanodes(const NamenodeState& state,
                                                 const StorageCaller& caller,
                                                 const AdditionalDatanodes& asked, TraceTime now) {
  if (state.safe_mode.is_on()) {
    return storage_failure(StorageFailureKind::safe_mode,
                           "Cannot add datanode; src=" + asked.file.path +
                               ". Name node is in safe mode.\n" +
                               state.safe_mode.tip(state.safe_progress(), now));
  }
  const std::size_t items = asked.existing.size() + asked.excluded.size();
  if (auto status = check_list(state, items); !status) return status.error();
  const auto file = leased_file(state, asked.file, caller.client);
  if (!file) return file.error();
  const auto block = written_block(state, caller, asked.block);
  if (!block) return block.error();
  std::uint64_t seed = mix(state.options.seed ^ block->value());
  ReplicaRequest request{.writer = caller.node};
  request.count = std::min(asked.count, state.options.limits.replication_max);
  request.bytes = state.tree.inode(*file).file.block_size;
  for (const NodeId node : asked.existing) {
    if (state.datanodes.find(node) != nullptr) request.existing.push_back(node);
    seed = mix(seed ^ node.value());
  }
  request.excluded = asked.excluded;
  for (const NodeId node : asked.excluded) seed = mix(seed + node.value());
  Random random = Random::stream(seed, "additional datanode");
  LocatedBlock located{name_of(state, *block), 0, request.existing};
  const PlacementView view{state.topology, state.datanodes, state.options.placement, now};
  const std::vector<NodeId> chosen = state.placement->choose(view, request, random);
  located.nodes.insert(located.nodes.end(), chosen.begin(), chosen.end());
  return located;
}

StorageResult<FileHealth> check_files(const NamenodeState& state, const std::string& path) {
  const auto from = existing_inode(state, path, "File does not exist: " + path);
  if (!from) return from.error();
  FileHealth health;
  walk(state, *from, [&](InodeId id) {
    if (state.tree.inode(id).is_directory) {
      ++health.directories;
    } else {
      check_file(state, id, health);
    }
  });
  return health;
}

}  // namespace tracebed
