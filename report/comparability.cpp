#include "report/comparability.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
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
  const std::string& text() const { return text_; }
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

// In words; empty if there is none.
std::string scheduler_difference(const RunFolder& run_a, const RunFolder& run_b) {
  const RunDescription& a = run_a.description;
  const RunDescription& b = run_b.description;
  Differences differences;
  differences.check("scheduler", a.scheduler_name, b.scheduler_name);
  differences.check("setting", a.scheduler_settings, b.scheduler_settings);
  return differences.text();
}

// Likewise. Real machines decide differently each time, and so do other seeds.
std::string decision_difference(const RunFolder& run_a, const RunFolder& run_b) {
  const RunDescription& a = run_a.description;
  const RunDescription& b = run_b.description;
  const bool are_to_agree = a.world == "virtual" && b.world == "virtual" && a.seed == b.seed;
  const auto is_whole = [](const RunFolder& run) {
    return run.end.outcome == RunOutcome::complete || run.end.outcome == RunOutcome::stalled;
  };
  if (!are_to_agree || !is_whole(run_a) || !is_whole(run_b)) return {};
  if (run_a.end.digest == run_b.end.digest) return {};
  std::string text = fmt::format("decisions with the same settings and seed (digests {} and {}",
                                 run_a.end.digest, run_b.end.digest);
  if (a.software_version != b.software_version) {
    text += fmt::format("; Tracebed {} and {}", a.software_version, b.software_version);
  }
  if (a.experiment_text != b.experiment_text) text += "; the experiment files differ, too";
  return text + ")";
}

// What keeps the run from being one more of the group's; empty if nothing does.
std::string difference_from(const RunGroup& group, std::span<const RunFolder> runs,
                            const RunFolder& run) {
  std::string difference = scheduler_difference(runs[group.runs.front()], run);
  if (group.world != run.description.world) return difference;
  for (std::size_t i = 0; i < group.runs.size() && difference.empty(); ++i) {
    difference = decision_difference(runs[group.runs[i]], run);
  }
  return difference;
}

// Where a run belongs among the groups of its scheduler's label.
struct Placing {
  RunGroup* home = nullptr;  // null: in a group of its own
  std::string label;         // of that
  std::string apart;         // RunGroup::apart
};

Placing place_run(std::vector<RunGroup>& groups, std::span<const RunFolder> runs,
                  const RunFolder& run) {
  const RunDescription& description = run.description;
  Placing placing{.home = nullptr, .label = description.scheduler_label, .apart = {}};
  std::optional<std::string> same_elsewhere;  // label in another world with the same settings
  std::size_t variants = 0;
  std::vector<std::string> seen;
  for (RunGroup& group : groups) {
    const RunFolder& first = runs[group.runs.front()];
    if (group.world == description.world) require_same_conditions(first, run);
    if (first.description.scheduler_label != description.scheduler_label) continue;
    const std::string difference = difference_from(group, runs, run);
    const bool is_new_label = std::find(seen.begin(), seen.end(), group.label) == seen.end();
    if (is_new_label) {
      seen.push_back(group.label);
      ++variants;
    }
    if (!difference.empty()) {
      if (placing.apart.empty()) {
        placing.apart =
            fmt::format("{} and {} are both labelled {} but differ in: {}", first.folder.string(),
                        run.folder.string(), description.scheduler_label, difference);
      }
    } else if (group.world == description.world) {
      placing.home = &group;
      return placing;
    } else if (!same_elsewhere) {
      same_elsewhere = group.label;
    }
  }
  if (same_elsewhere) {
    placing.label = *same_elsewhere;
    if (placing.label == description.scheduler_label) placing.apart.clear();
  } else if (!placing.apart.empty()) {
    placing.label = fmt::format("{} ({})", placing.label, variants + 1);
  }
  return placing;
}

}  // namespace

std::vector<RunGroup> group_comparable(std::span<const RunFolder> runs) {
  std::vector<RunGroup> groups;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    require_same_experiment(runs.front(), runs[r]);
    Placing placing = place_run(groups, runs, runs[r]);
    if (placing.home == nullptr) {
      placing.home = &groups.emplace_back(RunGroup{
          std::move(placing.label), std::move(placing.apart), runs[r].description.world, {}});
    }
    placing.home->runs.push_back(r);
  }
  for (RunGroup& group : groups) {
    std::stable_sort(group.runs.begin(), group.runs.end(), [&](std::size_t a, std::size_t b) {
      return runs[a].description.repetition < runs[b].description.repetition;
    });
  }
  return groups;
}

std::vector<WorldPair> world_pairs(std::span<const RunGroup> groups) {
  std::vector<WorldPair> pairs;
  for (const RunGroup& model : groups) {
    if (model.world != "virtual") continue;
    for (const RunGroup& real : groups) {
      if (real.world != "virtual" && real.label == model.label) pairs.push_back({&model, &real});
    }
  }
  return pairs;
}

std::vector<std::vector<std::size_t>> take_noise(std::span<const RunFolder> runs,
                                                 std::vector<RunGroup>& groups) {
  std::vector<std::vector<std::size_t>> noise;
  std::vector<RunGroup> left;
  for (RunGroup& group : groups) {
    const auto is_counted = [&](std::size_t run) { return !runs[run].description.is_noise; };
    const auto first = std::stable_partition(group.runs.begin(), group.runs.end(), is_counted);
    std::vector<std::size_t> of_group(first, group.runs.end());
    group.runs.erase(first, group.runs.end());
    if (group.runs.empty()) continue;
    noise.push_back(std::move(of_group));
    left.push_back(std::move(group));
  }
  if (left.empty()) {
    throw InputError("all of these are noise runs; the runs they belong to are missing");
  }
  groups = std::move(left);
  return noise;
}

}  // namespace tracebed
