// How far two worlds were from each other, in words and tables for a terminal of 100 columns.
#pragma once

#include <cstddef>
#include <string>

#include "report/world_agreement.h"
#include "report/world_difference.h"

namespace tracebed {

// One scheduler in two worlds: a caption, and a table of where the difference comes from.
std::string world_difference_text(const WorldDifference& difference);

// A sentence about one scheduler's mean JCT.
std::string agreement_sentence(const WorldAgreement& worlds, const SchedulerAgreement& scheduler);

// A sentence about the order of the schedulers; empty for less than two.
std::string order_sentence(const WorldAgreement& worlds);

// "within repetitions", …
std::string agreement_words(Agreement agreement);

// All figures of all schedulers beside each other, as far as `rows_max` rows allow.
std::string agreement_table(const WorldAgreement& worlds, std::size_t rows_max);

}  // namespace tracebed
