#include "schedulers/hadoop1/fair/deficit_shares.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tracebed {
namespace {

bool takes_part(const DeficitFigures& job) {
  return job.is_runnable && job.runnable_tasks() > 0;
}

// Gives at most `most` of what is left, and no more than the job could use.
void give(DeficitFigures& job, std::int64_t& left, std::int64_t most) {
  const std::int64_t given = std::min({left, job.runnable_tasks() - job.minimum, most});
  left -= given;
  job.minimum += given;
}

double sum_of_weights(std::span<DeficitFigures* const> jobs) {
  double sum = 0;
  for (const DeficitFigures* job : jobs) sum += job->weight;
  return sum;
}

}  // namespace

void add_deficit(DeficitFigures& job, Duration elapsed) {
  constexpr double microseconds_per_millisecond = 1e3;
  const double milliseconds_passed =
      static_cast<double>(elapsed.count()) / microseconds_per_millisecond;
  const double grown = (job.share - static_cast<double>(job.running)) * milliseconds_passed;
  job.deficit = static_cast<std::int64_t>(static_cast<double>(job.deficit) + grown);
}

void normalise_weights(std::span<DeficitFigures* const> jobs, double weight_of_pool) {
  double sum = 0;
  for (const DeficitFigures* job : jobs) {
    if (takes_part(*job)) sum += job->weight;
  }
  for (DeficitFigures* job : jobs)
    job->weight = sum == 0 ? 0 : job->weight * (weight_of_pool / sum);
}

void divide_minimum(std::span<DeficitFigures* const> jobs, std::int64_t slots) {
  for (DeficitFigures* job : jobs) job->minimum = 0;
  std::vector<DeficitFigures*> open(jobs.begin(), jobs.end());
  std::int64_t left = slots;
  while (left > 0) {
    std::erase_if(open, [](const DeficitFigures* job) {
      return !job->is_runnable || job->runnable_tasks() <= job->minimum;
    });
    const double weights = sum_of_weights(open);
    if (weights == 0) return;  // nobody can use more
    const std::int64_t before = left;
    const auto part = [&](const DeficitFigures& job) {
      return static_cast<double>(before) * job.weight / weights;
    };
    for (DeficitFigures* job : open) {
      give(*job, left, static_cast<std::int64_t>(std::floor(part(*job))));
    }
    if (left != before) continue;
    std::stable_sort(open.begin(), open.end(),
                     [](const DeficitFigures* a, const DeficitFigures* b) {
                       if (a->weight != b->weight) return a->weight > b->weight;
                       return a->deficit > b->deficit;
                     });
    for (DeficitFigures* job : open) {
      give(*job, left, static_cast<std::int64_t>(std::ceil(part(*job))));
    }
    return;
  }
}

void divide_slots(std::span<DeficitFigures* const> jobs, std::int64_t slots) {
  std::vector<DeficitFigures*> open;
  for (DeficitFigures* job : jobs) {
    job->share = 0;
    if (takes_part(*job)) open.push_back(job);
  }
  auto left = static_cast<double>(slots);
  for (bool has_changed = true; has_changed && !open.empty();) {
    const double weights = sum_of_weights(open);
    const double before = left;
    const auto part = [&](const DeficitFigures& job) {
      return weights == 0 ? 0 : job.weight / weights * before;
    };
    has_changed = std::erase_if(open, [&](DeficitFigures* job) {
                    const auto minimum = static_cast<double>(job->minimum);
                    if (minimum <= part(*job)) return false;
                    job->share = minimum;
                    left -= minimum;
                    return true;
                  }) > 0;
    if (has_changed) continue;
    for (DeficitFigures* job : open) job->share = part(*job);
  }
}

DeficitRank rank_by_deficit(const DeficitFigures& job, std::int64_t running) {
  return {.is_satisfied = running >= job.minimum, .debt = -job.deficit};
}

}  // namespace tracebed
