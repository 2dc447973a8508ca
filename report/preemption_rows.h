// The rows on preemption in a run's folder: preemptions.csv has one for each preemption request,
// preempted.csv one for each application with requests.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/names.h"
#include "core/preemption.h"
#include "core/records.h"
#include "core/resources.h"
#include "report/csv_writer.h"
#include "report/preemption_figures.h"

namespace tracebed {

class InputWitness;

// `queue` and `node` are their names.
void write_preemption_row(CsvWriter& csv, const PreemptionRecord& record, std::string_view queue,
                          std::string_view node, const ResourceDimensions& dimensions);

// When a container was marked for preemption, and when and how that ended.
struct PreemptionSpan {
  TraceTime asked{};
  TraceTime ended{};
  PreemptionEnd end = PreemptionEnd::given_up;
};

// In the order of their ends. `witness` as of CsvReader. Throws InputError naming file, line and
// column, as does the next function.
std::vector<PreemptionSpan> read_preemptions_csv(const std::filesystem::path& file,
                                                 const ResourceDimensions& dimensions,
                                                 InputWitness* witness = nullptr);

void write_preempted_csv(std::unique_ptr<ByteOutput> file,
                         const std::vector<PreemptedApplication>& applications);
// Their queues are not in the file; they are those of their jobs.
std::vector<PreemptedApplication> read_preempted_csv(const std::filesystem::path& file,
                                                     InputWitness* witness = nullptr);

}  // namespace tracebed
