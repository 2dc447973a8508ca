// The answers of a datanode and of a client, with bytes worked by hand from datatransfer.proto.
#include <gtest/gtest.h>

#include "data_transfer.pb.h"
#include "protocol/hdfs/bytes.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed::hdfs {
namespace {

std::string delimited_hex(const google::protobuf::MessageLite& message) {
  std::string out;
  append_delimited(out, message);
  return test::to_hex(out);
}

// Sequence numbers are zig-zag: 1 is 2, −1 is 1.
TEST(TransferReplies, AnAckHasAStatusOfEachDatanode) {
  pb::PipelineAck ack;
  ack.set_seqno(1);
  ack.add_reply(pb::STATUS_SUCCESS);
  ack.add_reply(pb::STATUS_ERROR_CHECKSUM);
  EXPECT_EQ(delimited_hex(ack),
            "06"
            "0802"
            "1000"
            "1002");
  ack.set_seqno(-1);
  EXPECT_EQ(delimited_hex(ack),
            "06"
            "0801"
            "1000"
            "1002");
}

TEST(TransferReplies, AReaderStatesThatChecksumsWereRight) {
  pb::ClientReadStatus status;
  status.set_status(pb::STATUS_CHECKSUM_OK);
  EXPECT_EQ(delimited_hex(status),
            "02"
            "0806");
}

TEST(TransferReplies, AReadBeginsWithTheKindOfItsChecksums) {
  pb::BlockOpResponse response;
  response.set_status(pb::STATUS_SUCCESS);
  pb::ReadOpChecksumInfo& info = *response.mutable_read_op_checksum_info();
  info.mutable_checksum()->set_type(pb::CHECKSUM_CRC32C);
  info.mutable_checksum()->set_bytes_per_checksum(512);
  info.set_chunk_offset(1024);
  EXPECT_EQ(delimited_hex(response),
            "0e"
            "0800"
            "220a"
            "0a05"
            "0802"
            "108004"
            "108008");
}

TEST(TransferReplies, ABlocksChecksumHasItsCountAndItsDigest) {
  pb::BlockOpResponse response;
  response.set_status(pb::STATUS_SUCCESS);
  pb::OpBlockChecksumResponse& checksum = *response.mutable_checksum_response();
  checksum.set_bytes_per_crc(512);
  checksum.set_crc_per_block(1);
  checksum.set_md5("md5");
  checksum.set_crc_type(pb::CHECKSUM_CRC32C);
  EXPECT_EQ(delimited_hex(response),
            "10"
            "0800"
            "1a0c"
            "088004"
            "1001"
            "1a036d6435"
            "2002");
}

TEST(TransferReplies, ABrokenPipelineNamesTheDatanode) {
  pb::BlockOpResponse response;
  response.set_status(pb::STATUS_ERROR);
  response.set_first_bad_link("h:1");
  response.set_message("m");
  EXPECT_EQ(delimited_hex(response),
            "0a"
            "0801"
            "1203683a31"
            "2a016d");
}

}  // namespace
}  // namespace tracebed::hdfs
