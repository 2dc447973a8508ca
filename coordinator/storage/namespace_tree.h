// The namenode's tree of directories and files (org.apache.hadoop.hdfs.server.namenode.
// FSDirectory and its FSDir…Op classes). It knows which blocks a file has, and nothing of where
// they are.
//
// Every change is all or nothing: a call that fails has changed nothing. Failures have Hadoop's
// exception classes and, where clients show them, its sentences.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coordinator/storage/inode.h"
#include "core/storage_failure.h"

namespace tracebed {

// Of what a call makes.
struct NewInode {
  std::uint16_t permission = 0755;
  OwnerId owner;
  GroupId group;  // invalid: that of the directory, as in BSD and HDFS
  TraceTime now{};
};

struct NewFile {
  NewInode inode;
  std::uint32_t replication = 3;
  std::int64_t block_size = 0;
  std::string client;  // gets the lease; not empty
  bool may_overwrite = false;
  bool makes_parents = true;
};

struct ContentSummary {
  std::uint64_t directories = 0;
  std::uint64_t files = 0;
  std::vector<BlockIndex> blocks;  // of all files, in their order
};

// What went with the files that a call removed.
struct FreedContents {
  std::vector<BlockIndex> blocks;
  struct OpenFile {
    InodeId id;  // no longer valid
    std::string lease_holder;
  };
  std::vector<OpenFile> open_files;
};

class NamespaceTree {
 public:
  // The root belongs to `superuser`.
  NamespaceTree(OwnerId superuser, GroupId supergroup, TraceTime now);

  // ---- looking ----
  // None if nothing is there; a file in the place of a directory is a failure, as for clients. A
  // path may begin with /.reserved/.inodes/ID, which is what has that id, wherever it
  // is; nothing is made, removed or renamed by such a path.
  StorageResult<std::optional<InodeId>> find(std::string_view path) const;
  const Inode& inode(InodeId id) const;
  // None if it was removed.
  std::optional<InodeId> find_by_file_id(std::uint64_t file_id) const;
  std::string path_of(InodeId id) const;
  // Of everything at and below it.
  ContentSummary summary(InodeId id) const;
  // All that exist, the root first; in the order of their ids.
  std::vector<InodeId> all() const;
  // Directories and files, the root among them.
  std::size_t size() const { return live_; }

  // ---- changing ----
  // Succeeds if it is there already. Without `makes_parents`, the directory above must be there.
  StorageResult<InodeId> make_directory(std::string_view path, const NewInode& made,
                                        bool makes_parents);
  // The file is open: the client has its lease. What a file that was overwritten had is
  // appended to `freed`.
  StorageResult<InodeId> create_file(std::string_view path, const NewFile& made,
                                     FreedContents& freed);
  // True if something was removed; what its files had is appended to `freed`. The root stays.
  StorageResult<bool> remove(std::string_view path, bool is_recursive, TraceTime now,
                             FreedContents& freed);
  // ClientProtocol.rename2: the destination must not be there, unless it may be overwritten and is
  // a file, or an empty directory, of the source's kind.
  StorageStatus rename(std::string_view source, std::string_view destination, bool may_overwrite,
                       TraceTime now, FreedContents& freed);
  // ClientProtocol.rename: into a destination that is a directory; false where rename2 fails.
  StorageResult<bool> rename_into(std::string_view source, std::string_view destination,
                                  TraceTime now);
  // None of it is of the root's name, parent or children. References stay valid until it is
  // removed.
  Inode& change(InodeId id);

 private:
  struct Place;  // of a path: its directory, its name, and what is there

  StorageResult<Place> place_of(std::string_view path) const;
  StorageResult<std::optional<InodeId>> find_by_inode_path(
      std::string_view path, const std::vector<std::string_view>& components) const;
  InodeId add(InodeId parent, std::string_view name, const NewInode& made, bool is_directory);
  StorageResult<InodeId> make_parents(std::string_view path,
                                      const std::vector<std::string_view>& components,
                                      const NewInode& made);
  void forget_file_ids();
  void detach(InodeId id);
  void attach(InodeId id, InodeId parent, std::string_view name);
  void release(InodeId id, FreedContents& freed);
  StorageStatus check_rename(std::string_view source, std::string_view destination,
                             const Place& from, const Place& to, bool may_overwrite) const;

  // The name in the directory `parent`, by its hash: children in their order are slow to search
  // when there are many. The names are those of the inodes.
  struct ChildKey {
    InodeId parent;
    std::string_view name;
    bool operator==(const ChildKey&) const = default;
  };
  struct ChildHash {
    std::size_t operator()(const ChildKey& key) const {
      return std::hash<std::string_view>()(key.name) ^ (key.parent.index() * 0x9E3779B97F4A7C15u);
    }
  };
  // Invalid if it has no such child.
  InodeId child_of(InodeId parent, std::string_view name) const;

  std::unordered_map<ChildKey, InodeId, ChildHash> by_name_;  // looked up, never iterated
  std::deque<Inode> inodes_;  // does not move them: children's keys view their names
  std::vector<InodeId> free_;
  // Ascending, as new ones are greater. Those that were removed stay until they are half of all.
  std::vector<std::pair<std::uint64_t, InodeId>> by_file_id_;
  std::size_t live_ = 0;
  std::uint64_t next_file_id_;
};

}  // namespace tracebed
