#include "core/stall.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tracebed {
namespace {

struct StallWords {
  StallKind kind;
  std::string_view name;
  std::string_view title;
};

constexpr std::array all_stall_words{
    StallWords{StallKind::no_machines, "no_machines", "no machine in service"},
    StallWords{StallKind::ask_too_large, "ask_too_large", "an ask larger than every machine"},
    StallWords{StallKind::places, "places", "places that no machine satisfies"},
    StallWords{StallKind::gang_too_large, "gang_too_large", "a gang larger than the cluster"},
    StallWords{StallKind::no_master, "no_master", "no master may start"},
    StallWords{StallKind::queue_limit, "queue_limit", "a limit of a queue"},
    StallWords{StallKind::masters_alone, "masters_alone", "deadlock of masters alone"},
    StallWords{StallKind::held_tasks, "held_tasks", "deadlock of tasks that wait for others"},
    StallWords{StallKind::preemption_loop, "preemption_loop", "preemption without end"},
    StallWords{StallKind::unknown, "unknown", "of no known kind"},
};

const StallWords& words_of(StallKind kind) {
  return all_stall_words[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string_view name(StallKind kind) {
  return words_of(kind).name;
}

std::string_view title(StallKind kind) {
  return words_of(kind).title;
}

std::optional<StallKind> stall_kind_of(std::string_view name) {
  const auto* const found =
      std::find_if(all_stall_words.begin(), all_stall_words.end(),
                   [&](const StallWords& words) { return words.name == name; });
  if (found == all_stall_words.end()) return std::nullopt;
  return found->kind;
}

}  // namespace tracebed
