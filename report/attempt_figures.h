// Figures over all attempts of a run: how near to their input they ran, how they ended, and the
// three delays between what the trace asks for and what a job gets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/outcomes.h"
#include "core/read_bytes.h"
#include "core/records.h"
#include "report/device_figures.h"
#include "report/log_histogram.h"
#include "report/preemption_figures.h"

namespace tracebed {

inline constexpr std::size_t locality_count = 5;

struct AttemptFigures {
  std::uint64_t launched = 0;
  std::uint64_t lost = 0;        // launched and not succeeded
  std::uint64_t unlaunched = 0;  // containers that ended before a task was started in them
  std::array<std::uint64_t, container_end_count> ends{};   // of the launched, by ContainerEnd
  std::array<std::uint64_t, locality_count> localities{};  // of the launched, by Locality
  ReadBytes input;          // of the launched, from the run's storage
  std::int64_t output = 0;  // likewise, to it
  ReadBytes shuffled;       // likewise, from tasks of earlier stages
  std::int64_t spilled = 0;
  // Of the attempts that succeeded; in seconds of trace time; percentiles within 0.1 %.
  Spread launch_latency;   // started − allocated
  Spread heartbeat_delay;  // reported − ended
  Spread contention;       // (work begun → ended) − nominal

  // Of application masters in containers, which are excluded above: their number, and their part of
  // all that containers held over time, from 0 to 1.
  std::uint64_t masters = 0;
  double masters_part_of_vcores = 0;
  double masters_part_of_memory = 0;
  // Of those that registered: registered − started, as YARN's AMRegisterDelay; in seconds.
  Spread master_startup;

  PreemptionFigures preemption;
  std::vector<DeviceFigures> devices;  // of all containers; empty if none had any

  bool operator==(const AttemptFigures&) const = default;
};

// Collects them attempt by attempt, in memory that does not grow with their number.
class AttemptCounter {
 public:
  void add(const AttemptRecord& record);
  AttemptFigures figures() const;
  const ReadBytes& input() const { return counts_.input; }

 private:
  // Resources held over time: an amount times microseconds.
  struct Held {
    double vcores = 0;
    double memory = 0;
    void add(const AttemptRecord& record);
  };

  AttemptFigures counts_;
  Held held_;
  Held held_by_masters_;
  LogHistogram launch_latency_;
  LogHistogram heartbeat_delay_;
  LogHistogram contention_;
  LogHistogram master_startup_;
};

}  // namespace tracebed
