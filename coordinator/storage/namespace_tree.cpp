#include "coordinator/storage/namespace_tree.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "coordinator/storage/path_components.h"
#include "core/check.h"

namespace tracebed {
namespace {

constexpr InodeId root{std::size_t{0}};
// HDFS gives the first 16,384 numbers to nobody (INodeId.LAST_RESERVED_ID).
constexpr std::uint64_t first_file_id = 16'385;

StorageFailure failure(StorageFailureKind kind, std::string message) {
  return {kind, std::move(message)};
}

std::string prefix_of(const std::vector<std::string_view>& components, std::size_t count) {
  std::string path;
  for (std::size_t i = 0; i < count; ++i) path.append("/").append(components[i]);
  return path.empty() ? "/" : path;
}

constexpr std::string_view reserved = ".reserved";  // FSDirectory.DOT_RESERVED_STRING

bool is_reserved(const std::vector<std::string_view>& components) {
  return !components.empty() && components.front() == reserved;
}

StorageFailure not_a_directory(const std::string& path) {
  return failure(StorageFailureKind::parent_not_directory, path + " (is not a directory)");
}

}  // namespace

struct NamespaceTree::Place {
  std::vector<std::string_view> components;
  InodeId directory;          // where the name is; invalid if that is not there, or for the root
  std::optional<InodeId> id;  // what is there

