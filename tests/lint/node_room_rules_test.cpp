#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

std::size_t findings_in(const char* path, const char* text) {
  Findings findings;
  check_node_room(make_source(path, text), findings);
  return findings.size();
}

TEST(NodeRoom, IsNotComparedByEveryDimension) {
  for (const char* text :
       {"if (ask.demand.fits_in(node.free)) {}", "x = demand.count_in(free_.free(node->id));",
        "return demand.fits_in(cluster.node(place).free, units);",
        "return demand.fits_in(node->capacity);", "demand.fits_in(\n    node.capacity);"}) {
    EXPECT_EQ(findings_in("coordinator/engine/x.cpp", text), 1u) << text;
    EXPECT_EQ(findings_in("schedulers/yarn/capacity/x.cpp", text), 1u) << text;
    EXPECT_EQ(findings_in("schedulers/parts/x.h", text), 1u) << text;
    EXPECT_EQ(findings_in("schedulers/yarn/fair/x.cpp", text), 1u) << text;
    EXPECT_EQ(findings_in("schedulers/placement/x.cpp", text), 1u) << text;
  }
}

TEST(NodeRoom, IsNotWhatQueuesAndUsersHaveLeft) {
  for (const char* text :
       {"if (amount.fits_in(queue.maximum)) {}", "cluster.has_room(node, ask.demand)",
        "limits.count(demand, node.free)", "// demand.fits_in(node.free)"}) {
    EXPECT_EQ(findings_in("schedulers/yarn/capacity/x.cpp", text), 0u) << text;
  }
}

}  // namespace
}  // namespace tracebed::lint
