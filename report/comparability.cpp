#include "report/comparability.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "core/input_error.h"

namespace tracebed {
namespace {

class Differences {
 public:
  template <class T>
  void check(std::string_view what, const T& a, const T& b) {
    if (a != b) note(fmt::format("{} ({} and {})", what, a, b));
  }
  void check(std::string_view what, const std::vector<NamedText>& a,
             const std::vector<NamedText>& b) {
    const auto value_in = [](const std::vector<NamedText>& list, const std::string& key) {
      const auto found = std::find_if(list.begin(), list.end(),
                                      [&](const NamedText& entry) { return entry.first == key; });
      return found == list.end() ? std::string("not set") : found->second;
    };
    for (const auto& [key, value] : a) {
      check(fmt::format("{} {}", what, key), value, value_in(b, key));
    }
    for (const auto& [key, value] : b) {
      if (value_in(a, key) == "not set") {
        check(fmt::format("{} {}", what, key), std::string("not set"), value);
      }
    }
  }
  void note(const std::string& difference) {
    text_ += text_.empty() ? difference : "; " + difference;
  }
  void refuse_if_any(const RunFolder& a, const RunFolder& b, std::string_view what) const {
    if (text_.empty()) return;
    throw InputError(
        fmt::format("{} and {} {}: {}", a.folder.string(), b.folder.string(), what, text_));
  }

 private:
  std::string text_;
};

// A machine as far as scheduling sees it; names may differ between worlds.
auto shape(const Machine& machine) {
  return std::tie(machine.rack, machine.capacity, machine.labels);
}

void compare_machines(const RunDescription& a, const RunDescription& b, Differences& differences) {
  if (a.machines.size() != b.machines.size()) {
    differences.check("number of machines", a.machines.size(), b.machines.size());
    return;
  }
  for (std::size_t i = 0; i < a.machines.size(); ++i) {
    if (shape(a.machines[i]) != shape(b.machines[i])) {
      differences.note(
          fmt::format("machine {} ({} with {} milli-vcores and {} MiB in {}, and {} "
                      "with {} milli-vcores and {} MiB in {})",
                      i, a.machines[i].name, a.machines[i].capacity.milli_vcores(),
                      a.machines[i].capacity.memory_mib(), a.machines[i].rack, b.machines[i].name,
                      b.machines[i].capacity.milli_vcores(), b.machines[i].capacity.memory_mib(),
                      b.machines[i].rack));
      return;
    }
  }
  const auto same_change = [](const MachineChange& x, const MachineChange& y) {
    return x.at == y.at && x.node == y.node && x.up == y.up;
  };
  if (!std::equal(a.changes.begin(), a.changes.end(), b.changes.begin(), b.changes.end(),
                  same_change)) {
    differences.note("when machines leave and come back");
  }
}

void require_same_experiment(const RunFolder& run_a, const RunFolder& run_b) {
  const RunDescription& a = run_a.description;
  const RunDescription& b = run_b.description;
  Differences differences;
  differences.check("trace size in bytes", a.trace.bytes, b.trace.bytes);
  differences.check("trace digest", a.trace.digest, b.trace.digest);
  differences.check("trace format", a.trace_format, b.trace_format);
  differences.check("trace selection", a.trace_selection, b.trace_selection);
  differences.check("rule", a.rules, b.rules);
  differences.check("scale of", a.scale, b.scale);
  differences.check("master setting", a.masters, b.masters);
  differences.check("resource dimensions", fmt::format("{}", fmt::join(a.extra_dimensions, ", ")),
                    fmt::format("{}", fmt::join(b.extra_dimensions, ", ")));
  compare_machines(a, b, differences);
  differences.refuse_if_any(run_a, run_b, "cannot be compared, because they differ in");
}

void require_same_conditions(const RunFolder& run_a, const RunFolder& run_b) {
  const RunDescription& a = run_a.description;
  const RunDescription& b = run_b.description;
  Differences differences;
  differences.check("time scale", a.time_scale, b.time_scale);
  differences.check("isolation", a.isolation, b.isolation);
  differences.check("setting", a.world_settings, b.world_settings);
  differences.refuse_if_any(run_a, run_b,
                            fmt::format("ran in the {} world under different conditions", a.world));
}

void require_same_scheduler(const RunFolder& run_a, const RunFolder& run_b) {
  const RunDescription& a = run_a.description;
  const RunDescription& b = run_b.description;
  Differences differences;
  differences.check("scheduler", a.scheduler_name, b.scheduler_name);
  differences.check("setting", a.scheduler_settings, b.scheduler_settings);
  differences.refuse_if_any(run_a, run_b,
                            fmt::format("are both labelled {} but differ in", a.scheduler_label));
}

}  // namespace

std::vector<RunGroup> group_comparable(std::span<const RunFolder> runs) {
  std::vector<RunGroup> groups;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    require_same_experiment(runs.front(), runs[r]);
    const RunDescription& description = runs[r].description;
    RunGroup* home = nullptr;
    for (RunGroup& group : groups) {
      const RunFolder& first = runs[group.runs.front()];
      if (group.world == description.world) require_same_conditions(first, runs[r]);
      if (group.label != description.scheduler_label) continue;
      require_same_scheduler(first, runs[r]);
      if (group.world == description.world) home = &group;
    }
    if (home == nullptr) {
      home = &groups.emplace_back(RunGroup{description.scheduler_label, description.world, {}});
    }
    home->runs.push_back(r);
  }
  for (RunGroup& group : groups) {
    std::stable_sort(group.runs.begin(), group.runs.end(), [&](std::size_t a, std::size_t b) {
      return runs[a].description.repetition < runs[b].description.repetition;
    });
  }
  return groups;
}

}  // namespace tracebed
