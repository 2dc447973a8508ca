#include "core/fleet.h"

namespace tracebed {
namespace {

template <class Value>
bool same(const std::shared_ptr<const Value>& a, const std::shared_ptr<const Value>& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

}  // namespace

bool LaunchMaster::operator==(const LaunchMaster& other) const {
  return container == other.container && node == other.node && application == other.application &&
         attempt == other.attempt && limits == other.limits && same(job, other.job) &&
         same(nodes, other.nodes);
}

}  // namespace tracebed
