// Submissions, each with a list or table that grows: of its experiment, its files, or beside them.
#pragma once

#include <span>

#include "Control.h"

namespace tracebed::test {

struct GrowingSubmission {
  const char* name;
  control::Submission (*make)(int count);
  // The largest `count` of which each part is read; 0: whatever fits.
  int count_max = 0;
};

// They name a trace "jobs.tsv" of the coordinator's folder.
std::span<const GrowingSubmission> growing_submissions();

// The bytes that a submission may have in all are counted so.
std::size_t bytes_of(const control::Submission& submission);

}  // namespace tracebed::test
