// Orders the stages of a job so that each comes after those it needs, as core/workload.h requires.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tracebed {

// By stage: those it needs, by position; each once, in any order.
using StageNeeds = std::vector<std::vector<std::uint32_t>>;

// The positions of the stages in an order in which they can run: of those that can run next, always
// the first. None if there is no such order: some stages need each other.
std::optional<std::vector<std::uint32_t>> order_of_stages(const StageNeeds& needs);

// Removes stages that are not `kept`: a stage that needs one then needs what that one needs. There
// must be no cycle. The needs of removed stages are empty afterwards, and no stage needs them.
void contract_stages(StageNeeds& needs, const std::vector<bool>& kept,
                     const std::vector<std::uint32_t>& order);

// Stages on the longest path, 0 without any. `order` is that of order_of_stages().
std::uint32_t depth_of_stages(const StageNeeds& needs, const std::vector<std::uint32_t>& order);

}  // namespace tracebed
