#include "traces/parts/stage_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace tracebed {

namespace {

// Whether every stage stands behind those it needs: then they can run as they stand, and the first
// that can run next is always the next one.
bool stands_in_order(const StageNeeds& needs) {
  for (std::uint32_t stage = 0; stage < needs.size(); ++stage) {
    for (const std::uint32_t needed : needs[stage]) {
      if (needed >= stage) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> order_of_stages(const StageNeeds& needs) {
  if (stands_in_order(needs)) {
    std::vector<std::uint32_t> order(needs.size());
    std::iota(order.begin(), order.end(), 0U);
    return order;
  }
  std::vector<std::uint32_t> left(needs.size());
  std::vector<std::vector<std::uint32_t>> dependents(needs.size());
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t stage = 0; stage < needs.size(); ++stage) {
    left[stage] = static_cast<std::uint32_t>(needs[stage].size());
    for (const std::uint32_t needed : needs[stage]) dependents[needed].push_back(stage);
    if (left[stage] == 0) ready.push(stage);
  }
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    const std::uint32_t stage = ready.top();
    ready.pop();
    order.push_back(stage);
    for (const std::uint32_t dependent : dependents[stage]) {
      if (--left[dependent] == 0) ready.push(dependent);
    }
  }
  if (order.size() != needs.size()) return std::nullopt;
  return order;
}

void contract_stages(StageNeeds& needs, const std::vector<bool>& kept,
                     const std::vector<std::uint32_t>& order) {
  for (const std::uint32_t stage : order) {
    std::vector<std::uint32_t> direct;
    for (const std::uint32_t needed : needs[stage]) {
      if (kept[needed]) {
        direct.push_back(needed);
      } else {  // it stands before this one in the order, so its own needs are kept stages
        direct.insert(direct.end(), needs[needed].begin(), needs[needed].end());
      }
    }
    std::sort(direct.begin(), direct.end());
    direct.erase(std::unique(direct.begin(), direct.end()), direct.end());
    needs[stage] = std::move(direct);
  }
  for (std::uint32_t stage = 0; stage < needs.size(); ++stage) {
    if (!kept[stage]) needs[stage].clear();
  }
}

std::uint32_t depth_of_stages(const StageNeeds& needs, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> depth(needs.size(), 1);
  std::uint32_t deepest = 0;
  for (const std::uint32_t stage : order) {
    for (const std::uint32_t needed : needs[stage]) {
      depth[stage] = std::max(depth[stage], depth[needed] + 1);
    }
    deepest = std::max(deepest, depth[stage]);
  }
  return deepest;
}

}  // namespace tracebed
