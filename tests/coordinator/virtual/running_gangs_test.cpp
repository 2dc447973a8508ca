#include "coordinator/virtual/running_gangs.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace tracebed {
namespace {

RunningGang& add_gang(RunningGangs& gangs, std::uint32_t first, std::size_t pieces) {
  RunningGang& gang = gangs.at(gangs.add(ContainerId(first)));
  gang.pieces.assign(pieces, GangPiece{NodeId(first), 1});
  return gang;
}

ContainerId first_of(const RunningGangs& gangs, std::uint32_t container) {
  const auto slot = gangs.slot_of(ContainerId(container));
  return slot ? gangs.first_of(*slot) : ContainerId();
}

TEST(RunningGangs, FindTheGangThatAContainerBelongsTo) {
  RunningGangs gangs;
  add_gang(gangs, 40, 30);
  add_gang(gangs, 3, 2);  // launched later, by a master in a container
  EXPECT_FALSE(first_of(gangs, 2).is_valid());
  EXPECT_EQ(first_of(gangs, 3), ContainerId(3u));
  EXPECT_EQ(first_of(gangs, 4), ContainerId(3u));
  EXPECT_FALSE(first_of(gangs, 5).is_valid());
  EXPECT_EQ(first_of(gangs, 69), ContainerId(40u));
  EXPECT_FALSE(first_of(gangs, 70).is_valid());
}

TEST(RunningGangs, KeepTheOthersWhenOneEndsAndItsMemoryIsUsedAgain) {
  RunningGangs gangs;
  for (std::uint32_t first = 0; first < 100; first += 2) add_gang(gangs, first, 2);
  const std::uint32_t kept = *gangs.slot_of(ContainerId(52u));
  const std::uint32_t ended = *gangs.slot_of(ContainerId(50u));
  gangs.erase(ended);
  EXPECT_FALSE(gangs.is_in(ended, ContainerId(50u)));
  EXPECT_FALSE(gangs.slot_of(ContainerId(51u)));
  EXPECT_EQ(&add_gang(gangs, 100, 2), &gangs.at(ended));
  EXPECT_TRUE(gangs.is_in(ended, ContainerId(100u)));
  EXPECT_FALSE(gangs.is_in(ended, ContainerId(50u))) << "its end is due, and finds that it is over";
  EXPECT_EQ(gangs.slot_of(ContainerId(53u)), kept);
  std::vector<std::uint32_t> firsts;
  gangs.for_each([&](std::uint32_t slot, const RunningGang& gang) {
    firsts.push_back(gangs.first_of(slot).value());
    EXPECT_EQ(gang.pieces[0].node, NodeId(firsts.back()));
  });
  EXPECT_EQ(firsts.size(), 50u);
  EXPECT_TRUE(std::is_sorted(firsts.begin(), firsts.end()));
}

TEST(RunningGangs, AreFoundHoweverManyHaveEnded) {
  RunningGangs gangs;
  for (std::uint32_t first = 0; first < 10'000; first += 2) {
    add_gang(gangs, first, 2);
    if (first % 100 != 0) gangs.erase(*gangs.slot_of(ContainerId(first)));
  }
  for (std::uint32_t first = 0; first < 10'000; first += 2) {
    EXPECT_EQ(gangs.slot_of(ContainerId(first + 1)).has_value(), first % 100 == 0);
  }
}

TEST(RunningGangs, DoNotKeepTheMemoryOfALargeGang) {
  RunningGangs gangs;
  add_gang(gangs, 0, 1'000);
  gangs.erase(*gangs.slot_of(ContainerId(0u)));
  EXPECT_LE(add_gang(gangs, 1'000, 1).pieces.capacity(), RunningGang::pieces_inside);
}

}  // namespace
}  // namespace tracebed
