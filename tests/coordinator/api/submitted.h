// A submission as a coordinator reads it when it arrives.
#pragma once

#include <chrono>
#include <string>

#include "Control.h"
#include "coordinator/api/submission_reader.h"
#include "core/input_error.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed::test {

class Submitted {
 public:
  Submitted() { folder_.write("jobs.tsv", "j\t0\t0\t1\t1\t1\n"); }

  // The sentence with which it is refused; empty: it is not.
  std::string refusal_of(const control::Submission& submission,
                         std::chrono::nanoseconds cpu_time_max = std::chrono::hours(1)) const {
    const SubmissionReader reader({folder_.path(), false,
                                   [&](const Experiment& experiment) {
                                     check_submission(schedulers(), experiment, cpu_time_max);
                                   }},
                                  schedulers());
    try {
      (void)reader.read(submission);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace tracebed::test
