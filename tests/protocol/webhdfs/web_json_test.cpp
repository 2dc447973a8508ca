#include "protocol/webhdfs/web_json.h"

#include <gtest/gtest.h>

#include "protocol/webhdfs/web_failure.h"

namespace tracebed::webhdfs {
namespace {

using namespace hdfs;

pb::HdfsFileStatus status(std::string_view name) {
  pb::HdfsFileStatus status;
  status.set_file_type(pb::HdfsFileStatus::IS_FILE);
  status.set_path(std::string(name));
  status.set_length(24930);
  status.mutable_permission()->set_perm(0644);
  status.set_owner("webuser");
  status.set_group("supergroup");
  status.set_modification_time(1320171722771);
  status.set_access_time(1320171722772);
  status.set_block_replication(1);
  status.set_blocksize(33554432);
  status.set_file_id(16387);
  status.set_children_num(0);
  return status;
}

const std::string a_patch =
    R"({"accessTime":1320171722772,"blockSize":33554432,"childrenNum":0,"fileId":16387,)"
    R"("group":"supergroup","length":24930,"modificationTime":1320171722771,"owner":"webuser",)"
    R"("pathSuffix":"a.patch","permission":"644","replication":1,"storagePolicy":0,"type":"FILE"})";

pb::LocatedBlocks blocks() {
  pb::LocatedBlocks blocks;
  blocks.set_file_length(5);
  blocks.set_under_construction(false);
  blocks.set_is_last_block_complete(true);
  pb::LocatedBlock& block = *blocks.add_blocks();
  block.mutable_b()->set_pool_id("BP-1");
  block.mutable_b()->set_block_id(1003);
  block.mutable_b()->set_generation_stamp(7);
  block.mutable_b()->set_num_bytes(5);
  block.set_offset(0);
  block.set_corrupt(false);
  pb::DatanodeInfo& node = *block.add_locs();
  node.set_location("/rack1");
  node.mutable_id()->set_ip_addr("10.0.0.1");
  node.mutable_id()->set_host_name("h1");
  node.mutable_id()->set_datanode_uuid("u1");
  node.mutable_id()->set_xfer_port(9866);
  block.add_is_cached(true);
  block.add_storage_types(pb::STORAGE_DISK);
  return blocks;
}

TEST(WebJson, AFileHasTheFieldsOfWebhdfs) {
  EXPECT_EQ(file_status_json(status("a.patch")), R"({"FileStatus":)" + a_patch + "}");
}

TEST(WebJson, DirectoriesAndLinksHaveTheirTypes) {
  pb::HdfsFileStatus each = status("d");
  each.set_file_type(pb::HdfsFileStatus::IS_DIR);
  each.mutable_permission()->set_perm(01777);
  EXPECT_NE(file_status_json(each).find(R"("permission":"1777","replication":1)"),
            std::string::npos);
  EXPECT_NE(file_status_json(each).find(R"("type":"DIRECTORY")"), std::string::npos);
  each.set_file_type(pb::HdfsFileStatus::IS_SYMLINK);
  each.set_symlink("/target");
  EXPECT_NE(file_status_json(each).find(R"("symlink":"/target","type":"SYMLINK")"),
            std::string::npos);
}

TEST(WebJson, PermissionsAreOctalAlsoWithoutAnyBit) {
  pb::HdfsFileStatus each = status("d");
  each.mutable_permission()->set_perm(0);
  EXPECT_NE(file_status_json(each).find(R"("permission":"0")"), std::string::npos);
}

TEST(WebJson, AListingHasItsEntriesInOrder) {
  pb::DirectoryListing listing;
  listing.set_remaining_entries(2);
  EXPECT_EQ(file_statuses_json(listing), R"({"FileStatuses":{"FileStatus":[]}})");
  *listing.add_partial_listing() = status("a.patch");
  *listing.add_partial_listing() = status("a.patch");
  const std::string statuses =
      R"({"FileStatuses":{"FileStatus":[)" + a_patch + "," + a_patch + "]}}";
  EXPECT_EQ(file_statuses_json(listing), statuses);
  EXPECT_EQ(directory_listing_json(listing),
            R"({"DirectoryListing":{"partialListing":)" + statuses + R"(,"remainingEntries":2}})");
}

TEST(WebJson, NamesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(path_json("/a\xff"
                      "b\""),
            "{\"Path\":\"/a\xef\xbf\xbd"
            "b\\\"\"}");
}

TEST(WebJson, ASummaryHasNoQuotaBelowZero) {
  pb::ContentSummary summary;
  summary.set_length(10);
  summary.set_file_count(2);
  summary.set_directory_count(1);
  summary.set_quota(~std::uint64_t{0});
  summary.set_space_consumed(30);
  summary.set_space_quota(~std::uint64_t{0});
  EXPECT_EQ(content_summary_json(summary),
            R"({"ContentSummary":{"directoryCount":1,"fileCount":2,"length":10,"quota":-1,)"
            R"("spaceConsumed":30,"spaceQuota":-1}})");
}

TEST(WebJson, LocationsNameHostsAddressesAndRacks) {
  EXPECT_EQ(block_locations_json(blocks()),
            R"({"BlockLocations":{"BlockLocation":[{"cachedHosts":["h1"],"corrupt":false,)"
            R"("hosts":["h1"],"length":5,"names":["10.0.0.1:9866"],"offset":0,)"
            R"("storageTypes":["DISK"],"topologyPaths":["/rack1/10.0.0.1:9866"]}]}})");
}

TEST(WebJson, LocatedBlocksHaveBlockIdsAndDatanodes) {
  pb::LocatedBlocks each = blocks();
  const std::string text = located_blocks_json(each);
  EXPECT_TRUE(text.starts_with(
      R"({"LocatedBlocks":{"fileLength":5,"isLastBlockComplete":true,"isUnderConstruction":false,)"
      R"("lastLocatedBlock":null,"locatedBlocks":[{"block":{"blockId":1003,"blockPoolId":"BP-1",)"
      R"("generationStamp":7,"numBytes":5},"blockToken":{"urlString":"AAAAAA"},)"
      R"("cachedLocations":[{"adminState":"NORMAL",)"))
      << text;
  EXPECT_NE(text.find(R"("name":"10.0.0.1:9866","networkLocation":"/rack1")"), std::string::npos);
  EXPECT_TRUE(text.ends_with(R"(,"startOffset":0}]}})")) << text;
  *each.mutable_last_block() = each.blocks(0);
  EXPECT_NE(located_blocks_json(each).find(R"("lastLocatedBlock":{"block")"), std::string::npos);
}

TEST(WebJson, AChecksumHasTwentyEightBytes) {
  FileChecksum checksum;
  checksum.type = ChecksumType::crc32c;
  checksum.bytes_per_checksum = 512;
  EXPECT_EQ(file_checksum_json(checksum),
            R"({"FileChecksum":{"algorithm":"MD5-of-0MD5-of-512CRC32C","bytes":"00000200)" +
                std::string(48, '0') + R"(","length":28}})");
}

