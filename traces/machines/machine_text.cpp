#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "traces/machines/machine_changes.h"
#include "traces/machines/machine_trace.h"

namespace tracebed {

std::string to_text(const MachineTrace& trace) {
  constexpr std::size_t shapes_shown = 10;
  std::map<std::string, std::uint64_t> racks;
  std::map<std::string, std::uint64_t> labels;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> shapes;
  Resources sum;
  for (const Machine& machine : trace.machines) {
    ++racks[machine.rack];
    for (const std::string& label : machine.labels) ++labels[label];
    ++shapes[{machine.capacity.milli_vcores(), machine.capacity.memory_mib()}];
    sum += machine.capacity;
  }
  const auto downs = std::count_if(trace.changes.begin(), trace.changes.end(),
                                   [](const MachineChange& change) { return !change.up; });
  std::string text =
      fmt::format("{}: machines ({}), {} rows\n", trace.path, trace.format, trace.rows);
  text += fmt::format("  {} machines in {} racks, {:.1f} vcores and {:.1f} GiB in all\n",
                      trace.machines.size(), racks.size(),
                      static_cast<double>(sum.milli_vcores()) / 1000,
                      static_cast<double>(sum.memory_mib()) / 1024);
  text += fmt::format("  {} times one comes, {} times one goes",
                      static_cast<std::ptrdiff_t>(trace.changes.size()) - downs, downs);
  if (!trace.changes.empty()) {
    text += fmt::format(", from {:.3f} s to {:.3f} s", to_seconds(trace.changes.front().at),
                        to_seconds(trace.changes.back().at));
  }
  text += "\n";
  std::vector<std::pair<std::uint64_t, std::pair<std::int64_t, std::int64_t>>> by_count;
  for (const auto& [shape, count] : shapes) by_count.emplace_back(count, shape);
  std::stable_sort(by_count.begin(), by_count.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < std::min(by_count.size(), shapes_shown); ++i) {
    const auto& [count, shape] = by_count[i];
    text += fmt::format("  {:>8} of {} vcores, {} MiB\n", count,
                        static_cast<double>(shape.first) / 1000, shape.second);
  }
  if (by_count.size() > shapes_shown) {
    text += fmt::format("  and {} other shapes\n", by_count.size() - shapes_shown);
  }
  for (const auto& [label, count] : labels) {
    text += fmt::format("  {:>8} with label {}\n", count, label);
  }
  for (const auto& [what, count] : trace.notes) text += fmt::format("  {}: {}\n", what, count);
  if (trace.bad_rows > 0) text += fmt::format("  {} bad rows skipped\n", trace.bad_rows);
  return text;
}

}  // namespace tracebed
