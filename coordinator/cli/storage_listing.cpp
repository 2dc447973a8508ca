// `tracebed storage ls` and `du`
#include <array>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/cli/json_output.h"
#include "coordinator/cli/storage_client.h"
#include "coordinator/cli/storage_commands.h"
#include "coordinator/cli/text_output.h"

namespace tracebed {
namespace {

using hdfs::pb::HdfsFileStatus;

struct ListingFlags : StorageFlags {
  std::string path = "/";
};

bool is_directory(const HdfsFileStatus& status) {
  return status.file_type() == HdfsFileStatus::IS_DIR;
}

// "drwxr-xr-x", as ls(1) has it.
std::string mode_text(const HdfsFileStatus& status) {
  std::string text(is_directory(status) ? "d" : "-");
  constexpr std::array symbols{'r', 'w', 'x'};
  constexpr int bits = 9;
  for (int bit = 0; bit < bits; ++bit) {
    const bool is_set = (status.permission().perm() >> (bits - 1 - bit) & 1) != 0;
    text += is_set ? symbols[static_cast<std::size_t>(bit % 3)] : '-';
  }
  return text;
}

std::string time_text(std::uint64_t milliseconds) {
  const auto seconds = static_cast<std::time_t>(milliseconds / 1'000);
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(seconds));
}

nlohmann::ordered_json to_json(const HdfsFileStatus& status) {
  nlohmann::ordered_json json = {{"name", status.path()},
                                 {"is_directory", is_directory(status)},
                                 {"length", status.length()},
                                 {"replication", status.block_replication()},
                                 {"block_size", status.blocksize()},
                                 {"permission", fmt::format("{:o}", status.permission().perm())},
                                 {"owner", status.owner()},
                                 {"group", status.group()},
                                 {"modified_ms", status.modification_time()},
                                 {"file_id", status.file_id()}};
  return json;
}

void list_directory(const ListingFlags& flags) {
  hdfs::NamenodeClient namenode = connect_to(flags);
  const HdfsFileStatus listed = existing(namenode, flags.path);
  std::vector<HdfsFileStatus> entries = expected(namenode.listing(flags.path));
  if (!is_directory(listed) && entries.size() == 1) entries.front().set_path(flags.path);
  if (flags.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const HdfsFileStatus& entry : entries) json.push_back(to_json(entry));
    return print_json({{"path", flags.path}, {"entries", std::move(json)}});
  }
  for (const HdfsFileStatus& entry : entries) {
    const std::string replication =
        is_directory(entry) ? "-" : std::to_string(entry.block_replication());
    print_plain("{} {:>3} {:<10} {:<12} {:>15} {} {}\n", mode_text(entry), replication,
                entry.owner(), entry.group(), entry.length(), time_text(entry.modification_time()),
                entry.path());
  }
}

void summarise(const ListingFlags& flags) {
  hdfs::NamenodeClient namenode = connect_to(flags);
  hdfs::pb::GetContentSummaryRequest request;
  request.set_path(flags.path);
  const auto response = expected(namenode.call(request));
  const hdfs::pb::ContentSummary& summary = response.summary();
  if (flags.json) {
    return print_json({{"path", flags.path},
                       {"length", summary.length()},
                       {"space_consumed", summary.space_consumed()},
                       {"files", summary.file_count()},
                       {"directories", summary.directory_count()}});
  }
  print_plain("{} B in {} files and {} directories, {} B with all replicas\n", summary.length(),
              summary.file_count(), summary.directory_count(), summary.space_consumed());
}

CLI::App* add_listing(CLI::App& storage, const std::shared_ptr<ListingFlags>& flags,
                      const char* name, const char* meaning) {
  CLI::App* command = storage.add_subcommand(name, meaning);
  command->add_option("path", flags->path, "Path in HDFS")->capture_default_str();
  add_storage_flags(*command, *flags);
  add_storage_json_flag(*command, *flags);
  return command;
}

}  // namespace

void add_storage_ls_command(CLI::App& storage) {
  const auto flags = std::make_shared<ListingFlags>();
  add_listing(storage, flags, "ls", "List a directory")->callback([flags] {
    list_directory(*flags);
  });
}

void add_storage_du_command(CLI::App& storage) {
  const auto flags = std::make_shared<ListingFlags>();
  add_listing(storage, flags, "du", "Sum up the files below a path")->callback([flags] {
    summarise(*flags);
  });
}

}  // namespace tracebed
