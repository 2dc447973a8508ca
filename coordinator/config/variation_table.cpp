#include "coordinator/config/variation_table.h"

#include <array>
#include <fmt/format.h>

#include "coordinator/config/workload_texts.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

// A gap or a run time changes by at most half of itself: more would be another trace, not a shaken
// one.
constexpr double part_max = 0.5;

constexpr std::array vary_keys{
    TomlKey<VariationChoice>{"submit_times",
                             [](const TomlValue& value, VariationChoice& vary) {
                               vary.submit_times = value.number(0, part_max);
                             }},
    TomlKey<VariationChoice>{"run_times",
                             [](const TomlValue& value, VariationChoice& vary) {
                               vary.run_times = value.number(0, part_max);
                             }},
};
static_assert(describe_all(vary_keys, vary_texts));

}  // namespace

void read_variation(const TomlValue& value, VariationChoice& vary) {
  read_table<VariationChoice>(value.table(), value.key(), vary_keys, vary);
  vary.where = value.where();
}

void check_variation(const Experiment& experiment) {
  if (experiment.vary.submit_times <= 0 || experiment.replay.mode == ReplayChoice::Mode::trace) {
    return;
  }
  throw InputError(
      fmt::format("{}: submit_times: expected only where replay.mode is \"trace\", since other "
                  "modes ignore the trace's submit times",
                  experiment.vary.where));
}

}  // namespace tracebed
