// What `tracebed calibrate` measured on a machine, as a file that an experiment's
// `virtual.calibration` names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/time.h"

namespace tracebed {

// Times are wall time. Each is the median of a log-normal distribution, whose 95th percentile is
// the spread times that.
struct Calibration {
  std::string machine;    // its host name; of a cluster those of its agents
  std::string processor;  // its model, as the kernel names it; empty of a cluster
  std::int64_t processors = 1;
  std::string isolation;      // of containers: cgroup-v1, cgroup-v2, none
  std::int64_t tasks = 0;     // that were measured
  Duration launch_latency{};  // from the launch command to the process
  double launch_spread = 1;
  Duration task_overhead{};  // by how much a task lasts longer than its work
  double task_overhead_spread = 1;
  // From the process of a master in a container to its registration. None: it was not measured, and
  // an experiment's own counts.
  struct Startup {
    Duration median{};
    double spread = 1;

    bool operator==(const Startup&) const = default;
  };
  std::optional<Startup> master_startup;

  bool operator==(const Calibration&) const = default;
};

// TOML, with comments and a checksum of the values.
std::string to_toml(const Calibration& calibration);

// Throws InputError, which begins with the file's name and the line, if the file cannot be read, if
// a key is missing, unknown or out of range, or if a value was changed after it was written.
Calibration read_calibration(const std::filesystem::path& file);

}  // namespace tracebed
