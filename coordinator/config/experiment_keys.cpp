#include "coordinator/config/experiment_keys.h"

#include <array>

#include "coordinator/config/disturbance_texts.h"
#include "coordinator/config/machine_texts.h"
#include "coordinator/config/storage_texts.h"
#include "coordinator/config/workload_texts.h"

namespace tracebed {
namespace {

// [cluster] with its only group's keys, or with groups in their place.
constexpr auto all_cluster_texts = [] {
  std::array<KeyText, group_texts.size() + grouped_texts.size()> all;
  std::size_t at = 0;
  for (const KeyText& text : group_texts) all[at++] = text;
  for (const KeyText& text : grouped_texts) all[at++] = text;
  return all;
}();

}  // namespace

std::optional<std::string> prefix_of(const KeySection& section) {
  if (section.table.starts_with("[[")) return std::nullopt;
  if (!section.table.starts_with('[')) return "";
  return std::string(section.table.substr(1, section.table.find(']') - 1)) + ".";
}

std::span<const KeySection> experiment_keys() {
  static constexpr auto sections = std::to_array<KeySection>({
      {"top level", root_texts},
      {"[output]", output_texts},
      {"[[scheduler]]", scheduler_texts},
      {"[[refresh]]", refresh_texts},
      {"[[controller]]", controller_texts},
      {"[trace]", trace_texts},
      {"[replay]", replay_texts},
      {"[vary]", vary_texts},
      {"[scale]", scale_texts},
      {"[cluster]", all_cluster_texts},
      {"[cluster] with a file", machine_file_texts},
      {"[[cluster.group]]", group_texts},
      {"[[cluster.change]]", change_texts},
      {"[storage]", storage_texts},
      {"[virtual]", virtual_texts},
      {"[local]", local_texts},
      {"[agents]", agents_texts},
      {"[master_container]", master_container_texts},
      {"[[drain]]", drain_texts},
      {"[[crash]]", crash_texts},
      {"[faults]", fault_texts},
      {"[compare]", compare_texts},
      {"[log]", log_texts},
  });
  return sections;
}

}  // namespace tracebed
