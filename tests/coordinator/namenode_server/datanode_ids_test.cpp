#include "coordinator/namenode_server/datanode_ids.h"

#include <gtest/gtest.h>
#include <regex>

namespace tracebed {
namespace {

TEST(DatanodeIdsTest, AUuidSaysWhoseItIs) {
  const std::string uuid = datanode_uuid("BP-1", NodeId(42u));
  EXPECT_TRUE(std::regex_match(
      uuid, std::regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}")))
      << uuid;
  EXPECT_EQ(node_of_uuid("BP-1", uuid), NodeId(42u));
  EXPECT_NE(datanode_uuid("BP-1", NodeId(43u)), uuid);
}

TEST(DatanodeIdsTest, AnotherPoolsUuidIsNobodys) {
  EXPECT_EQ(node_of_uuid("BP-2", datanode_uuid("BP-1", NodeId(1u))), std::nullopt);
}

TEST(DatanodeIdsTest, WhatIsNoUuidIsNobodys) {
  const std::string uuid = datanode_uuid("BP-1", NodeId(1u));
  for (const std::string& text :
       {std::string(), std::string("x"), uuid.substr(1), uuid + "0",
        uuid.substr(0, 24) + "ffffffffffff", uuid.substr(0, 24) + "-00000000001",
        uuid.substr(0, 24) + "0000ffffffff"}) {
    EXPECT_EQ(node_of_uuid("BP-1", text), std::nullopt) << text;
  }
}

TEST(DatanodeIdsTest, KeptNamesAreThePools) {
  DatanodeIds ids;
  EXPECT_EQ(ids.of("BP-1", NodeId(3u)).uuid, datanode_uuid("BP-1", NodeId(3u)));
  EXPECT_EQ(ids.of("BP-2", NodeId(3u)).uuid, datanode_uuid("BP-2", NodeId(3u)));
  EXPECT_EQ(ids.of("BP-2", NodeId(3u)).storage, "DS-" + datanode_uuid("BP-2", NodeId(3u)));
}

}  // namespace
}  // namespace tracebed
