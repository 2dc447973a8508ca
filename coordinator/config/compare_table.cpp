#include "coordinator/config/compare_table.h"

#include <array>

#include "coordinator/config/longest_duration.h"
#include "coordinator/config/workload_texts.h"

namespace tracebed {
namespace {

constexpr std::array compare_keys{
    TomlKey<CompareChoice>{
        "noise",
        [](const TomlValue& value, CompareChoice& compare) { compare.noise = value.boolean(); }},
    TomlKey<CompareChoice>{"noise_time",
                           [](const TomlValue& value, CompareChoice& compare) {
                             compare.noise_time = value.duration({}, longest_duration);
                           }},
    TomlKey<CompareChoice>{"baseline",
                           [](const TomlValue& value, CompareChoice& compare) {
                             compare.baseline = value.text();
                             compare.baseline_where = value.where();
                           }},
    TomlKey<CompareChoice>{"primary",
                           [](const TomlValue& value, CompareChoice& compare) {
                             compare.primary = value.text();
                             compare.primary_where = value.where();
                           }},
    TomlKey<CompareChoice>{"matters_from",
                           [](const TomlValue& value, CompareChoice& compare) {
                             compare.matters_from = value.number(0, 1);
                           }},
};
static_assert(describe_all(compare_keys, compare_texts));

}  // namespace

void read_compare(const TomlValue& value, CompareChoice& compare) {
  read_table<CompareChoice>(value.table(), value.key(), compare_keys, compare);
}

}  // namespace tracebed
