#include "protocol/webhdfs/web_json.h"

#include <array>
#include <nlohmann/json.hpp>

namespace tracebed::webhdfs {
namespace {

using nlohmann::json;
using namespace hdfs;

std::string text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string octal(std::uint32_t permission) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + permission % 8));
    permission /= 8;
  } while (permission > 0);
  return digits;
}

std::string_view type_name(pb::HdfsFileStatus::FileType type) {
  switch (type) {
    case pb::HdfsFileStatus::IS_DIR:
      return "DIRECTORY";
    case pb::HdfsFileStatus::IS_FILE:
      return "FILE";
    case pb::HdfsFileStatus::IS_SYMLINK:
      return "SYMLINK";
  }
  return "";
}

json status_object(const pb::HdfsFileStatus& status) {
  json object = {{"accessTime", status.access_time()},
                 {"blockSize", status.blocksize()},
                 {"childrenNum", status.children_num()},
                 {"fileId", status.file_id()},
                 {"group", status.group()},
                 {"length", status.length()},
                 {"modificationTime", status.modification_time()},
                 {"owner", status.owner()},
                 {"pathSuffix", status.path()},
                 {"permission", octal(status.permission().perm())},
                 {"replication", status.block_replication()},
                 {"storagePolicy", status.storage_policy()},
                 {"type", type_name(status.file_type())}};
  if (status.file_type() == pb::HdfsFileStatus::IS_SYMLINK) object["symlink"] = status.symlink();
  return object;
}

json statuses_object(const pb::DirectoryListing& listing) {
  json entries = json::array();
  for (const pb::HdfsFileStatus& status : listing.partial_listing()) {
    entries.push_back(status_object(status));
  }
  return {{"FileStatuses", {{"FileStatus", std::move(entries)}}}};
}

std::string_view storage_type_name(pb::StorageType type) {
  switch (type) {
    case pb::STORAGE_DISK:
      return "DISK";
    case pb::STORAGE_SSD:
      return "SSD";
    case pb::STORAGE_ARCHIVE:
      return "ARCHIVE";
    case pb::STORAGE_RAM_DISK:
      return "RAM_DISK";
    case pb::STORAGE_PROVIDED:
      return "PROVIDED";
    case pb::STORAGE_NVDIMM:
      return "NVDIMM";
  }
  return "";
}

std::string transfer_address(const pb::DatanodeId& id) {
  return id.ip_addr() + ":" + std::to_string(id.xfer_port());
}

// org.apache.hadoop.fs.BlockLocation
json block_location(const pb::LocatedBlock& block) {
  json cached = json::array();
  json hosts = json::array();
  json names = json::array();
  json paths = json::array();
  json types = json::array();
  for (int i = 0; i < block.locs_size(); ++i) {
    const pb::DatanodeInfo& node = block.locs(i);
    hosts.push_back(node.id().host_name());
    names.push_back(transfer_address(node.id()));
    paths.push_back(node.location() + "/" + transfer_address(node.id()));
    if (i < block.is_cached_size() && block.is_cached(i)) cached.push_back(node.id().host_name());
    if (i < block.storage_types_size()) {
      types.push_back(storage_type_name(block.storage_types(i)));
    }
  }
  return {{"cachedHosts", std::move(cached)}, {"corrupt", block.corrupt()},
          {"hosts", std::move(hosts)},        {"length", block.b().num_bytes()},
          {"names", std::move(names)},        {"offset", block.offset()},
          {"storageTypes", std::move(types)}, {"topologyPaths", std::move(paths)}};
}

std::string_view admin_state_name(pb::DatanodeInfo::AdminState state) {
  switch (state) {
    case pb::DatanodeInfo::NORMAL:
      return "NORMAL";
    case pb::DatanodeInfo::DECOMMISSION_INPROGRESS:
      return "DECOMMISSION_INPROGRESS";
    case pb::DatanodeInfo::DECOMMISSIONED:
      return "DECOMMISSIONED";
    case pb::DatanodeInfo::ENTERING_MAINTENANCE:
      return "ENTERING_MAINTENANCE";
    case pb::DatanodeInfo::IN_MAINTENANCE:
      return "IN_MAINTENANCE";
  }
  return "";
}

json datanode_object(const pb::DatanodeInfo& node) {
  const pb::DatanodeId& id = node.id();
  return {{"adminState", admin_state_name(node.admin_state())},
          {"blockPoolUsed", node.block_pool_used()},
          {"cacheCapacity", node.cache_capacity()},
          {"cacheUsed", node.cache_used()},
          {"capacity", node.capacity()},
          {"dfsUsed", node.dfs_used()},
          {"hostName", id.host_name()},
          {"infoPort", id.info_port()},
          {"infoSecurePort", id.info_secure_port()},
          {"ipAddr", id.ip_addr()},
          {"ipcPort", id.ipc_port()},
          {"lastUpdate", node.last_update()},
          {"lastUpdateMonotonic", node.last_update_monotonic()},
          {"name", transfer_address(id)},
          {"networkLocation", node.location()},
          {"remaining", node.remaining()},
          {"storageID", id.datanode_uuid()},
          {"xceiverCount", node.xceiver_count()},
          {"xferPort", id.xfer_port()}};
}

