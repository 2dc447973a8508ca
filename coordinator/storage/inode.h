// A file or directory of the namespace (org.apache.hadoop.hdfs.server.namenode.INode).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

using InodeId = Id<struct InodeTag>;
using BlockIndex = Id<struct BlockTag>;  // n-th block that was ever allocated
using OwnerId = Id<struct OwnerTag>;     // name of a user
using GroupId = Id<struct GroupTag>;     // name of a group

struct FileContents {
  std::uint32_t replication = 1;
  std::int64_t block_size = 0;
  std::vector<BlockIndex> blocks;
  // The client that writes it, by its name; empty when the file is closed.
  std::string lease_holder;

  bool is_under_construction() const { return !lease_holder.empty(); }
};

struct Inode {
  std::string name;  // in its directory; empty for the root
  // Never given twice, as clients that keep a file open need it; the index of InodeId is.
  std::uint64_t file_id = 0;
  InodeId parent;  // invalid for the root
  bool is_directory = false;
  std::uint16_t permission = 0;  // the nine bits and the sticky one
  OwnerId owner;
  GroupId group;
  TraceTime modified{};
  TraceTime accessed{};
  // Of a directory, by name in the order of their bytes, as clients get them. The keys view the
  // names of the inodes.
  std::map<std::string_view, InodeId> children;
  FileContents file;  // of a file
};

}  // namespace tracebed
