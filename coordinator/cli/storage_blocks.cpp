// `tracebed storage blocks` and `fsck`
#include <algorithm>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/cli/json_output.h"
#include "coordinator/cli/storage_client.h"
#include "coordinator/cli/storage_commands.h"
#include "coordinator/cli/text_output.h"
#include "hdfs_client/datanode_connection.h"

namespace tracebed {
namespace {

using hdfs::pb::HdfsFileStatus;
using hdfs::pb::LocatedBlock;

struct BlockFlags : StorageFlags {
  std::string path = "/";
};

// Calls visit(block) for the blocks of a file, those of a part of it at a time.
template <class Visitor>
void visit_blocks(hdfs::NamenodeClient& namenode, const std::string& path, std::uint64_t length,
                  Visitor&& visit) {
  constexpr std::uint64_t part = std::uint64_t{64} << 30;
  for (std::uint64_t offset = 0; offset < length;) {
    hdfs::pb::GetBlockLocationsRequest request;
    request.set_src(path);
    request.set_offset(offset);
    request.set_length(part);
    const auto response = expected(namenode.call(request));
    std::uint64_t next = offset;
    for (const LocatedBlock& block : response.locations().blocks()) {
      const std::uint64_t end = block.offset() + block.b().num_bytes();
      if (block.offset() >= offset || offset == 0) visit(block);
      next = std::max(next, end);
    }
    if (next == offset) break;  // it became shorter meanwhile
    offset = next;
  }
}

nlohmann::ordered_json to_json(const LocatedBlock& block) {
  nlohmann::ordered_json replicas = nlohmann::ordered_json::array();
  for (const hdfs::pb::DatanodeInfo& datanode : block.locs()) {
    replicas.push_back({{"host", datanode.id().host_name()},
                        {"address", hdfs::transfer_address(datanode.id())},
                        {"rack", datanode.location()}});
  }
  return {{"block_id", block.b().block_id()}, {"generation_stamp", block.b().generation_stamp()},
          {"offset", block.offset()},         {"length", block.b().num_bytes()},
          {"is_corrupt", block.corrupt()},    {"replicas", std::move(replicas)}};
}

void print_blocks(const BlockFlags& flags) {
  hdfs::NamenodeClient namenode = connect_to(flags);
  const HdfsFileStatus file = existing(namenode, flags.path);
  nlohmann::ordered_json blocks = nlohmann::ordered_json::array();
  visit_blocks(namenode, flags.path, file.length(), [&](const LocatedBlock& block) {
    if (flags.json) {
      blocks.push_back(to_json(block));
      return;
    }
    std::string places;
    for (const hdfs::pb::DatanodeInfo& datanode : block.locs()) {
      places += fmt::format(" {}/{}", datanode.location(), datanode.id().host_name());
    }
    print_plain("blk_{}_{} at {}, {} B:{}{}\n", block.b().block_id(), block.b().generation_stamp(),
                block.offset(), block.b().num_bytes(), places.empty() ? " no replica" : places,
                block.corrupt() ? " (corrupt)" : "");
  });
  if (flags.json) print_json({{"path", flags.path}, {"blocks", std::move(blocks)}});
}

struct CheckedFiles {
  std::uint64_t directories = 0;
  std::uint64_t files = 0;
  std::uint64_t open_files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t blocks = 0;
  std::uint64_t under_replicated = 0;
  std::uint64_t over_replicated = 0;
  std::uint64_t missing = 0;
  std::vector<std::string> damaged;  // the first files with a missing block
};

void check_file(hdfs::NamenodeClient& namenode, const std::string& path,
                const HdfsFileStatus& status, CheckedFiles& health) {
  constexpr std::size_t damaged_max = 100;
  ++health.files;
  health.bytes += status.length();
  hdfs::pb::IsFileClosedRequest request;
  request.set_src(path);
  if (!expected(namenode.call(request)).result()) ++health.open_files;
  const std::uint64_t missing_before = health.missing;
  visit_blocks(namenode, path, status.length(), [&](const LocatedBlock& block) {
    ++health.blocks;
    const auto replicas = static_cast<std::uint32_t>(block.locs_size());
    if (block.corrupt() || replicas == 0) {
      ++health.missing;
    } else if (replicas < status.block_replication()) {
      ++health.under_replicated;
    } else if (replicas > status.block_replication()) {
      ++health.over_replicated;
    }
  });
  if (health.missing > missing_before && health.damaged.size() < damaged_max) {
    health.damaged.push_back(path);
  }
}

CheckedFiles check_below(hdfs::NamenodeClient& namenode, const std::string& root) {
  CheckedFiles health;
  const HdfsFileStatus status = existing(namenode, root);
  if (status.file_type() != HdfsFileStatus::IS_DIR) {
    check_file(namenode, root, status, health);
    return health;
  }
  std::vector<std::string> directories{root};
  while (!directories.empty()) {
    const std::string directory = std::move(directories.back());
    directories.pop_back();
    ++health.directories;
    for (const HdfsFileStatus& entry : expected(namenode.listing(directory))) {
      const std::string path = (directory == "/" ? "" : directory) + "/" + entry.path();
      if (entry.file_type() == HdfsFileStatus::IS_DIR) {
        directories.push_back(path);
      } else {
        check_file(namenode, path, entry, health);
      }
    }
  }
  return health;
}

ExitCode check_files_below(const BlockFlags& flags) {
  hdfs::NamenodeClient namenode = connect_to(flags);
  const CheckedFiles health = check_below(namenode, flags.path);
  if (flags.json) {
    print_json({{"path", flags.path},
                {"directories", health.directories},
                {"files", health.files},
                {"open_files", health.open_files},
                {"bytes", health.bytes},
                {"blocks", health.blocks},
                {"under_replicated", health.under_replicated},
                {"over_replicated", health.over_replicated},
                {"missing", health.missing},
                {"damaged", health.damaged}});
  } else {
    print_plain(
        "{}: {} ({} directories, {} files, {} open, {} B, {} blocks; {} under-replicated, {} "
        "over-replicated, {} missing)\n",
        flags.path, health.missing == 0 ? "healthy" : "damaged", health.directories, health.files,
        health.open_files, health.bytes, health.blocks, health.under_replicated,
        health.over_replicated, health.missing);
    for (const std::string& path : health.damaged) print_plain("missing blocks: {}\n", path);
  }
  return health.missing == 0 ? ExitCode::success : ExitCode::run_failed;
}

CLI::App* add_block_command(CLI::App& storage, const std::shared_ptr<BlockFlags>& flags,
                            const char* name, const char* meaning, bool is_required) {
  CLI::App* command = storage.add_subcommand(name, meaning);
  CLI::Option* path = command->add_option("path", flags->path, "Path in HDFS");
  if (is_required) {
    path->required();
  } else {
    path->capture_default_str();
  }
  add_storage_flags(*command, *flags);
  add_storage_json_flag(*command, *flags);
  return command;
}

}  // namespace

void add_storage_blocks_command(CLI::App& storage) {
  const auto flags = std::make_shared<BlockFlags>();
  add_block_command(storage, flags, "blocks",
                    "List the blocks of a file, and where their replicas are", true)
      ->callback([flags] { print_blocks(*flags); });
}

void add_storage_fsck_command(CLI::App& storage, ExitCode& result) {
  const auto flags = std::make_shared<BlockFlags>();
  add_block_command(storage, flags, "fsck", "Count blocks with too few replicas, too many or none",
                    false)
      ->callback([flags, &result] { result = check_files_below(*flags); });
}

}  // namespace tracebed
