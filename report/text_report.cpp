#include "report/text_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <sstream>

#include "core/mebibyte.h"
#include "report/device_figures.h"
#include "report/headline.h"
#include "report/preemption_text.h"
#include "report/text_table.h"
#include "report/verdict_text.h"
#include "report/world_text.h"

namespace tracebed {
namespace {

std::string with_unit(const std::string& title, const std::string& unit) {
  return unit.empty() ? title : fmt::format("{} ({})", title, unit);
}

double mean_of(const std::vector<RunMetrics>& runs, double (*figure)(const RunMetrics&)) {
  double sum = 0;
  for (const RunMetrics& run : runs) sum += figure(run);
  return sum / static_cast<double>(runs.size());
}

struct OtherFigure {
  const char* title;
  double (*value)(const RunMetrics&);
  // What decides whether the row is shown, where zeros of its own say something; null: itself.
  double (*of)(const RunMetrics&) = nullptr;
};

double jobs_with_deadline(const RunMetrics& run) {
  return static_cast<double>(run.deadlines.jobs);
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

double locality_share(const RunMetrics& run, Locality locality) {
  const auto count = [&](Locality l) {
    return run.attempts.localities[static_cast<std::size_t>(l)];
  };
  return share(count(locality), count(Locality::process) + count(Locality::node) +
                                    count(Locality::rack) + count(Locality::off_switch));
}

double distance_share(const ReadBytes& read, std::int64_t ReadBytes::*distance) {
  return share(static_cast<std::uint64_t>(read.*distance),
               static_cast<std::uint64_t>(read.total()));
}
// Of what was read from the run's storage.
double input_share(const RunMetrics& run, std::int64_t ReadBytes::*distance) {
  return distance_share(run.attempts.input, distance);
}
double shuffle_share(const RunMetrics& run, std::int64_t ReadBytes::*distance) {
  return distance_share(run.attempts.shuffled, distance);
}

// Shown for every scheduler but not judged: they explain the figures above.
constexpr std::array other_figures{
    OtherFigure{"jobs succeeded",
                [](const RunMetrics& m) { return static_cast<double>(m.succeeded); }},
    OtherFigure{"jobs failed", [](const RunMetrics& m) { return static_cast<double>(m.failed); }},
    OtherFigure{"jobs rejected",
                [](const RunMetrics& m) { return static_cast<double>(m.rejected); }},
    OtherFigure{"jobs killed", [](const RunMetrics& m) { return static_cast<double>(m.killed); }},
    OtherFigure{"jobs with a deadline", jobs_with_deadline},
    OtherFigure{"deadline met",
                [](const RunMetrics& m) { return static_cast<double>(m.deadlines.met); },
                jobs_with_deadline},
    OtherFigure{"deadline met (%)",
                [](const RunMetrics& m) { return share(m.deadlines.met, m.deadlines.jobs); },
                jobs_with_deadline},
    OtherFigure{"tardiness, mean (s)",
                [](const RunMetrics& m) { return m.deadlines.tardiness.mean; }, jobs_with_deadline},
    OtherFigure{"tardiness p95 (s)", [](const RunMetrics& m) { return m.deadlines.tardiness.p95; },
                jobs_with_deadline},
    OtherFigure{"Jain's index over users", [](const RunMetrics& m) { return m.jain_index; }},
    OtherFigure{"attempts lost (%)",
                [](const RunMetrics& m) { return share(m.attempts.lost, m.attempts.launched); }},
    OtherFigure{"masters' part of vcores (%)",
                [](const RunMetrics& m) { return 100 * m.attempts.masters_part_of_vcores; }},
    OtherFigure{"masters' part of memory (%)",
                [](const RunMetrics& m) { return 100 * m.attempts.masters_part_of_memory; }},
    OtherFigure{
        "containers preempted",
        [](const RunMetrics& m) { return static_cast<double>(m.attempts.preemption.all.asked); }},
    OtherFigure{"released in time (%)",
                [](const RunMetrics& m) {
                  return share(m.attempts.preemption.all.in_time, m.attempts.preemption.all.asked);
                }},
    OtherFigure{"killed at the deadline (%)",
                [](const RunMetrics& m) {
                  return share(m.attempts.preemption.all.forced, m.attempts.preemption.all.asked);
                }},
    OtherFigure{"no longer needed (%)",
                [](const RunMetrics& m) {
                  return share(m.attempts.preemption.all.cancelled,
                               m.attempts.preemption.all.asked);
                }},
    OtherFigure{
        "work lost (vcore h)",
        [](const RunMetrics& m) { return m.attempts.preemption.all.lost_vcore_seconds / 3600; }},
    OtherFigure{
        "work saved (vcore h)",
        [](const RunMetrics& m) { return m.attempts.preemption.all.saved_vcore_seconds / 3600; }},
    OtherFigure{"process-local attempts (%)",
                [](const RunMetrics& m) { return locality_share(m, Locality::process); }},
    OtherFigure{"node-local attempts (%)",
                [](const RunMetrics& m) { return locality_share(m, Locality::node); }},
    OtherFigure{"rack-local attempts (%)",
                [](const RunMetrics& m) { return locality_share(m, Locality::rack); }},
    OtherFigure{"off-switch attempts (%)",
                [](const RunMetrics& m) { return locality_share(m, Locality::off_switch); }},
    OtherFigure{"bytes read node-local (%)",
                [](const RunMetrics& m) { return input_share(m, &ReadBytes::node_local); }},
    OtherFigure{"bytes read rack-local (%)",
                [](const RunMetrics& m) { return input_share(m, &ReadBytes::rack_local); }},
    OtherFigure{"bytes read off-rack (%)",
                [](const RunMetrics& m) { return input_share(m, &ReadBytes::off_rack); }},
    OtherFigure{"bytes shuffled node-local (%)",
                [](const RunMetrics& m) { return shuffle_share(m, &ReadBytes::node_local); }},
    OtherFigure{"bytes shuffled rack-local (%)",
                [](const RunMetrics& m) { return shuffle_share(m, &ReadBytes::rack_local); }},
    OtherFigure{"bytes shuffled off-rack (%)",
                [](const RunMetrics& m) { return shuffle_share(m, &ReadBytes::off_rack); }},
    OtherFigure{"bytes spilled (MiB)",
                [](const RunMetrics& m) {
                  return static_cast<double>(m.attempts.spilled) / static_cast<double>(mebibyte);
                }},
    OtherFigure{"masters' start-up p50 (s)",
                [](const RunMetrics& m) { return m.attempts.master_startup.p50; }},
    OtherFigure{"launch latency p50 (s)",
                [](const RunMetrics& m) { return m.attempts.launch_latency.p50; }},
    OtherFigure{"launch latency p99 (s)",
                [](const RunMetrics& m) { return m.attempts.launch_latency.p99; }},
    OtherFigure{"heartbeat delay p50 (s)",
                [](const RunMetrics& m) { return m.attempts.heartbeat_delay.p50; }},
    OtherFigure{"heartbeat delay p99 (s)",
                [](const RunMetrics& m) { return m.attempts.heartbeat_delay.p99; }},
    OtherFigure{"contention p50 (s)",
                [](const RunMetrics& m) { return m.attempts.contention.p50; }},
    OtherFigure{"contention p99 (s)",
                [](const RunMetrics& m) { return m.attempts.contention.p99; }},
    OtherFigure{"submission lateness p99 (s)", [](const RunMetrics& m) { return m.lateness.p99; }},
};

// The schedulers from `first` on that a table has room for, at least one; a wider table is split.
std::size_t end_of_table(const WorldComparison& world, std::size_t first) {
  constexpr std::size_t columns_max = 100;
  constexpr std::size_t figure_width = 28;
  std::size_t width = figure_width;
  std::size_t last = first;
  for (; last < world.schedulers.size(); ++last) {
    width += 2 + std::max<std::size_t>(10, world.schedulers[last].label.size());
    if (width > columns_max && last > first) break;
  }
  return last;
}

std::string figures_table(const WorldComparison& world, std::size_t first, std::size_t last) {
  std::vector<std::string> header{"figure"};
  for (std::size_t s = first; s < last; ++s) header.push_back(world.schedulers[s].label);
  TextTable table(header);
  for (std::size_t f = 0; f < world.figures.size(); ++f) {
    const ComparedFigure& figure = world.figures[f];
    std::vector<std::string> row{with_unit(figure.title, figure.unit)};
    for (std::size_t s = first; s < last; ++s) {
      row.push_back(readable(world.schedulers[s].figures[f]));
    }
    table.add_row(std::move(row));
  }
  table.add_rule();
  for (const OtherFigure& figure : other_figures) {
    std::vector<std::string> row{figure.title};
    bool is_shown = false;
    for (std::size_t s = first; s < last; ++s) {
      const std::vector<RunMetrics>& runs = world.schedulers[s].metrics;
      is_shown |= mean_of(runs, figure.of == nullptr ? figure.value : figure.of) != 0;
      row.push_back(readable(mean_of(runs, figure.value)));
    }
    if (is_shown) table.add_row(std::move(row));
  }
  return table.to_string();
}

std::string parts_table(const WorldComparison& world) {
  std::vector<std::string> header{"mean JCT (s)"};
  for (std::size_t p = 0; p < jct_part_count; ++p) {
    header.emplace_back(name(static_cast<JctPart>(p)));
  }
  TextTable table(header);
  for (const ComparedScheduler& scheduler : world.schedulers) {
    std::vector<std::string> row{scheduler.label};
    for (std::size_t p = 0; p < jct_part_count; ++p) {
      double sum = 0;
      for (const RunMetrics& run : scheduler.metrics) sum += run.jct_parts_mean[p];
      row.push_back(readable(sum / static_cast<double>(scheduler.metrics.size())));
    }
    table.add_row(std::move(row));
  }
  return table.to_string();
}

std::string candidate_table(const WorldComparison& world, const Candidate& candidate) {
  const bool has_intervals =
      std::any_of(candidate.differences.begin(), candidate.differences.end(),
                  [](const FigureDifference& figure) { return figure.interval.has_value(); });
  const bool has_noise = !world.noise.runs.empty();
  std::vector<std::string> header{"figure", "difference", "change"};
  if (has_intervals) header.emplace_back("95 % CI");
  if (has_noise) header.emplace_back("noise");
  header.emplace_back("verdict");
  TextTable table(header, true);
  for (std::size_t f = 0; f < world.figures.size(); ++f) {
    const ComparedFigure& figure = world.figures[f];
    const FigureDifference& difference = candidate.differences[f];
    std::vector<std::string> row{with_unit(figure.title, figure.unit),
                                 readable(difference.difference), change_text(figure, difference)};
    if (has_intervals) row.push_back(interval_text(figure, difference));
    if (has_noise) row.push_back(noise_text(difference));
    row.push_back(short_verdict(difference));
    table.add_row(std::move(row));
  }
  return table.to_string();
}

std::string world_text(const Comparison& comparison, const WorldComparison& world) {
  std::string text =
      fmt::format("{}: {} world, {} that succeeded in every run\n", comparison.experiment,
                  world.world, counted_jobs(world.jobs_common));
  for (const std::string& note : world.notes) text += fmt::format("note: {}\n", note);
  for (std::size_t s = 0; s < world.schedulers.size();) {
    const std::size_t end = end_of_table(world, s);
    text += "\n" + figures_table(world, s, end);
    s = end;
  }
  text += preemption_text(world);
  text += device_table(world);
  text += "\nComposition of the completion time, along each job's critical chain of attempts\n";
  text += parts_table(world);
  const std::string& baseline = world.schedulers.front().label;
  for (const Candidate& candidate : world.candidates) {
    const std::string& label = world.schedulers[candidate.scheduler].label;
    text += fmt::format("\n{} against {}\n", label, baseline);
    if (world.primary) {
      text += fmt::format(
          "{}: {}\n", world.figures[*world.primary].title,
          verdict_text(world.figures[*world.primary], candidate.differences[*world.primary]));
    }
    text += candidate_table(world, candidate);
    text +=
        fmt::format("of {}, {} ended at least 1 % sooner and {} at least 1 % later than under {}\n",
                    counted_jobs(world.jobs_common), grouped(candidate.jobs_faster),
                    grouped(candidate.jobs_slower), baseline);
    text += wrapped(test_text(world, candidate));
  }
  const std::vector<std::string> judgement = judgement_texts(world);
  if (!judgement.empty()) text += "\n";
  for (const std::string& sentence : judgement) text += wrapped(sentence);
  return text;
}

}  // namespace

std::string wrapped(const std::string& sentence) {
  constexpr std::size_t width = 98;
  std::string text;
  std::string line;
  std::istringstream words(sentence);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      text += line + "\n";
      line = " ";
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return text + line + "\n";
}

std::string to_text(const Comparison& comparison) {
  std::string text = wrapped(headline(comparison));
  for (const WorldComparison& world : comparison.worlds) {
    text += "\n" + world_text(comparison, world);
  }
  for (const WorldAgreement& worlds : comparison.world_agreements) {
    text += fmt::format("\n{} and {} world: median (range) of the runs of each scheduler\n",
                        worlds.model_world, worlds.real_world);
    text += agreement_table(worlds, std::numeric_limits<std::size_t>::max());
  }
  for (const WorldDifference& difference : comparison.world_differences) {
    text += "\n" + world_difference_text(difference);
  }
  return text;
}

}  // namespace tracebed
