// The bodies of WebHDFS's answers (org.apache.hadoop.hdfs.web.JsonUtil), from the values that the
// native protocol sends. Bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "client_namenode.pb.h"
#include "hdfs_types.pb.h"
#include "protocol/hdfs/file_checksum.h"

namespace tracebed::webhdfs {

std::string file_status_json(const hdfs::pb::HdfsFileStatus& status);
std::string file_statuses_json(const hdfs::pb::DirectoryListing& listing);
std::string directory_listing_json(const hdfs::pb::DirectoryListing& listing);
std::string content_summary_json(const hdfs::pb::ContentSummary& summary);
// GETFILEBLOCKLOCATIONS, GET_BLOCK_LOCATIONS
std::string block_locations_json(const hdfs::pb::LocatedBlocks& blocks);
std::string located_blocks_json(const hdfs::pb::LocatedBlocks& blocks);
std::string file_checksum_json(const hdfs::FileChecksum& checksum);
std::string server_defaults_json(const hdfs::pb::FsServerDefaults& defaults);
std::string fs_status_json(const hdfs::pb::GetFsStatsResponse& stats);

std::string boolean_json(bool value);
std::string long_json(std::int64_t value);
std::string path_json(std::string_view path);
std::string location_json(std::string_view url);  // instead of a redirection

}  // namespace tracebed::webhdfs
