#include "report/preemption_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "report/text_table.h"

namespace tracebed {
namespace {

struct Column {
  const char* title;
  double (*value)(const PreemptionCounts&);
};

constexpr std::array container_columns{
    Column{"marked", [](const PreemptionCounts& c) { return static_cast<double>(c.asked); }},
    Column{"in time", [](const PreemptionCounts& c) { return static_cast<double>(c.in_time); }},
    Column{"substituted",
           [](const PreemptionCounts& c) { return static_cast<double>(c.substituted); }},
    Column{"forced", [](const PreemptionCounts& c) { return static_cast<double>(c.forced); }},
    Column{"cancelled", [](const PreemptionCounts& c) { return static_cast<double>(c.cancelled); }},
    Column{"lost", [](const PreemptionCounts& c) { return static_cast<double>(c.lost); }},
};

constexpr std::array work_columns{
    Column{"lost vcore s", [](const PreemptionCounts& c) { return c.lost_vcore_seconds; }},
    Column{"saved vcore s", [](const PreemptionCounts& c) { return c.saved_vcore_seconds; }},
    Column{"lost MiB s", [](const PreemptionCounts& c) { return c.lost_mib_seconds; }},
    Column{"saved MiB s", [](const PreemptionCounts& c) { return c.saved_mib_seconds; }},
};

// One row per scheduler and queue. A run that asked for nothing of a queue counts as zero in the
// mean.
template <std::size_t size>
std::string counts_table(const WorldComparison& world, const std::array<Column, size>& columns) {
  std::vector<std::string> header{"queue"};
  for (const Column& column : columns) header.emplace_back(column.title);
  TextTable table(header);
  for (const ComparedScheduler& scheduler : world.schedulers) {
    std::map<std::string, std::array<double, size>> queues;
    for (const RunMetrics& run : scheduler.metrics) {
      for (const QueuePreemption& queue : run.attempts.preemption.queues) {
        for (std::size_t c = 0; c < size; ++c) {
          queues[queue.queue][c] += columns[c].value(queue.counts);
        }
      }
    }
    for (const auto& [queue, sums] : queues) {
      std::vector<std::string> row{fmt::format("{}, {}", scheduler.label, queue)};
      for (const double sum : sums) {
        row.push_back(readable(sum / static_cast<double>(scheduler.metrics.size())));
      }
      table.add_row(std::move(row));
    }
  }
  return table.to_string();
}

struct Starved {
  double times = 0;
  double total = 0;
  double longest = 0;
};

std::string starvation_table(const WorldComparison& world) {
  TextTable table({"leaf queue", "times", "mean (s)", "longest (s)", "in all (s)"});
  double seen_within = 0;
  for (const ComparedScheduler& scheduler : world.schedulers) {
    std::map<std::string, Starved> queues;
    for (const RunMetrics& run : scheduler.metrics) {
      seen_within = std::max(seen_within, run.starvation.seen_within_seconds);
      for (const QueueStarvation& queue : run.starvation.queues) {
        Starved& starved = queues[queue.queue];
        starved.times += static_cast<double>(queue.seconds.count) + (queue.unended > 0 ? 1 : 0);
        starved.total += queue.total;
        starved.longest = std::max({starved.longest, queue.seconds.max, queue.unended});
      }
    }
    const auto runs = static_cast<double>(scheduler.metrics.size());
    for (const auto& [queue, starved] : queues) {
      table.add_row({fmt::format("{}, {}", scheduler.label, queue), readable(starved.times / runs),
                     readable(starved.total / starved.times), readable(starved.longest),
                     readable(starved.total / runs)});
    }
  }
  return table.to_string() +
         (seen_within > 0 ? fmt::format("starvation begins and ends are known to within {} s\n",
                                        readable(seen_within))
                          : std::string());
}

template <class Has>
bool any_run(const WorldComparison& world, Has has) {
  return std::any_of(world.schedulers.begin(), world.schedulers.end(), [&](const auto& scheduler) {
    return std::any_of(scheduler.metrics.begin(), scheduler.metrics.end(), has);
  });
}

}  // namespace

std::string preemption_text(const WorldComparison& world) {
  std::string text;
  const bool was_asked =
      any_run(world, [](const RunMetrics& run) { return !run.attempts.preemption.queues.empty(); });
  if (was_asked) {
    text += "\nPreempted containers, by queue; substituted ones count as in time\n";
    text += counts_table(world, container_columns);
    text += "\nWork of preempted and killed attempts, by queue\n";
    text += counts_table(world, work_columns);
  }
  const bool has_starved =
      any_run(world, [](const RunMetrics& run) { return !run.starvation.queues.empty(); });
  if (has_starved) {
    text += "\nStarvation: how long queues with demand had less than their share\n";
    text += starvation_table(world);
  }
  return text;
}

}  // namespace tracebed
