// What clients ask of the namenode that changes nothing (ClientProtocol: getFileInfo, getListing,
// getContentSummary, getFsStats, getDatanodeReport, getServerDefaults, getAdditionalDatanode;
// NamenodeFsck). Not logged: the same state gives the same answers. Block locations are in
// block_locations.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/storage/block_locations.h"
#include "coordinator/storage/namenode_state.h"
#include "core/storage_reply.h"

namespace tracebed {

// None if nothing is there.
StorageResult<std::optional<FileStatus>> file_info(const NamenodeState& state,
                                                   const std::string& path);
// False for one that is open; fails for one that is not there.
StorageResult<bool> is_file_closed(const NamenodeState& state, const std::string& path);

struct DirectoryListing {
  std::vector<FileStatus> entries;  // by name; of a file the one of it, with an empty name
  std::uint64_t remaining = 0;      // entries behind these
  bool operator==(const DirectoryListing&) const = default;
};
// Those whose names are greater than `start_after`, as many as one answer may have. None if nothing
// is there.
StorageResult<std::optional<DirectoryListing>> listing(const NamenodeState& state,
                                                       const std::string& path,
                                                       const std::string& start_after);

struct PathSummary {  // ContentSummary
  std::uint64_t directories = 0;
  std::uint64_t files = 0;
  std::int64_t length = 0;
  std::int64_t space_consumed = 0;  // length times replication
  bool operator==(const PathSummary&) const = default;
};
StorageResult<PathSummary> content_summary(const NamenodeState& state, const std::string& path);

struct StorageStatistics {  // FsStatus, and what dfsadmin -report begins with
  std::int64_t capacity = 0;
  std::int64_t used = 0;
  std::int64_t remaining = 0;
  std::uint64_t inodes = 0;
  std::uint64_t blocks = 0;
  std::uint64_t under_replicated = 0;
  std::uint64_t missing = 0;  // without a good replica
  std::uint64_t pending_transfers = 0;
  std::uint64_t pending_deletions = 0;
  std::uint64_t open_files = 0;
  bool operator==(const StorageStatistics&) const = default;
};
StorageStatistics statistics(const NamenodeState& state);

struct DatanodeReport {  // DatanodeInfo
  NodeId node;
  RackId rack;
  DatanodeUsage usage;
  AdminState admin_state = AdminState::normal;
  Liveness liveness = Liveness::live;
  TraceTime last_heartbeat{};
  std::uint64_t blocks = 0;
  bool operator==(const DatanodeReport&) const = default;
};
std::vector<DatanodeReport> datanode_reports(const NamenodeState& state, TraceTime now);

struct ServerDefaults {  // FsServerDefaults
  std::int64_t block_size = 0;
  std::uint32_t bytes_per_checksum = 512;
  std::uint32_t write_packet_size = 65'536;
  std::uint32_t replication = 0;
  std::uint32_t file_buffer_size = 4'096;
  bool operator==(const ServerDefaults&) const = default;
};
ServerDefaults server_defaults(const NamenodeState& state);

// Datanodes that may join a pipeline in the place of one that failed. It allocates nothing, so it
// is a query: the writer names those that it took in UpdatePipeline. The choice is drawn from a
// hash of the seed, the block and who is in the pipeline.
struct AdditionalDatanodes {
  OpenFileName file;
  BlockName block;
  std::vector<NodeId> existing;
  std::vector<NodeId> excluded;
  std::uint32_t count = 1;
};
StorageResult<LocatedBlock> additional_datanodes(const NamenodeState& state,
                                                 const StorageCaller& caller,
                                                 const AdditionalDatanodes& asked, TraceTime now);

struct FileHealth {
  std::uint64_t directories = 0;
  std::uint64_t files = 0;
  std::uint64_t open_files = 0;
  std::int64_t bytes = 0;
  std::uint64_t blocks = 0;  // complete ones, as those below
  std::uint64_t minimally_replicated = 0;
  std::uint64_t under_replicated = 0;
  std::uint64_t over_replicated = 0;
  std::uint64_t badly_distributed = 0;
  std::uint64_t missing = 0;           // no good replica
  std::uint64_t corrupt_replicas = 0;  // wherever they are
  // Files with a missing block: the first of them, by path.
  std::vector<std::string> damaged;
  bool operator==(const FileHealth&) const = default;
};
StorageResult<FileHealth> check_files(const NamenodeState& state, const std::string& path);

}  // namespace tracebed
