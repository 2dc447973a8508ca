#include "report/repetition_means.h"

#include <cmath>

#include "report/distributions.h"
#include "report/repetition_test.h"

namespace tracebed {

std::optional<MeanOfRuns> mean_of(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  MeanOfRuns result{sum / count, std::nullopt};
  if (values.size() == 1) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  const double error = std::sqrt(squares / (count - 1) / count);
  const double half = error * students_t_quantile(interval_level / 2, count - 1);
  result.interval = ConfidenceInterval{result.mean - half, result.mean + half};
  return result;
}

ByRepetition mean_by_repetition(std::span<const ByRepetition> all) {
  ByRepetition means;
  if (all.empty()) return means;
  for (const auto& [repetition, first] : all.front()) {
    double sum = 0;
    std::size_t count = 0;
    for (const ByRepetition& one : all) {
      const auto found = one.find(repetition);
      if (found == one.end()) break;
      sum += found->second;
      ++count;
    }
    if (count == all.size()) means[repetition] = sum / static_cast<double>(count);
  }
  return means;
}

}  // namespace tracebed