json located_block_object(const pb::LocatedBlock& block) {
  json cached = json::array();
  json locations = json::array();
  for (int i = 0; i < block.locs_size(); ++i) {
    locations.push_back(datanode_object(block.locs(i)));
    if (i < block.is_cached_size() && block.is_cached(i)) cached.push_back(locations.back());
  }
  return {{"block",
           {{"blockId", block.b().block_id()},
            {"blockPoolId", block.b().pool_id()},
            {"generationStamp", block.b().generation_stamp()},
            {"numBytes", block.b().num_bytes()}}},
          // A token's four fields in base 64; all are empty, as blocks have none here.
          {"blockToken", {{"urlString", "AAAAAA"}}},
          {"cachedLocations", std::move(cached)},
          {"isCorrupt", block.corrupt()},
          {"locations", std::move(locations)},
          {"startOffset", block.offset()}};
}

std::string_view checksum_type_name(pb::ChecksumTypeNumber type) {
  constexpr std::array<std::string_view, 3> names = {"NULL", "CRC32", "CRC32C"};
  return names[static_cast<std::size_t>(type)];
}

}  // namespace

std::string file_status_json(const pb::HdfsFileStatus& status) {
  return text({{"FileStatus", status_object(status)}});
}

std::string file_statuses_json(const pb::DirectoryListing& listing) {
  return text(statuses_object(listing));
}

std::string directory_listing_json(const pb::DirectoryListing& listing) {
  return text({{"DirectoryListing",
                {{"partialListing", statuses_object(listing)},
                 {"remainingEntries", listing.remaining_entries()}}}});
}

// Quotas are unsigned on the wire; −1 is none.
std::string content_summary_json(const pb::ContentSummary& summary) {
  return text({{"ContentSummary",
                {{"directoryCount", summary.directory_count()},
                 {"fileCount", summary.file_count()},
                 {"length", summary.length()},
                 {"quota", static_cast<std::int64_t>(summary.quota())},
                 {"spaceConsumed", summary.space_consumed()},
                 {"spaceQuota", static_cast<std::int64_t>(summary.space_quota())}}}});
}

std::string block_locations_json(const pb::LocatedBlocks& blocks) {
  json locations = json::array();
  for (const pb::LocatedBlock& block : blocks.blocks()) locations.push_back(block_location(block));
  return text({{"BlockLocations", {{"BlockLocation", std::move(locations)}}}});
}

std::string located_blocks_json(const pb::LocatedBlocks& blocks) {
  json located = json::array();
  for (const pb::LocatedBlock& block : blocks.blocks()) {
    located.push_back(located_block_object(block));
  }
  const json last = blocks.has_last_block() ? located_block_object(blocks.last_block()) : json();
  return text({{"LocatedBlocks",
                {{"fileLength", blocks.file_length()},
                 {"isLastBlockComplete", blocks.is_last_block_complete()},
                 {"isUnderConstruction", blocks.under_construction()},
                 {"lastLocatedBlock", last},
                 {"locatedBlocks", std::move(located)}}}});
}

std::string file_checksum_json(const FileChecksum& checksum) {
  const std::string bytes = checksum.hexadecimal();
  return text(
      {{"FileChecksum",
        {{"algorithm", checksum.algorithm()}, {"bytes", bytes}, {"length", bytes.size() / 2}}}});
}

std::string server_defaults_json(const pb::FsServerDefaults& defaults) {
  return text({{"FsServerDefaults",
                {{"blockSize", defaults.block_size()},
                 {"bytesPerChecksum", defaults.bytes_per_checksum()},
                 {"checksumType", checksum_type_name(defaults.checksum_type())},
                 {"defaultStoragePolicyId", 0},
                 {"encryptDataTransfer", defaults.encrypt_data_transfer()},
                 {"fileBufferSize", defaults.file_buffer_size()},
                 {"keyProviderUri", ""},
                 {"replication", defaults.replication()},
                 {"trashInterval", defaults.trash_interval()},
                 {"writePacketSize", defaults.write_packet_size()}}}});
}

std::string fs_status_json(const pb::GetFsStatsResponse& stats) {
  return text({{"FsStatus",
                {{"capacity", stats.capacity()},
                 {"remaining", stats.remaining()},
                 {"used", stats.used()}}}});
}

std::string boolean_json(bool value) {
  return text({{"boolean", value}});
}
std::string long_json(std::int64_t value) {
  return text({{"long", value}});
}
std::string path_json(std::string_view path) {
  return text({{"Path", path}});
}
std::string location_json(std::string_view url) {
  return text({{"Location", url}});
}

}  // namespace tracebed::webhdfs