TEST(WebJson, DefaultsAndCapacityHaveTheFieldsOfWebhdfs) {
  pb::FsServerDefaults defaults;
  defaults.set_block_size(134217728);
  defaults.set_bytes_per_checksum(512);
  defaults.set_write_packet_size(65536);
  defaults.set_replication(3);
  defaults.set_file_buffer_size(4096);
  defaults.set_checksum_type(pb::CHECKSUM_CRC32C);
  EXPECT_EQ(server_defaults_json(defaults),
            R"({"FsServerDefaults":{"blockSize":134217728,"bytesPerChecksum":512,)"
            R"("checksumType":"CRC32C","defaultStoragePolicyId":0,"encryptDataTransfer":false,)"
            R"("fileBufferSize":4096,"keyProviderUri":"","replication":3,"trashInterval":0,)"
            R"("writePacketSize":65536}})");
  pb::GetFsStatsResponse stats;
  stats.set_capacity(9);
  stats.set_used(2);
  stats.set_remaining(7);
  EXPECT_EQ(fs_status_json(stats), R"({"FsStatus":{"capacity":9,"remaining":7,"used":2}})");
}

TEST(WebJson, SingleValuesHaveTheirNames) {
  EXPECT_EQ(boolean_json(true), R"({"boolean":true})");
  EXPECT_EQ(long_json(-5), R"({"long":-5})");
  EXPECT_EQ(path_json("/user/é"), R"({"Path":"/user/é"})");
  EXPECT_EQ(location_json("http://h:1/x"), R"({"Location":"http://h:1/x"})");
}

TEST(WebFailures, HaveTheStatusOfTheirException) {
  EXPECT_EQ(http_status("java.io.FileNotFoundException"), 404);
  EXPECT_EQ(http_status("java.io.IOException"), 403);
  EXPECT_EQ(http_status("org.apache.hadoop.fs.FileAlreadyExistsException"), 403);
  EXPECT_EQ(http_status("org.apache.hadoop.security.AccessControlException"), 403);
  EXPECT_EQ(http_status("java.lang.SecurityException"), 403);
  EXPECT_EQ(http_status("java.lang.IllegalArgumentException"), 400);
  EXPECT_EQ(http_status("org.apache.hadoop.fs.InvalidPathException"), 400);
  EXPECT_EQ(http_status("java.lang.UnsupportedOperationException"), 400);
  EXPECT_EQ(http_status("java.lang.RuntimeException"), 500);
}

TEST(WebFailures, AreRemoteExceptionsInJson) {
  EXPECT_EQ(remote_exception_json(file_not_found("File does not exist: /foo/a.patch")),
            R"({"RemoteException":{"exception":"FileNotFoundException",)"
            R"("javaClassName":"java.io.FileNotFoundException",)"
            R"("message":"File does not exist: /foo/a.patch"}})");
  const std::string inner = remote_exception_json(
      {"org.apache.hadoop.hdfs.protocol.FSLimitException$PathComponentTooLongException", ""});
  EXPECT_NE(inner.find(R"("exception":"PathComponentTooLongException")"), std::string::npos);
}

}  // namespace
}  // namespace tracebed::webhdfs
