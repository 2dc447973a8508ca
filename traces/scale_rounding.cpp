#include "traces/scale_rounding.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "traces/scale_model.h"

namespace tracebed {
namespace {

constexpr double tolerance = 0.05;
constexpr std::size_t named_max = 3;

std::uint64_t tasks_of(const Stage& stage) {
  std::uint64_t tasks = 0;
  for (const TaskRun& run : stage.runs) tasks += run.count;
  return tasks;
}

}  // namespace

ScaleRounding::Kind& ScaleRounding::kind_of(std::string_view name) {
  const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&](const Kind& kind) { return kind.name == name; });
  if (found != kinds_.end()) return *found;
  kinds_.push_back({std::string(name), 0, 0, {}});
  return kinds_.back();
}

void ScaleRounding::add(std::string_view kind, std::string_view name, double exact,
                        std::int64_t rounded, std::uint64_t count) {
  Kind& of_kind = kind_of(kind);
  of_kind.count += count;
  if (exact <= 0) return;
  const double size = std::abs(static_cast<double>(rounded) / exact - 1);
  if (size <= tolerance) return;
  of_kind.deviating += count;
  std::vector<Deviation>& worst = of_kind.worst;
  const auto place = std::find_if(worst.begin(), worst.end(),
                                  [&](const Deviation& one) { return one.size < size; });
  if (place == worst.end() && worst.size() == named_max) return;
  worst.insert(place, {std::string(name), exact, rounded, size});
  if (worst.size() > named_max) worst.pop_back();
}

std::vector<std::string> ScaleRounding::sentences() const {
  std::vector<std::string> sentences;
  for (const Kind& kind : kinds_) {
    if (kind.deviating == 0) continue;
    std::vector<std::string> worst;
    for (const Deviation& one : kind.worst) {
      worst.push_back(fmt::format("{} has {} where the factors alone give {:.6g}", one.name,
                                  one.rounded, one.exact));
    }
    sentences.push_back(fmt::format("[scale] rounds {} by more than 5 %, {} of {}: {}", kind.name,
                                    kind.deviating, kind.count, fmt::join(worst, "; ")));
  }
  return sentences;
}

void add_machines(const std::vector<Machine>& recorded, const std::vector<Machine>& scaled,
                  const ScaleFactors& factors, ScaleRounding& rounding) {
  if (recorded.empty()) return;
  rounding.add("the number of machines", "the cluster",
               static_cast<double>(recorded.size()) / factors.machines,
               static_cast<std::int64_t>(scaled.size()));
  std::map<std::string_view, const Machine*> by_name;
  for (const Machine& machine : recorded) by_name.emplace(machine.name, &machine);
  for (const Machine& machine : scaled) {
    const Resources& before = by_name.at(machine.name)->capacity;
    rounding.add("vcores of machines, in thousandths", machine.name,
                 static_cast<double>(before.milli_vcores()) / factors.cpu,
                 machine.capacity.milli_vcores());
    rounding.add("memory of machines, in MiB", machine.name,
                 static_cast<double>(before.memory_mib()) / factors.memory,
                 machine.capacity.memory_mib());
  }
}

void add_job(const Job& recorded, const Job& scaled, const ScaleFactors& factors,
             ScaleRounding& rounding) {
  for (std::size_t i = 0; i < recorded.stages.size(); ++i) {
    const Stage& before = recorded.stages[i];
    const Stage& after = scaled.stages[i];
    const std::string name = fmt::format("stage {} of job {}", i, recorded.name);
    const std::uint64_t tasks = tasks_of(after);
    rounding.add("the number of a stage's tasks", name,
                 static_cast<double>(tasks_of(before)) / factors.tasks,
                 static_cast<std::int64_t>(tasks));
    rounding.add("vcores that tasks ask for, in thousandths", name,
                 static_cast<double>(before.demand.milli_vcores()) / factors.cpu,
                 after.demand.milli_vcores(), tasks);
    rounding.add("memory that tasks ask for, in MiB", name,
                 static_cast<double>(before.demand.memory_mib()) / factors.memory,
                 after.demand.memory_mib(), tasks);
  }
}

}  // namespace tracebed
