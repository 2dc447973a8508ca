#include "agents/datanode/folder_scan.h"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/datanode/replica_names.h"

namespace tracebed {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

void remove_file(const FileDescriptor& folder, const std::string& name) {
  // What cannot be removed is found again at the next start.
  unlinkat(folder.number(), name.c_str(), 0);
}

}  // namespace

void FolderScan::add(const FileDescriptor& folder, bool is_finalized) {
  const int again = openat(folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, CloseFolder> listing(fdopendir(again));
  if (listing == nullptr) return;
  while (const dirent* entry = readdir(listing.get())) {
    const auto name = parse_replica_file_name(entry->d_name);
    struct stat status = {};
    if (!name || fstatat(folder.number(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode)) {
      continue;
    }
    ScannedBlock& block = blocks_[name->block_id];
    block.block_id = name->block_id;
    if (name->generation_stamp) {
      block.checksums.push_back({*name->generation_stamp, is_finalized});
    } else {
      (is_finalized ? block.has_finalized_data : block.has_data_being_written) = true;
    }
  }
}

std::vector<ScannedBlock> FolderScan::blocks() const {
  std::vector<ScannedBlock> blocks;
  for (const auto& [id, block] : blocks_) blocks.push_back(block);
  return blocks;
}

std::optional<FoundReplica> repair(const ScannedBlock& block, const FileDescriptor& being_written,
                                   const FileDescriptor& finalized) {
  const auto folder = [&](bool is_finalized) -> const FileDescriptor& {
    return is_finalized ? finalized : being_written;
  };
  const bool has_data = block.has_finalized_data || block.has_data_being_written;
  std::vector<ScannedChecksums> checksums = block.checksums;
  std::sort(checksums.begin(), checksums.end());
  const bool is_replica = has_data && !checksums.empty();
  const std::string data_name = data_file_name(block.block_id);
  if (block.has_data_being_written && (block.has_finalized_data || !is_replica)) {
    remove_file(being_written, data_name);
  }
  if (block.has_finalized_data && !is_replica) remove_file(finalized, data_name);
  const std::size_t kept = is_replica ? 1 : 0;
  for (std::size_t i = 0; i + kept < checksums.size(); ++i) {
    remove_file(folder(checksums[i].is_finalized),
                checksum_file_name(block.block_id, checksums[i].generation_stamp));
  }
  if (!is_replica) return std::nullopt;
  const FoundReplica found{block.block_id, checksums.back().generation_stamp,
                           block.has_finalized_data};
  const std::string name = checksum_file_name(block.block_id, found.generation_stamp);
  if (checksums.back().is_finalized != found.is_finalized &&
      renameat(folder(!found.is_finalized).number(), name.c_str(),
               folder(found.is_finalized).number(), name.c_str()) != 0) {
    return std::nullopt;
  }
  return found;
}

}  // namespace tracebed
