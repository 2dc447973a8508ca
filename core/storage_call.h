// What clients, administrators and datanodes that recover a block ask of the namenode, as far as it
// changes its state (org.apache.hadoop.hdfs.protocol.ClientProtocol, DatanodeProtocol). Plain
// values: a call is an arrival of the log. Calls that change nothing are functions of
// namenode_queries.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

// As clients and datanodes name a block: ExtendedBlock without the pool.
struct BlockName {
  std::uint64_t id = 0;
  std::uint32_t generation_stamp = 0;
  std::int64_t length = 0;

  bool operator==(const BlockName&) const = default;
};

// Equal for a call and its repetitions (RpcRequestHeaderProto.clientId, callId).
struct CallIdentity {
  std::array<std::uint8_t, 16> client_id{};
  std::int32_t call_id = 0;

  auto operator<=>(const CallIdentity&) const = default;
};

struct StorageCaller {
  std::string user;
  std::string group;    // the first of the user's
  std::string client;   // its name for leases: empty for calls that need none
  std::string address;  // as messages show it
  NodeId node;          // invalid if it is not on a datanode
  std::optional<CallIdentity> identity;

  bool operator==(const StorageCaller&) const = default;
};

// ---- files that are written ----

struct CreateFile {
  std::string path;
  std::uint16_t permission = 0644;
  bool may_create = true;      // CreateFlag.CREATE
  bool may_overwrite = false;  // CreateFlag.OVERWRITE
  bool makes_parents = true;
  std::uint32_t replication = 3;
  std::int64_t block_size = 0;
  bool operator==(const CreateFile&) const = default;
};

struct AppendFile {
  std::string path;
  bool to_new_block = false;  // CreateFlag.NEW_BLOCK
  bool operator==(const AppendFile&) const = default;
};

// An open file: by its id where that is not 0, for it may have been renamed.
struct OpenFileName {
  std::string path;
  std::uint64_t file_id = 0;
  bool operator==(const OpenFileName&) const = default;
};

struct AddBlock {
  OpenFileName file;
  std::optional<BlockName> previous;  // with its length
  std::vector<NodeId> excluded;
  bool ignores_client_locality = false;  // AddBlockFlag
  bool operator==(const AddBlock&) const = default;
};

struct AbandonBlock {
  OpenFileName file;
  BlockName block;
  bool operator==(const AbandonBlock&) const = default;
};

// A new generation stamp for the rest of a pipeline (updateBlockForPipeline).
struct UpdateBlockForPipeline {
  BlockName block;
  bool operator==(const UpdateBlockForPipeline&) const = default;
};

struct UpdatePipeline {
  BlockName old_block;
  BlockName new_block;
  std::vector<NodeId> nodes;
  bool operator==(const UpdatePipeline&) const = default;
};

struct CompleteFile {
  OpenFileName file;
  std::optional<BlockName> last;
  bool operator==(const CompleteFile&) const = default;
};

// fsync: the length of the last block is visible to readers.
struct SyncFile {
  OpenFileName file;
  std::int64_t last_block_length = 0;  // not positive: as it is
  bool operator==(const SyncFile&) const = default;
};

struct RenewLease {
  bool operator==(const RenewLease&) const = default;
};

struct RecoverLease {
  std::string path;
  bool operator==(const RecoverLease&) const = default;
};

// ---- the namespace ----

struct MakeDirectories {
  std::string path;
  std::uint16_t permission = 0755;
  bool makes_parents = true;
  bool operator==(const MakeDirectories&) const = default;
};

struct RenameInto {  // ClientProtocol.rename
  std::string source;
  std::string destination;
  bool operator==(const RenameInto&) const = default;
};

struct RenameTo {  // ClientProtocol.rename2
  std::string source;
  std::string destination;
  bool may_overwrite = false;
  bool operator==(const RenameTo&) const = default;
};

struct DeletePath {
  std::string path;
  bool is_recursive = false;
  bool operator==(const DeletePath&) const = default;
};

struct TruncateFile {
  std::string path;
  std::int64_t new_length = 0;
  bool operator==(const TruncateFile&) const = default;
};

struct ConcatFiles {
  std::string target;
  std::vector<std::string> sources;
  bool operator==(const ConcatFiles&) const = default;
};

struct SetReplication {
  std::string path;
  std::uint32_t replication = 3;
  bool operator==(const SetReplication&) const = default;
};

struct SetPermission {
  std::string path;
  std::uint16_t permission = 0;
  bool operator==(const SetPermission&) const = default;
};

struct SetOwner {
  std::string path;
  std::string owner;  // empty: stays
  std::string group;  // empty: stays
  bool operator==(const SetOwner&) const = default;
};

struct SetTimes {
  std::string path;
  std::optional<TraceTime> modified;  // none: stays
  std::optional<TraceTime> accessed;
  bool operator==(const SetTimes&) const = default;
};

// ---- replicas ----

// A reader, or a datanode, found them to be wrong.
struct ReportBadBlocks {
  struct Replicas {
    BlockName block;
    std::vector<NodeId> nodes;
    bool operator==(const Replicas&) const = default;
  };
  std::vector<Replicas> blocks;
  bool operator==(const ReportBadBlocks&) const = default;
};

// Of the datanode that was the primary of a recovery.
struct CommitBlockSynchronization {
  BlockName block;  // as it was ordered
  std::uint32_t new_generation_stamp = 0;
  std::int64_t new_length = 0;
  bool closes_file = true;
  bool deletes_block = false;
  std::vector<NodeId> nodes;  // have it with the new stamp and length
  bool operator==(const CommitBlockSynchronization&) const = default;
};

// ---- the administrator's ----

struct SetSafeMode {
  enum class Action : std::uint8_t { enter, leave };
  Action action = Action::enter;
  bool operator==(const SetSafeMode&) const = default;
};

struct DecommissionDatanode {
  NodeId node;
  bool operator==(const DecommissionDatanode&) const = default;
};

struct RecommissionDatanode {
  NodeId node;
  bool operator==(const RecommissionDatanode&) const = default;
};

using StorageOperation =
    std::variant<CreateFile, AppendFile, AddBlock, AbandonBlock, UpdateBlockForPipeline,
                 UpdatePipeline, CompleteFile, SyncFile, RenewLease, RecoverLease, MakeDirectories,
                 RenameInto, RenameTo, DeletePath, TruncateFile, ConcatFiles, SetReplication,
                 SetPermission, SetOwner, SetTimes, ReportBadBlocks, CommitBlockSynchronization,
                 SetSafeMode, DecommissionDatanode, RecommissionDatanode>;

struct StorageCall {
  StorageCaller caller;
  StorageOperation operation;
  bool operator==(const StorageCall&) const = default;
};

}  // namespace tracebed
