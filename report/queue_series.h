// What each leaf queue used over time, and what it was entitled to: samples of the scheduler's view
// in a bounded number, and the CSV file in a run's folder that keeps them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/resources.h"
#include "core/scheduler_view.h"
#include "core/time.h"
#include "report/byte_output.h"

namespace tracebed {

class InputWitness;

struct QueueState {
  std::size_t queue = 0;  // position in QueueSeries::queues
  Resources used;         // by its containers
  Resources reserved;     // for it, on nodes where its next container does not fit yet
  Resources entitled;
  std::uint32_t active = 0;   // applications
  std::uint32_t waiting = 0;  // applications that are held back
};

// A leaf's part of the cluster's containers and the scheduler's reservations.
struct LeafUse {
  Resources used;
  Resources reserved;
};
using LeafUses = std::map<std::string, LeafUse, std::less<>>;  // by path; zero ones may be missing

struct QueueSample {
  TraceTime at{};
  Resources capacity;              // of the cluster
  std::vector<QueueState> leaves;  // in the scheduler's order
};

struct QueueSeries {
  std::vector<std::string> queues;   // leaves, in the order of first appearance
  std::vector<QueueSample> samples;  // ascending
};

// Drops every second sample whenever there would be too many.
class QueueSeriesBuilder {
 public:
  static constexpr std::size_t samples_max = 400;
  static constexpr std::size_t states_max = 100'000;  // of all samples together

  // Not before the last sample; one of the same time replaces it. A view without leaves is ignored.
  // So is the view's own figure of use, which counts as its scheduler does, YARN's with
  // reservations.
  void add(TraceTime at, const Resources& capacity, const SchedulerView& view,
           const LeafUses& uses);
  const QueueSeries& series() const { return series_; }

 private:
  std::size_t position_of(const std::string& queue);
  void thin();

  QueueSeries series_;
  std::size_t states_ = 0;
};

// One row per sample and leaf. Throws EnvironmentError.
void write_queues_csv(std::unique_ptr<ByteOutput> file, const QueueSeries& series,
                      const ResourceDimensions& dimensions);
// `witness` as of CsvReader. Throws InputError naming file, line and column.
QueueSeries read_queues_csv(const std::filesystem::path& file, const ResourceDimensions& dimensions,
                            InputWitness* witness = nullptr);

}  // namespace tracebed
