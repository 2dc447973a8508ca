#include "coordinator/resolving/scaled_queues.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <variant>

#include "coordinator/resolving/given_settings.h"
#include "core/visit.h"
#include "traces/scale_rounding.h"

namespace tracebed {
namespace {

// Of the default partition: machines without labels.
std::vector<ExplainedMachines> explained(const std::vector<Machine>& machines) {
  std::vector<ExplainedMachines> kinds;
  for (const Machine& machine : machines) {
    if (!machine.labels.empty()) continue;
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const ExplainedMachines& kind) {
      return kind.capacity == machine.capacity;
    });
    if (found == kinds.end()) {
      kinds.push_back({machine.capacity, 1});
    } else {
      ++found->count;
    }
  }
  return kinds;
}

// Nothing where there is none, or no limit.
std::optional<std::int64_t> amount_of(const FigureValue& value, std::size_t dimension) {
  std::optional<std::int64_t> amount;
  visit_all(
      value, [&](const Resources& amounts) { amount = amounts[dimension]; },
      [&](const ResourceLimit& limit) {
        if (limit.is_limited[dimension]) amount = limit.most[dimension];
      },
      Ignore<bool, std::int64_t, double, Ratio, Duration, Unlimited, std::string>{});
  return amount;
}

// How the unit of a dimension's amounts is called.
std::string unit_of(const ResourceDimensions& dimensions, std::size_t dimension) {
  if (dimension == Resources::vcores_dimension) return "thousandths of a vcore";
  if (dimension == Resources::memory_dimension) return "MiB";
  return dimensions.name(dimension);
}

// Those that change what a file means.
SettingValues settings_for(const FileExplainer& explainer, const std::vector<Setting>& given) {
  SettingValues settings;
  for (const Setting& setting : given) {
    const bool is_asked_for = std::find(explainer.settings.begin(), explainer.settings.end(),
                                        setting.key) != explainer.settings.end();
    if (is_asked_for) settings[setting.key] = setting.value;
  }
  return settings;
}

class QueueRounding {
 public:
  QueueRounding(const ResolvedScheduler& scheduler, const ResourceDimensions& dimensions,
                const std::vector<Machine>& recorded, const std::vector<Machine>& scaled)
      : scheduler_(scheduler),
        dimensions_(dimensions),
        recorded_(explained(recorded)),
        scaled_(explained(scaled)),
        recorded_total_(total_of(recorded_)),
        scaled_total_(total_of(scaled_)),
        machines_left_(static_cast<double>(scaled.size()) / static_cast<double>(recorded.size())) {}

  std::vector<std::string> sentences() {
    for (const auto& [key, file] : scheduler_.files) compare(key, file.root);
    return rounding_.sentences();
  }

 private:
  void compare(const std::string& key, const XmlElement& root) {
    const FileExplainer& explainer = *scheduler_.entry->explainer;
    if (!explainer.is_own_file(root)) return;
    const SettingValues settings = settings_for(explainer, scheduler_.settings);
    const SchedulerFile file{key, root, settings, dimensions_};
    const Result<ExplainedFile> before = explainer.explain(file, recorded_);
    const Result<ExplainedFile> after = explainer.explain(file, scaled_);
    if (!before || !after) return;  // it was refused, or is about to be, when it is made
    for (std::size_t i = 0; i < before->queues.size(); ++i) {
      compare(before->queues[i], after->queues[i]);
    }
  }

  void compare(const ExplainedQueue& before, const ExplainedQueue& after) {
    for (const std::string_view id : scheduler_.entry->explainer->amounts) {
      const Figure* was = find_figure(before.figures, id);
      const Figure* is = find_figure(after.figures, id);
      if (was != nullptr && is != nullptr) compare(before.path, *was, *is);
    }
  }

  void compare(const std::string& queue, const Figure& was, const Figure& is) {
    const auto* slots_before = std::get_if<std::int64_t>(&was.value);
    const auto* slots_after = std::get_if<std::int64_t>(&is.value);
    if (slots_before != nullptr && slots_after != nullptr) {
      rounding_.add(fmt::format("{} of queues, in slots", was.label), queue,
                    static_cast<double>(*slots_before) * machines_left_, *slots_after);
    }
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (!scheduler_.limits.is_limited(d) || recorded_total_[d] == 0) continue;
      const auto before = amount_of(was.value, d);
      const auto after = amount_of(is.value, d);
      if (!before || !after) continue;
      const double part =
          static_cast<double>(scaled_total_[d]) / static_cast<double>(recorded_total_[d]);
      rounding_.add(fmt::format("{} of queues, in {}", was.label, unit_of(dimensions_, d)), queue,
                    static_cast<double>(*before) * part, *after);
    }
  }

  const ResolvedScheduler& scheduler_;
  const ResourceDimensions& dimensions_;
  std::vector<ExplainedMachines> recorded_;
  std::vector<ExplainedMachines> scaled_;
  Resources recorded_total_;
  Resources scaled_total_;
  double machines_left_;  // the part of them that stays
  ScaleRounding rounding_;
};

}  // namespace

std::vector<std::string> rounding_of_queues(const ResolvedScheduler& scheduler,
                                            const ResourceDimensions& dimensions,
                                            const std::vector<Machine>& recorded,
                                            const std::vector<Machine>& scaled) {
  if (!scheduler.entry->explainer || recorded == scaled) return {};
  return QueueRounding(scheduler, dimensions, recorded, scaled).sentences();
}

std::vector<std::string> warnings_of_queues(const ResolvedScheduler& scheduler,
                                            const ResourceDimensions& dimensions,
                                            const std::vector<Machine>& machines) {
  constexpr std::size_t named_max = 3;
  std::vector<std::string> sentences;
  const auto& explainer = scheduler.entry->explainer;
  if (!explainer || explainer->warnings.empty()) return sentences;
  const std::vector<ExplainedMachines> kinds = explained(machines);
  for (const auto& [key, file] : scheduler.files) {
    if (!explainer->is_own_file(file.root)) continue;
    const SettingValues settings = settings_for(*explainer, scheduler.settings);
    const auto meaning = explainer->explain({key, file.root, settings, dimensions}, kinds);
    if (!meaning) continue;  // it is about to be refused
    std::string named;
    std::size_t count = 0;
    for (const ExplainedQueue& queue : meaning->queues) {
      const Figure* figure = find_figure(queue.figures, explainer->warnings);
      if (figure == nullptr) continue;
      if (++count > named_max) continue;
      named += fmt::format("{}{} ({})", count == 1 ? "" : ", ", queue.path,
                           std::get<std::string>(figure->value));
    }
    if (count == 0) continue;
    if (count > named_max) named += fmt::format(" and {} more queues", count - named_max);
    sentences.push_back(fmt::format(
        "capacities of {} do not match the machines: {}; `tracebed schedulers explain` shows what "
        "each queue gets",
        file.root.where, named));
  }
  return sentences;
}

}  // namespace tracebed
