// The table of an ask's places against a map, over tables of every shape.
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "core/cluster_model.h"
#include "core/random.h"

namespace tracebed {
namespace {

using Counts = std::map<std::uint32_t, std::uint32_t>;

void expect_same(const Counts& counts, std::uint32_t highest, Random& random) {
  std::vector<PlaceCount<NodeId>> table;
  for (const auto& [place, count] : counts) table.push_back({NodeId(place), count});
  const auto check = [&](std::uint32_t place) {
    const auto found = counts.find(place);
    ASSERT_EQ(preferred_at(table, NodeId(place)), found == counts.end() ? 0 : found->second)
        << "place " << place << " of " << counts.size();
  };
  for (const auto& [place, count] : counts) {
    check(place);
    check(place + 1);
    if (place > 0) check(place - 1);
  }
  for (int i = 0; i < 50; ++i) check(static_cast<std::uint32_t>(random.below(highest)));
  check(0);
  check(highest);
}

TEST(PlaceCounts, AreFoundWhateverLiesBetweenThem) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t highest = std::uint32_t{1} << random.between(1, 31);
    const bool is_bunched = random.chance(0.5);
    Counts counts;
    for (std::uint64_t left = random.below(400); left > 0; --left) {
      std::uint64_t place = random.below(highest);
      // Most of them near the beginning, so that a guess by even spread is far off.
      if (is_bunched && !random.chance(0.02)) place /= 1 + random.below(1'000);
      counts[static_cast<std::uint32_t>(place)] = static_cast<std::uint32_t>(random.below(4));
    }
    expect_same(counts, highest, random);
  }
}

TEST(PlaceCounts, OfAllPlacesAndOfTheHighestAreFound) {
  Random random(8);
  Counts all;
  for (std::uint32_t place = 0; place < 1'000; ++place) all[place] = place % 3;
  expect_same(all, 1'000, random);
  Counts apart;
  for (std::uint32_t i = 0; i < 40; ++i) apart[i] = 1;
  apart[4'294'967'293U] = 2;
  expect_same(apart, 4'294'967'293U, random);
}

}  // namespace
}  // namespace tracebed
