#include "report/preemption_rows.h"

#include <array>
#include <utility>

#include "report/csv_reader.h"
#include "report/run_columns.h"
#include "report/run_csv.h"

namespace tracebed {
namespace {

// In the order of the columns; CountsType is const where they are written.
template <class CountsType>
auto containers_of(CountsType& counts) {
  return std::array{&counts.asked,  &counts.in_time,   &counts.checkpointed, &counts.substituted,
                    &counts.forced, &counts.cancelled, &counts.lost};
}
template <class CountsType>
auto work_of(CountsType& counts) {
  return std::array{&counts.lost_vcore_seconds, &counts.lost_mib_seconds,
                    &counts.saved_vcore_seconds, &counts.saved_mib_seconds};
}

PreemptionEnd read_end(CsvReader& csv) {
  const std::string_view text = csv.text();
  for (const PreemptionEnd end :
       {PreemptionEnd::given_up, PreemptionEnd::checkpointed, PreemptionEnd::substituted,
        PreemptionEnd::forced, PreemptionEnd::cancelled, PreemptionEnd::lost}) {
    if (text == name(end)) return end;
  }
  csv.refuse("how a preemption ends, such as checkpointed or forced");
}

}  // namespace

void write_preemption_row(CsvWriter& csv, const PreemptionRecord& record, std::string_view queue,
                          std::string_view node, const ResourceDimensions& dimensions) {
  csv.integer(record.container.value());
  csv.integer(record.job.value());
  csv.integer(record.application.value());
  csv.text(queue);
  csv.text(node);
  csv.word(name(record.kind));
  csv.word(name(record.purpose));
  write_time(csv, record.asked);
  write_time(csv, record.notified);
  write_time(csv, record.deadline);
  write_time(csv, record.ended);
  csv.word(name(record.end));
  for (std::size_t d = 0; d < dimensions.size(); ++d) csv.integer(record.resources[d]);
  csv.end_row();
}

std::vector<PreemptionSpan> read_preemptions_csv(const std::filesystem::path& file,
                                                 const ResourceDimensions& dimensions,
                                                 InputWitness* witness) {
  std::vector<PreemptionSpan> spans;
  CsvReader csv(file, csv_header(preemptions_table(), dimensions), witness);
  while (csv.next_row()) {
    csv.count();                                            // container
    csv.count();                                            // job
    csv.count();                                            // application
    for (int column = 0; column < 4; ++column) csv.text();  // queue, node, kind, purpose
    PreemptionSpan span;
    span.asked = trace_time(csv.integer());
    for (int column = 0; column < 2; ++column) {  // told, deadline
      if (!csv.skip_empty()) csv.integer();
    }
    span.ended = trace_time(csv.integer());
    if (span.ended < span.asked) csv.refuse("a time not before asked_us");
    span.end = read_end(csv);
    spans.push_back(span);
  }
  return spans;
}

void write_preempted_csv(std::unique_ptr<ByteOutput> file,
                         const std::vector<PreemptedApplication>& applications) {
  CsvWriter csv(std::move(file), csv_header(preempted_table(), {}));
  for (const PreemptedApplication& application : applications) {
    csv.integer(application.job.value());
    csv.integer(application.application.value());
    for (const std::uint64_t* count : containers_of(application.counts)) {
      csv.integer(static_cast<std::int64_t>(*count));
    }
    for (const double* work : work_of(application.counts)) csv.real(*work);
    csv.end_row();
  }
  csv.close();
}

std::vector<PreemptedApplication> read_preempted_csv(const std::filesystem::path& file,
                                                     InputWitness* witness) {
  std::vector<PreemptedApplication> applications;
  CsvReader csv(file, csv_header(preempted_table(), {}), witness);
  while (csv.next_row()) {
    PreemptedApplication& application = applications.emplace_back();
    application.job = JobId(csv.count());
    application.application = ApplicationId(csv.count());
    for (std::uint64_t* count : containers_of(application.counts)) *count = csv.count();
    for (double* work : work_of(application.counts)) *work = csv.real();
  }
  return applications;
}

}  // namespace tracebed
