#include "agents/datanode/transfer_counters.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace tracebed {
namespace {

TEST(TransferCounters, CountByClientAndDistance) {
  TransferCounters counters;
  counters.begun("one");
  counters.read("one", Distance::same_node, 10);
  counters.read("one", Distance::same_node, 5);
  counters.read("one", Distance::off_rack, 7);
  counters.begun("two");
  counters.written("two", Distance::same_rack, 3);
  counters.failed("two");
  const auto clients = counters.clients();
  ASSERT_EQ(clients.size(), 2u);
  EXPECT_EQ(clients[0].client, "one");
  EXPECT_EQ(clients[0].counts, (TransferCounts{1, 0, {15, 0, 7}, {}}));
  EXPECT_EQ(clients[1].counts, (TransferCounts{1, 1, {}, {0, 3, 0}}));
  EXPECT_EQ(counters.other(), TransferCounts());
  EXPECT_EQ(counters.total(), (TransferCounts{2, 1, {15, 0, 7}, {0, 3, 0}}));
}

TEST(TransferCounters, GiveThePlaceOfTheClientThatWasInactiveForLongest) {
  TransferCounters counters(2);
  counters.read("a", Distance::same_node, 1);
  counters.read("b", Distance::same_node, 2);
  counters.read("a", Distance::same_node, 4);
  counters.read("c", Distance::same_node, 8);
  const auto clients = counters.clients();
  ASSERT_EQ(clients.size(), 2u);
  EXPECT_EQ(clients[0].client, "a");
  EXPECT_EQ(clients[1].client, "c");
  EXPECT_EQ(counters.other().bytes_read[0], 2u);
}

TEST(TransferCounters, CutLongNamesAndKeepNoneWithoutPlaces) {
  TransferCounters counters;
  counters.begun(std::string(1'000'000, 'x'));
  EXPECT_EQ(counters.clients()[0].client.size(), TransferCounters::client_bytes_max);
  TransferCounters none(0);
  none.begun("a");
  EXPECT_TRUE(none.clients().empty());
  EXPECT_EQ(none.other().transfers, 1u);
}

TEST(TransferCounters, LoseNoByteWhoeverGivesUpItsPlace) {
  Random random(1);
  TransferCounters counters(5);
  std::uint64_t bytes = 0;
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t count = random.below(1'000);
    counters.read(std::to_string(random.below(20)), Distance(random.below(distances)), count);
    bytes += count;
  }
  const auto read = counters.total().bytes_read;
  EXPECT_EQ(read[0] + read[1] + read[2], bytes);
  EXPECT_EQ(counters.clients().size(), 5u);
}

}  // namespace
}  // namespace tracebed