  std::string_view name() const { return components.back(); }
  bool is_root() const { return components.empty(); }
};

NamespaceTree::NamespaceTree(OwnerId superuser, GroupId supergroup, TraceTime now)
    : live_(1), next_file_id_(first_file_id) {
  Inode& inode = inodes_.emplace_back();
  inode.is_directory = true;
  inode.file_id = next_file_id_++;
  by_file_id_.emplace_back(inode.file_id, root);
  inode.permission = 0755;
  inode.owner = superuser;
  inode.group = supergroup;
  inode.modified = now;
}

// ---- looking ----

const Inode& NamespaceTree::inode(InodeId id) const {
  TRACEBED_CHECK(id.index() < inodes_.size(), "an inode is looked up by an id of this tree");
  return inodes_[id.index()];
}

InodeId NamespaceTree::child_of(InodeId parent, std::string_view name) const {
  const auto found = by_name_.find(ChildKey{parent, name});
  return found == by_name_.end() ? InodeId() : found->second;
}

Inode& NamespaceTree::change(InodeId id) {
  return const_cast<Inode&>(std::as_const(*this).inode(id));
}

auto NamespaceTree::place_of(std::string_view path) const -> StorageResult<Place> {
  auto components = components_of(path);
  if (!components) return components.error();
  if (is_reserved(*components)) {
    return failure(StorageFailureKind::invalid_path, "Invalid path name " + std::string(path) +
                                                         ": " + std::string(reserved) +
                                                         " is a reserved name");
  }
  Place place{std::move(*components), {}, {}};
  if (place.is_root()) {
    place.id = root;
    return place;
  }
  InodeId at = root;
  for (std::size_t i = 0; i < place.components.size(); ++i) {
    const Inode& directory = inode(at);
    if (!directory.is_directory) return not_a_directory(prefix_of(place.components, i));
    const bool is_last = i + 1 == place.components.size();
    if (is_last) place.directory = at;
    const InodeId child = child_of(at, place.components[i]);
    if (!child.is_valid()) return place;
    at = child;
  }
  place.id = at;
  return place;
}

StorageResult<std::optional<InodeId>> NamespaceTree::find(std::string_view path) const {
  if (path.starts_with("/.reserved")) {
    const auto components = components_of(path);
    if (!components) return components.error();
    if (is_reserved(*components)) return find_by_inode_path(path, *components);
  }
  const auto place = place_of(path);
  if (!place) return place.error();
  return place->id;
}

// FSDirectory.resolveDotInodesPath
StorageResult<std::optional<InodeId>> NamespaceTree::find_by_inode_path(
    std::string_view path, const std::vector<std::string_view>& components) const {
  constexpr std::size_t names_before_rest = 3;
  if (components.size() < names_before_rest || components[1] != ".inodes") {
    return std::optional<InodeId>();
  }
  std::uint64_t file_id = 0;
  const std::string_view number = components[2];
  const char* const end = number.data() + number.size();
  const auto parsed = std::from_chars(number.data(), end, file_id);
  if (parsed.ec != std::errc{} || parsed.ptr != end) {
    return failure(StorageFailureKind::file_not_found, "Invalid inode path: " + std::string(path));
  }
  std::optional<InodeId> at = find_by_file_id(file_id);
  if (!at) {
    return failure(StorageFailureKind::file_not_found,
                   "File for given inode path does not exist: " + std::string(path));
  }
  for (std::size_t i = names_before_rest; i < components.size(); ++i) {
    if (!inode(*at).is_directory) return not_a_directory(prefix_of(components, i));
    at = child_of(*at, components[i]);
    if (!at->is_valid()) return std::optional<InodeId>();
  }
  return at;
}

std::string NamespaceTree::path_of(InodeId id) const {
  std::vector<std::string_view> names;
  for (; id != root; id = inode(id).parent) names.push_back(inode(id).name);
  std::reverse(names.begin(), names.end());
  return prefix_of(names, names.size());
}

ContentSummary NamespaceTree::summary(InodeId id) const {
  ContentSummary summary;
  std::vector<InodeId> open{id};
  while (!open.empty()) {
    const Inode& at = inode(open.back());
    open.pop_back();
    if (at.is_directory) {
      ++summary.directories;
      // Children from the last to the first, so that the first is visited next.
      for (auto child = at.children.rbegin(); child != at.children.rend(); ++child) {
        open.push_back(child->second);
      }
    } else {
      ++summary.files;
      summary.blocks.insert(summary.blocks.end(), at.file.blocks.begin(), at.file.blocks.end());
    }
  }
  return summary;
}

// ---- changing ----

InodeId NamespaceTree::add(InodeId parent, std::string_view name, const NewInode& made,
                           bool is_directory) {
  InodeId id(inodes_.size());
  if (free_.empty()) {
    inodes_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  Inode& inode = inodes_[id.index()];
  inode.is_directory = is_directory;
  inode.file_id = next_file_id_++;
  by_file_id_.emplace_back(inode.file_id, id);
  inode.permission = made.permission;
  inode.owner = made.owner;
  inode.group = made.group.is_valid() ? made.group : this->inode(parent).group;
  inode.modified = made.now;
  // Of directories HDFS keeps none.
  inode.accessed = is_directory ? TraceTime() : made.now;
  attach(id, parent, name);
  change(parent).modified = made.now;
  ++live_;
  return id;
}

void NamespaceTree::attach(InodeId id, InodeId parent, std::string_view name) {
  Inode& inode = change(id);
  inode.parent = parent;
  inode.name = name;
  const bool is_new = change(parent).children.emplace(inode.name, id).second;
  TRACEBED_CHECK(is_new, "a directory has each name once");
  by_name_.emplace(ChildKey{parent, inode.name}, id);
}

void NamespaceTree::detach(InodeId id) {
  Inode& parent = change(inode(id).parent);
  by_name_.erase(ChildKey{inode(id).parent, inode(id).name});
  TRACEBED_CHECK(parent.children.erase(inode(id).name) == 1, "an inode is in its directory");
}

void NamespaceTree::release(InodeId id, FreedContents& freed) {
  std::vector<InodeId> open{id};
  while (!open.empty()) {
    const InodeId each = open.back();
    open.pop_back();
    Inode& inode = change(each);
    for (const auto& [name, child] : inode.children) {
      open.push_back(child);
      by_name_.erase(ChildKey{each, name});
    }
    freed.blocks.insert(freed.blocks.end(), inode.file.blocks.begin(), inode.file.blocks.end());
    if (inode.file.is_under_construction()) {
      freed.open_files.push_back({each, inode.file.lease_holder});
    }
    inode = {};
    free_.push_back(each);
    --live_;
  }
  forget_file_ids();
}

std::optional<InodeId> NamespaceTree::find_by_file_id(std::uint64_t file_id) const {
  const auto found =
      std::lower_bound(by_file_id_.begin(), by_file_id_.end(), std::pair(file_id, root));
  const bool exists = found != by_file_id_.end() && found->first == file_id &&
                      inode(found->second).file_id == file_id;
  return exists ? std::optional(found->second) : std::nullopt;
}

void NamespaceTree::forget_file_ids() {
  if (by_file_id_.size() < 2 * live_ + 64) return;
  std::erase_if(by_file_id_,
                [&](const auto& entry) { return inode(entry.second).file_id != entry.first; });
}

std::vector<InodeId> NamespaceTree::all() const {
  std::vector<InodeId> ids;
  for (std::size_t i = 0; i < inodes_.size(); ++i) {
    if (inodes_[i].file_id != 0) ids.emplace_back(i);
  }
  return ids;
}

StorageResult<InodeId> NamespaceTree::make_parents(std::string_view path,
                                                   const std::vector<std::string_view>& components,
                                                   const NewInode& made) {
  // Whoever makes a directory on the way may enter it and write to it (FSDirMkdirOp).
  NewInode above = made;
  above.permission = static_cast<std::uint16_t>(made.permission | 0300);
  InodeId at = root;
  for (std::size_t i = 0; i + 1 < components.size(); ++i) {
    const auto child = inode(at).children.find(components[i]);
    at = child == inode(at).children.end() ? add(at, components[i], above, true) : child->second;
  }
  TRACEBED_CHECK(inode(at).is_directory, path);
  return at;
}

StorageResult<InodeId> NamespaceTree::make_directory(std::string_view path, const NewInode& made,
                                                     bool makes_parents) {
  const auto place = place_of(path);
  if (!place) return place.error();
  if (place->id) {
    if (inode(*place->id).is_directory) return *place->id;
    return failure(StorageFailureKind::file_already_exists,
                   "Path is not a directory: " + std::string(path));
  }
  if (!place->directory.is_valid() && !makes_parents) {
    return failure(StorageFailureKind::file_not_found,
                   "Parent directory doesn't exist: " +
                       prefix_of(place->components, place->components.size() - 1));
  }
  const auto directory = make_parents(path, place->components, made);
  return add(*directory, place->name(), made, true);
}

StorageResult<InodeId> NamespaceTree::create_file(std::string_view path, const NewFile& made,
                                                  FreedContents& freed) {
  TRACEBED_CHECK(!made.client.empty(), "a file is written by a client with a name");
  const auto place = place_of(path);
  if (!place) return place.error();
  const std::string text(path);
  if (place->id && inode(*place->id).is_directory) {
    return failure(StorageFailureKind::file_already_exists,
                   text + " already exists as a directory");
  }
  if (place->id && !made.may_overwrite) {
    const FileContents& file = inode(*place->id).file;
    if (file.is_under_construction()) {
      return failure(StorageFailureKind::already_being_created,
                     "Failed to CREATE_FILE " + text + " for " + made.client +
                         " because this file lease is currently owned by " + file.lease_holder);
    }
    return failure(StorageFailureKind::file_already_exists,
                   text + " for client " + made.client + " already exists");
  }
  if (!place->directory.is_valid() && !made.makes_parents) {
    return failure(StorageFailureKind::file_not_found,
                   "Parent directory doesn't exist: " +
                       prefix_of(place->components, place->components.size() - 1));
  }
  if (place->id) {
    detach(*place->id);
    release(*place->id, freed);
  }
  const auto directory = make_parents(path, place->components, made.inode);
  const InodeId id = add(*directory, place->name(), made.inode, false);
  FileContents& file = change(id).file;
  file.replication = made.replication;
  file.block_size = made.block_size;
  file.lease_holder = made.client;
  return id;
}

StorageResult<bool> NamespaceTree::remove(std::string_view path, bool is_recursive, TraceTime now,
                                          FreedContents& freed) {
  const auto place = place_of(path);
  if (!place) return place.error();
  if (!place->id || place->is_root()) return false;
  if (!is_recursive && !inode(*place->id).children.empty()) {
    return failure(StorageFailureKind::directory_not_empty,
                   "`" + std::string(path) + " is non empty': Directory is not empty");
  }
  change(place->directory).modified = now;
  detach(*place->id);
  release(*place->id, freed);
  return true;
}

StorageStatus NamespaceTree::check_rename(std::string_view source, std::string_view destination,
                                          const Place& from, const Place& to,
                                          bool may_overwrite) const {
  const std::string from_text(source);
  const std::string to_text(destination);
  using Kind = StorageFailureKind;
  if (!from.id)
    return failure(Kind::file_not_found, "rename source " + from_text + " is not found.");
  if (from.is_root()) return failure(Kind::io, "rename source cannot be the root");
  if (to.is_root()) return failure(Kind::io, "rename destination cannot be the root");
  if (to.id == from.id) {
    return failure(Kind::file_already_exists,
                   "The source " + from_text + " and destination " + to_text + " are the same");
  }
  if (is_same_or_below(source, destination)) {
    return failure(Kind::io, "Rename destination " + to_text +
                                 " is a directory or file under source " + from_text);
  }
  if (to.id) {
    const Inode& there = inode(*to.id);
    if (there.is_directory != inode(*from.id).is_directory) {
      return failure(Kind::io, "Source " + from_text + " and destination " + to_text +
                                   " must both be directories or both be files");
    }
    if (!may_overwrite) {
      return failure(Kind::file_already_exists,
                     "rename destination " + to_text + " already exists");
    }
    if (!there.children.empty()) {
      return failure(Kind::io, "rename destination directory is not empty: " + to_text);
    }
  }
  if (!to.directory.is_valid()) {
    return failure(Kind::file_not_found, "rename destination parent " +
                                             prefix_of(to.components, to.components.size() - 1) +
                                             " not found.");
  }
  return storage_success();
}

StorageStatus NamespaceTree::rename(std::string_view source, std::string_view destination,
                                    bool may_overwrite, TraceTime now, FreedContents& freed) {
  const auto from = place_of(source);
  if (!from) return from.error();
  const auto to = place_of(destination);
  if (!to) return to.error();
  if (auto status = check_rename(source, destination, *from, *to, may_overwrite); !status) {
    return status;
  }
  if (to->id) {
    detach(*to->id);
    release(*to->id, freed);
  }
  detach(*from->id);
  attach(*from->id, to->directory, to->name());
  change(from->directory).modified = now;
  change(to->directory).modified = now;
  return storage_success();
}

StorageResult<bool> NamespaceTree::rename_into(std::string_view source,
                                               std::string_view destination, TraceTime now) {
  const auto from = place_of(source);
  if (!from) return from.error();
  const auto to = place_of(destination);
  if (!to) return to.error();
  std::string target(destination);
  if (to->id && inode(*to->id).is_directory && !from->is_root()) {
    if (target.back() != '/') target += '/';
    target += from->name();
  }
  // A file that is renamed to itself has its name already.
  if (from->id && to->id == from->id && !inode(*from->id).is_directory) return true;
  FreedContents none;
  return rename(source, target, /*may_overwrite=*/false, now, none).has_value();
}

}  // namespace tracebed
