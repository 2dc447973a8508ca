#include "core/cluster_model.h"

#include <gtest/gtest.h>
#include <vector>

namespace tracebed {
namespace {

TEST(PreferredPlaces, AreLookedUpByPlace) {
  const std::vector<PlaceCount<NodeId>> counts = {
      {NodeId(2u), 5}, {NodeId(4u), 1}, {NodeId(9u), 7}};
  EXPECT_EQ(preferred_at(counts, NodeId(2u)), 5u);
  EXPECT_EQ(preferred_at(counts, NodeId(4u)), 1u);
  EXPECT_EQ(preferred_at(counts, NodeId(9u)), 7u);
}

TEST(PreferredPlaces, CountNothingWhereNothingIsNamed) {
  const std::vector<PlaceCount<RackId>> counts = {{RackId(2u), 5}, {RackId(4u), 1}};
  EXPECT_EQ(preferred_at(counts, RackId(1u)), 0u) << "before the first";
  EXPECT_EQ(preferred_at(counts, RackId(3u)), 0u) << "between two";
  EXPECT_EQ(preferred_at(counts, RackId(5u)), 0u) << "after the last";
  EXPECT_EQ(preferred_at(std::vector<PlaceCount<RackId>>{}, RackId(0u)), 0u);
}

}  // namespace
}  // namespace tracebed
