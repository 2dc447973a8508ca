#include "core/names.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace tracebed {
namespace {

TEST(NameTables, GiveIdsInOrderOfFirstAppearance) {
  NameTable<UserId> users;
  EXPECT_EQ(users.intern("berta"), UserId(0u));
  EXPECT_EQ(users.intern("anton"), UserId(1u));
  EXPECT_EQ(users.intern("berta"), UserId(0u));
  EXPECT_EQ(users.size(), 2u);
  EXPECT_EQ(users.name(UserId(1u)), "anton");
}

TEST(NameTables, FindWithoutInterning) {
  NameTable<QueueId> queues;
  EXPECT_EQ(queues.find("root.a"), std::nullopt);
  EXPECT_EQ(queues.size(), 0u);
  const QueueId id = queues.intern("root.a");
  EXPECT_EQ(queues.find("root.a"), id);
}

TEST(NameTables, TakeTheEmptyNameAsAName) {
  NameTable<UserId> users;
  const UserId nameless = users.intern("");
  EXPECT_EQ(users.find(""), nameless);
  EXPECT_NE(users.intern("x"), nameless);
}

TEST(NameTables, DoNotKeepTheCallersMemory) {
  NameTable<UserId> users;
  std::string name = "a name too long for the small string";
  users.intern(name);
  name.assign(name.size(), 'x');
  EXPECT_TRUE(users.find("a name too long for the small string"));
}

// Short names live inside the string object itself, so they show whether objects stay in place.
TEST(NameTables, StayGoodWhenTheyGrowAndWhenTheyMove) {
  NameTable<RackId> racks;
  for (int i = 0; i < 5000; ++i) racks.intern("r" + std::to_string(i));
  const std::string& kept = racks.name(RackId(17u));
  NameTable<RackId> moved = std::move(racks);
  EXPECT_EQ(&moved.name(RackId(17u)), &kept);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(moved.find("r" + std::to_string(i)), RackId(i));
  }
}

TEST(NameTablesDeathTest, AnUnknownIdIsAFailedInvariant) {
  const NameTable<UserId> users;
  EXPECT_EXIT(users.name(UserId(0u)), testing::ExitedWithCode(70), "given out by this table");
}

}  // namespace
}  // namespace tracebed
