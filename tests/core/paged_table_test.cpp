#include "core/paged_table.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/ids.h"

namespace tracebed {
namespace {

using Table = PagedTable<AskId, std::string>;

std::vector<std::uint32_t> ids_of(const Table& table) {
  std::vector<std::uint32_t> ids;
  table.for_each([&](AskId id, const std::string&) { ids.push_back(id.value()); });
  return ids;
}

TEST(PagedTables, HandOutIdsInOrder) {
  Table table;
  EXPECT_EQ(table.next_id(), AskId(0u));
  EXPECT_EQ(table.emplace("a"), AskId(0u));
  EXPECT_EQ(table.emplace("b"), AskId(1u));
  EXPECT_EQ(table.next_id(), AskId(2u));
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table[AskId(1u)], "b");
}

TEST(PagedTables, NeverUseAnIdTwice) {
  Table table;
  const AskId first = table.emplace("a");
  table.erase(first);
  EXPECT_EQ(table.emplace("b"), AskId(1u));
  EXPECT_FALSE(table.contains(first));
  EXPECT_EQ(table.size(), 1u);
}

TEST(PagedTables, FindOnlyWhatTheyHold) {
  Table table;
  const AskId id = table.emplace("a");
  const Table& view = table;
  ASSERT_NE(table.find(id), nullptr);
  EXPECT_EQ(*view.find(id), "a");
  EXPECT_EQ(view.find(AskId(1u)), nullptr) << "not yet given out";
  EXPECT_EQ(view.find(AskId()), nullptr) << "the id of nothing";
  table.erase(id);
  EXPECT_EQ(view.find(id), nullptr);
}

TEST(PagedTables, AddARangeOverTheEdgesOfPages) {
  Table table;
  table.emplace_at(AskId(29u), "before");
  int next = 30;
  table.emplace_range(AskId(30u), 40, [&](std::string& value) { value = std::to_string(next++); });
  EXPECT_EQ(table.size(), 41u);
  EXPECT_EQ(table.next_id(), AskId(70u));
  for (std::uint32_t i = 30; i < 70; ++i) EXPECT_EQ(table[AskId(i)], std::to_string(i));
  EXPECT_EQ(table.find(AskId(70u)), nullptr);
  EXPECT_DEATH(table.emplace_range(AskId(28u), 2, [](std::string&) {}), "one value per id");
}

TEST(PagedTables, VisitARangeOverTheEdgesOfPages) {
  Table table;
  for (int i = 0; i < 100; ++i) table.emplace(std::to_string(i));
  std::string all;
  table.visit_range(AskId(30u), 5, [&](const std::string& value) { all += value + ' '; });
  EXPECT_EQ(all, "30 31 32 33 34 ");
  table.erase(AskId(33u));
  EXPECT_DEATH(table.visit_range(AskId(30u), 5, [](const std::string&) {}), "only for what it");
}

TEST(PagedTables, EraseARangeOverTheEdgesOfPages) {
  Table table;
  for (int i = 0; i < 100; ++i) table.emplace(std::to_string(i));
  table.erase_range(AskId(20u), 50);
  EXPECT_EQ(table.size(), 50u);
  EXPECT_TRUE(table.contains(AskId(19u)));
  EXPECT_FALSE(table.contains(AskId(20u)));
  EXPECT_FALSE(table.contains(AskId(69u)));
  EXPECT_EQ(table[AskId(70u)], "70");
  EXPECT_EQ(table.emplace("new"), AskId(100u)) << "ids are never used again";
}

TEST(PagedTables, FindTheLastOneUpToAnId) {
  Table table;
  EXPECT_FALSE(table.last_up_to(AskId(5u)).is_valid());
  for (int i = 0; i < 200; ++i) table.emplace(std::to_string(i));
  for (std::uint32_t i = 0; i < 200; ++i) {
    if (i != 3 && i != 31 && i != 130) table.erase(AskId(i));
  }
  EXPECT_FALSE(table.last_up_to(AskId(2u)).is_valid());
  EXPECT_EQ(table.last_up_to(AskId(3u)), AskId(3u));
  EXPECT_EQ(table.last_up_to(AskId(30u)), AskId(3u));
  EXPECT_EQ(table.last_up_to(AskId(31u)), AskId(31u));
  EXPECT_EQ(table.last_up_to(AskId(129u)), AskId(31u));
  EXPECT_EQ(table.last_up_to(AskId(4'000u)), AskId(130u));
}

TEST(PagedTables, VisitInIdOrderWhatIsLeft) {
  Table table;
  for (int i = 0; i < 1000; ++i) table.emplace(std::to_string(i));
  for (std::uint32_t i = 0; i < 1000; ++i) {
    if (i != 3 && i != 255 && i != 256 && i != 999) table.erase(AskId(i));
  }
  EXPECT_EQ(ids_of(table), (std::vector<std::uint32_t>{3, 255, 256, 999}));
  EXPECT_EQ(table[AskId(256u)], "256");
}

TEST(PagedTables, KeepReferencesWhileOthersComeAndGo) {
  Table table;
  table.emplace("first");
  const std::string& kept = table[AskId(0u)];
  for (std::uint32_t i = 1; i < 5000; ++i) {
    table.emplace("later");
    if (i % 3 != 0) table.erase(AskId(i));
  }
  EXPECT_EQ(kept, "first");
  EXPECT_EQ(&table[AskId(0u)], &kept);
}

// The last page may be emptied while it is still being filled, at its edges too.
TEST(PagedTables, SurviveBeingEmptiedAtEveryFillingLevel) {
  Table table;
  for (std::uint32_t i = 0; i < 1030; ++i) {
    const AskId id = table.emplace("only");
    ASSERT_EQ(id, AskId(i));
    ASSERT_EQ(table.size(), 1u);
    table.erase(id);
    ASSERT_EQ(table.size(), 0u);
    ASSERT_FALSE(table.contains(id));
  }
}

TEST(PagedTables, TakeIdsThatSomebodyElseHandedOut) {
  Table table;
  table.emplace_at(AskId(1000u), "late") += "r";
  table.emplace_at(AskId(7u), "early");
  EXPECT_EQ(table[AskId(1000u)], "later");
  EXPECT_EQ(ids_of(table), (std::vector<std::uint32_t>{7, 1000}));
  EXPECT_EQ(table.size(), 2u);
  EXPECT_FALSE(table.contains(AskId(8u)));
  EXPECT_FALSE(table.contains(AskId(500u))) << "on a page that was never made";
  EXPECT_EQ(table.emplace("next"), AskId(1001u)) << "one above the highest";
}

TEST(PagedTablesDeathTest, HoldOneValuePerIdAndNoneWithoutAnId) {
  Table table;
  table.emplace_at(AskId(3u), "a");
  EXPECT_EXIT(table.emplace_at(AskId(3u), "b"), testing::ExitedWithCode(70), "one value per id");
  EXPECT_EXIT(table.emplace_at(AskId(), "b"), testing::ExitedWithCode(70), "a value has an id");
}

TEST(PagedTables, DestroyValuesWhenTheyAreErased) {
  struct Tracker {
    explicit Tracker(int& count) : alive(&count) { ++*alive; }
    Tracker(const Tracker&) = delete;
    ~Tracker() { --*alive; }
    int* alive;
  };
  int alive = 0;
  PagedTable<AskId, Tracker> trackers;
  for (int i = 0; i < 300; ++i) trackers.emplace(alive);
  EXPECT_EQ(alive, 300);
  for (std::uint32_t i = 0; i < 299; ++i) trackers.erase(AskId(i));
  EXPECT_EQ(alive, 1);
}

// A value whose constructor fails was never there, and its id goes to the next one.
TEST(PagedTables, StayWholeWhenAConstructorThrows) {
  struct Picky {
    explicit Picky(bool good) {
      if (!good) throw std::runtime_error("refused");
    }
  };
  PagedTable<AskId, Picky> table;
  EXPECT_THROW(table.emplace(false), std::runtime_error);
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.next_id(), AskId(0u));
  for (std::uint32_t i = 0; i < 300; ++i) {
    EXPECT_THROW(table.emplace(false), std::runtime_error);
    ASSERT_EQ(table.emplace(true), AskId(i));
  }
  std::size_t visited = 0;
  table.for_each([&](AskId id, const Picky&) {
    ASSERT_EQ(id, AskId(visited));
    ++visited;
  });
  EXPECT_EQ(visited, 300u);
}

TEST(PagedTablesDeathTest, AskingForWhatIsGoneIsAFailedInvariant) {
  Table table;
  const AskId id = table.emplace("a");
  table.erase(id);
  EXPECT_EXIT(static_cast<void>(table[id]), testing::ExitedWithCode(70), "only for what it holds");
  EXPECT_EXIT(table.erase(id), testing::ExitedWithCode(70), "only what a table holds");
}

}  // namespace
}  // namespace tracebed
