#include "coordinator/engine/submissions.h"

#include <utility>

namespace tracebed {

TimedSubmissions::TimedSubmissions(WorkloadSource& source)
    : source_(source), has_next_(source_.next(next_)) {}

void TimedSubmissions::take(Job& job) {
  std::swap(job, next_);
  has_next_ = source_.next(next_);
}

}  // namespace tracebed
