#include "report/job_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace tracebed {
namespace {

// A lag takes a pass over the values, so of many values fewer lags are looked at.
constexpr std::size_t work_max = 100'000'000;

class Autocovariances {
 public:
  explicit Autocovariances(std::span<const double> values)
      : centred_(values.begin(), values.end()) {
    const double mean = std::accumulate(centred_.begin(), centred_.end(), 0.0) / size();
    for (double& value : centred_) value -= mean;
  }

  double size() const { return static_cast<double>(centred_.size()); }
  double at(std::size_t lag) {
    while (known_.size() <= lag) {
      const std::size_t k = known_.size();
      known_.push_back(std::inner_product(centred_.begin() + static_cast<std::ptrdiff_t>(k),
                                          centred_.end(), centred_.begin(), 0.0) /
                       size());
    }
    return known_[lag];
  }

 private:
  std::vector<double> centred_;
  std::vector<double> known_;  // by lag
};

// The smallest lag after which there is no autocorrelation to speak of; none below `lags_max`.
std::optional<std::size_t> reach(Autocovariances& covariances, std::size_t lags_max) {
  const double n = covariances.size();
  const auto in_a_row =
      static_cast<std::size_t>(std::max(5.0, std::ceil(std::sqrt(std::log10(n)))));
  const double negligible = 2 * std::sqrt(std::log10(n) / n) * covariances.at(0);
  std::size_t quiet = 0;
  for (std::size_t lag = 1; lag < lags_max; ++lag) {
    quiet = std::abs(covariances.at(lag)) < negligible ? quiet + 1 : 0;
    if (quiet == in_a_row) return lag - in_a_row;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> block_length(std::span<const double> values) {
  if (values.size() < blocks_min) return std::nullopt;
  Autocovariances covariances(values);
  if (covariances.at(0) <= 0) return 1;
  const std::size_t lags_max = std::min(values.size() / 2, work_max / values.size());
  const std::optional<std::size_t> last = reach(covariances, lags_max);
  if (!last) return std::nullopt;
  const std::size_t window = std::min(2 * std::max<std::size_t>(*last, 1), lags_max);
  double spectrum = covariances.at(0);
  double weighted = 0;
  for (std::size_t lag = 1; lag <= window; ++lag) {
    const double at = static_cast<double>(lag) / static_cast<double>(window);
    const double kernel = at <= 0.5 ? 1 : 2 * (1 - at);
    spectrum += 2 * kernel * covariances.at(lag);
    weighted += 2 * kernel * static_cast<double>(lag) * covariances.at(lag);
  }
  const double length =
      std::cbrt(2 * weighted * weighted / (4.0 / 3 * spectrum * spectrum) * covariances.size());
  // Also refuses what is no number, of a spectrum of zero.
  if (!(length * static_cast<double>(blocks_min) <= covariances.size())) return std::nullopt;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(length)));
}

double standard_error_by_blocks(std::span<const double> values, std::size_t block) {
  if (values.size() < 2) return 0;
  const auto n = static_cast<double>(values.size());
  const auto length = static_cast<double>(block);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double sum = 0;
  for (std::size_t i = 0; i < block; ++i) sum += values[i % values.size()] - mean;
  double squares = 0;
  for (std::size_t first = 0; first < values.size(); ++first) {
    squares += sum * sum;
    sum += values[(first + block) % values.size()] - values[first];
  }
  // Of n / length blocks drawn, whose sums have this mean square.
  return std::sqrt(squares / n * (n / length)) / n;
}

}  // namespace tracebed
