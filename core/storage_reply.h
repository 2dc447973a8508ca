// What the namenode answers, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ids.h"
#include "core/storage_call.h"
#include "core/storage_failure.h"
#include "core/time.h"

namespace tracebed {

// HdfsFileStatus.
struct FileStatus {
  std::string name;  // in its directory
  std::uint64_t file_id = 0;
  bool is_directory = false;
  std::int64_t length = 0;
  std::uint32_t replication = 0;  // of a directory 0, as its block size
  std::int64_t block_size = 0;
  std::uint16_t permission = 0;
  std::string owner;
  std::string group;
  TraceTime modified{};
  TraceTime accessed{};
  std::uint64_t children = 0;  // of a directory

  bool operator==(const FileStatus&) const = default;
};

// A block and where it is, or is to be written to in this order.
struct LocatedBlock {
  BlockName block;
  std::int64_t offset = 0;  // in its file
  std::vector<NodeId> nodes;
  bool is_corrupt = false;  // all replicas are; then `nodes` are theirs

  bool operator==(const LocatedBlock&) const = default;
};

struct AppendedFile {
  FileStatus status;
  std::optional<LocatedBlock> last;  // none if it is full: the next is to be added

  bool operator==(const AppendedFile&) const = default;
};

struct Done {
  bool operator==(const Done&) const = default;
};

// Of calls that return a boolean.
struct Answer {
  bool is_true = false;
  bool operator==(const Answer&) const = default;
};

using StorageReply =
    std::variant<StorageFailure, Done, Answer, FileStatus, LocatedBlock, AppendedFile>;

}  // namespace tracebed
