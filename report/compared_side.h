// The runs of one scheduler, as far as they are compared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/compared_figures.h"
#include "report/run_folder.h"
#include "report/run_pairs.h"

namespace tracebed {

struct RunValues {
  std::vector<double> figures;
  std::vector<RankedColumn> columns;  // of the common jobs; none of a single run
};

struct ComparedSide {
  std::vector<std::uint64_t> seeds;  // by run, as are the next three
  std::vector<std::string> digests;
  std::vector<RunValues> runs;
  std::vector<RunMetrics> metrics;
  std::vector<double> jct_means;  // seconds, over the runs, by common job

  // Of a figure: by run, and their mean.
  std::vector<double> values(std::size_t figure) const;
  double mean(std::size_t figure) const;
  // Several runs, which all made the same decisions with the same result.
  bool is_constant() const;
};

// For each of the given runs, the positions in its jobs of those that succeeded in all of them, in
// the order of their ids.
std::vector<std::vector<std::uint32_t>> common_jobs(std::span<const RunFolder> runs,
                                                    std::span<const std::size_t> chosen);

// `positions` are those of the common jobs, by run of the side, possibly followed by others'.
ComparedSide measure_side(std::span<const RunFolder> runs, std::span<const std::size_t> of_side,
                          std::span<const std::vector<std::uint32_t>> positions,
                          std::span<const ComparedFigure> figures);

// True if their decisions agree for each seed, or always.
bool have_same_decisions(const ComparedSide& baseline, const ComparedSide& candidate,
                         const RunPairs& pairs);

// Of each common job to the difference in a figure of jobs. Both sides have several runs.
std::vector<double> contributions(const ComparedSide& baseline, const ComparedSide& candidate,
                                  const ComparedFigure& figure);

}  // namespace tracebed
