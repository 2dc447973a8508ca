#include "report/queue_series.h"

#include <algorithm>
#include <utility>

#include "report/csv_reader.h"
#include "report/csv_writer.h"
#include "report/run_columns.h"

namespace tracebed {

void QueueSeriesBuilder::add(TraceTime at, const Resources& capacity, const SchedulerView& view,
                             const LeafUses& uses) {
  QueueSample sample{at, capacity, {}};
  for (const QueueView& queue : view.queues) {
    if (!queue.queue.is_leaf) continue;
    const auto found = uses.find(queue.queue.path);
    const LeafUse use = found == uses.end() ? LeafUse() : found->second;
    sample.leaves.push_back({position_of(queue.queue.path), use.used, use.reserved, queue.entitled,
                             static_cast<std::uint32_t>(queue.active.size()),
                             static_cast<std::uint32_t>(queue.waiting.size())});
  }
  if (sample.leaves.empty()) return;
  if (!series_.samples.empty() && series_.samples.back().at == at) {
    states_ -= series_.samples.back().leaves.size();
    series_.samples.pop_back();
  }
  states_ += sample.leaves.size();
  series_.samples.push_back(std::move(sample));
  while (series_.samples.size() > samples_max ||
         (states_ > states_max && series_.samples.size() > 1)) {
    thin();
  }
}

std::size_t QueueSeriesBuilder::position_of(const std::string& queue) {
  const auto found = std::find(series_.queues.begin(), series_.queues.end(), queue);
  if (found != series_.queues.end()) {
    return static_cast<std::size_t>(found - series_.queues.begin());
  }
  series_.queues.push_back(queue);
  return series_.queues.size() - 1;
}

void QueueSeriesBuilder::thin() {
  std::vector<QueueSample>& samples = series_.samples;
  std::vector<QueueSample> kept;
  states_ = 0;
  for (std::size_t i = 0; i < samples.size(); i += 2) {
    states_ += samples[i].leaves.size();
    kept.push_back(std::move(samples[i]));
  }
  samples = std::move(kept);
}

void write_queues_csv(std::unique_ptr<ByteOutput> file, const QueueSeries& series,
                      const ResourceDimensions& dimensions) {
  CsvWriter csv(std::move(file), csv_header(queues_table(), dimensions));
  for (const QueueSample& sample : series.samples) {
    for (const QueueState& leaf : sample.leaves) {
      csv.integer(to_microseconds(sample.at));
      csv.text(series.queues[leaf.queue]);
      csv.integer(leaf.active);
      csv.integer(leaf.waiting);
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        csv.integer(leaf.used[d]);
        csv.integer(leaf.reserved[d]);
        csv.integer(leaf.entitled[d]);
        csv.integer(sample.capacity[d]);
      }
      csv.end_row();
    }
  }
  csv.close();
}

QueueSeries read_queues_csv(const std::filesystem::path& file, const ResourceDimensions& dimensions,
                            InputWitness* witness) {
  QueueSeries series;
  CsvReader csv(file, csv_header(queues_table(), dimensions), witness);
  while (csv.next_row()) {
    const TraceTime at = trace_time(csv.integer());
    if (series.samples.empty() || series.samples.back().at != at) {
      const bool ascends = series.samples.empty() || series.samples.back().at < at;
      if (!ascends) csv.refuse("a time not before that of the row above");
      series.samples.push_back({at, {}, {}});
    }
    QueueState leaf;
    const std::string queue(csv.text());
    const auto found = std::find(series.queues.begin(), series.queues.end(), queue);
    leaf.queue = static_cast<std::size_t>(found - series.queues.begin());
    if (found == series.queues.end()) series.queues.push_back(queue);
    leaf.active = csv.count();
    leaf.waiting = csv.count();
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      leaf.used[d] = csv.integer();
      leaf.reserved[d] = csv.integer();
      leaf.entitled[d] = csv.integer();
      series.samples.back().capacity[d] = csv.integer();
    }
    series.samples.back().leaves.push_back(leaf);
  }
  return series;
}

}  // namespace tracebed
