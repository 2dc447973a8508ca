// A job as bytes of this process, for the sorter of a reader whose jobs come in no order: smaller
// than the text it was read from, and not to be parsed again.
#pragma once

#include <string>
#include <string_view>

#include "core/names.h"
#include "core/workload.h"
#include "traces/parts/spare_stages.h"

namespace tracebed {

// Appends `job` but for its id and submit time. Users and queues are stored by name, so that they
// are interned in the order in which records are read.
void append_job(const Job& job, const Names& names, std::string& record);

// The job of a record made by append_job(), over whatever `job` held.
void read_job(std::string_view record, Names& names, SpareStages& spare, Job& job);

}  // namespace tracebed
