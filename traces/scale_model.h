// The scale model: a trace of thousands of machines made to run on a few. Time, CPU, memory, data,
// machines and arrivals are divided by stated factors with stated rounding, and the effect on the
// workload is measured, so that the run record can state it.
//
// Rounding: every amount is divided and rounded to the nearest whole unit (milli-vcore, MiB, byte,
// µs), halves up; an amount that was not zero stays at least one unit. So larger stays at least as
// large, and what was touched stays within what was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/machines.h"
#include "core/random.h"
#include "core/result.h"
#include "core/workload.h"
#include "traces/parts/quantiles.h"
#include "traces/scale_rounding.h"
#include "traces/workload_totals.h"

namespace tracebed {

struct ScaleFactors {
  double time = 1;         // not applied here: the replay clock runs this many times faster
  double cpu = 1;          // divides vcores asked for, CPU time and the machines' vcores
  double memory = 1;       // divides memory asked for, touched, and the machines'
  double data = 1;         // divides bytes read, shuffled and written
  double machines = 1;     // one machine of this many is kept
  double thin = 1;         // each job is kept with probability 1/thin
  double stretch = 1;      // multiplies the gaps between submissions
  double tasks = 1;        // divides the tasks of every stage, rounded up
  std::uint64_t seed = 1;  // of the thinning

  bool operator==(const ScaleFactors&) const = default;
};

// Every factor must be in its range; the error names the factor.
Status check_scale(const ScaleFactors& factors);

// `amount` / `factor`, rounded as above. `amount` is not negative.
std::int64_t scale_down(std::int64_t amount, double factor);

// Keeps every machine whose turn it is (of n machines, n / factor rounded up, spread evenly) and
// divides their capacities.
std::vector<Machine> scale_machines(const std::vector<Machine>& machines,
                                    const ScaleFactors& factors);
// The changes of the machines that stay, with their new ids. `machine_count` is that before.
std::vector<MachineChange> scale_changes(const std::vector<MachineChange>& changes,
                                         std::size_t machine_count, const ScaleFactors& factors);

// How jobs of a workload differ in size, and the gaps between them. Memory does not grow with their
// number; percentiles of many are within 0.5 % (traces/parts/quantiles.h).
class JobShapes {
 public:
  JobShapes();
  void add(const Job& job);

  struct Shape {
    const char* name;
    double per_unit;
    // What a workload's factors make of it: it is multiplied by this.
    double (*change)(const ScaleFactors& factors);
    Quantiles values;
  };
  std::vector<Shape>& shapes() { return shapes_; }

 private:
  std::vector<Shape> shapes_;
  std::optional<TraceTime> last_submit_;
};

// The jobs of `source`, scaled, renumbered from 0 and measured on both sides.
class ScaledWorkload final : public WorkloadSource {
 public:
  // `source` outlives this; `factors` passed check_scale().
  ScaledWorkload(WorkloadSource& source, const ScaleFactors& factors);

  bool next(Job& job) override;

  // From now on the shapes of jobs and what is rounded are measured too, which takes time. All
  // outlive this.
  void measure_into(JobShapes& before, JobShapes& after, ScaleRounding& rounding);

  // Of what was read so far.
  const WorkloadTotals& before() const { return before_; }
  const WorkloadTotals& after() const { return after_; }

 private:
  bool stays(std::uint64_t position) const;
  void scale(Job& job) const;

  WorkloadSource& source_;
  ScaleFactors factors_;
  bool changes_jobs_;
  JobShapes* shapes_before_ = nullptr;
  JobShapes* shapes_after_ = nullptr;
  ScaleRounding* rounding_ = nullptr;
  std::uint64_t position_ = 0;
  std::uint32_t kept_ = 0;
  WorkloadTotals before_;
  WorkloadTotals after_;
};

// What a factor preserves and what it changes, for the run record.
struct ScaleStatement {
  std::string factor;  // "cpu ÷ 4"
  std::string stays;
  std::string changes;
};
// Of the factors that are not 1.
std::vector<ScaleStatement> scale_statements(const ScaleFactors& factors);

// One statistic of the workload before and after, and its deviation from what the factors alone
// would have made of it (rounding, thinning).
struct ScaleComparison {
  std::string statistic;
  double before = 0;
  double after = 0;
  double expected = 0;
  double deviation = 0;  // after / expected − 1; 0 if both are 0
};
// The machines are those of the run before and after; without any, the load is left out. Without
// shapes (null), percentiles are.
std::vector<ScaleComparison> compare_scaled(const WorkloadTotals& before,
                                            const WorkloadTotals& after,
                                            const std::vector<Machine>& machines_before,
                                            const std::vector<Machine>& machines_after,
                                            const ScaleFactors& factors,
                                            JobShapes* shapes_before = nullptr,
                                            JobShapes* shapes_after = nullptr);

// Offered over capacity, of vcores; 0 without machines or without a span.
double load_of_vcores(const WorkloadTotals& totals, const std::vector<Machine>& machines);

}  // namespace tracebed
