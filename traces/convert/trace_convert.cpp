#include "traces/convert/trace_convert.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include "core/input_error.h"
#include "system/input_witness.h"
#include "traces/binary/binary_file.h"
#include "traces/convert/binary_job_writer.h"
#include "traces/convert/sls_writer.h"
#include "traces/convert/swf_writer.h"
#include "traces/machines/machine_changes.h"
#include "traces/machines/machine_trace.h"
#include "traces/parts/streams.h"
#include "traces/trace_formats.h"
#include "traces/workload_digest.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 3> targets = {"binary", "sls", "swf"};

std::unique_ptr<JobWriter> make_writer(std::string_view to, const std::string& input,
                                       const std::string& output, const TraceReader& reader,
                                       const TraceOptions& options, const Names& names) {
  if (to == "sls") return std::make_unique<SlsWriter>(output, names);
  if (to == "swf")
    return std::make_unique<SwfWriter>(
        output, fmt::format("converted by tracebed from {} ({})", input, reader.format()),
        std::nullopt, names);
  return std::make_unique<BinaryJobWriter>(output, conversion_origin(input, reader, options),
                                           names);
}

// Returns how many there are. Only binary files hold machines.
std::uint64_t write_machines(const std::string& input, const std::string& machines_file,
                             const TraceReader& reader, const TraceOptions& options,
                             JobWriter& writer) {
  const bool has_own = machines_file.empty() && reader.format() == "binary";
  if (machines_file.empty() && !has_own) return 0;
  MachineTrace machines;
  if (has_own) {
    const BinaryTraceFile file(input, options.witness);
    machines.machines = file.machines();
    machines.changes = file.changes();
    if (machines.machines.empty()) return 0;
  } else {
    MachineOptions machine_options{options, {}, {}};
    machine_options.trace.format = "auto";
    machine_options.trace.dimensions =
        ResourceDimensions(conversion_origin(input, reader, options).dimensions);
    machines = read_machines(machines_file, machine_options);
    machines.changes =
        changes_from(machines.changes, machines.machines.size(), origin_of_jobs(input, options));
  }
  auto* const binary = dynamic_cast<BinaryJobWriter*>(&writer);
  if (binary == nullptr) {
    if (has_own) {
      writer.lose("machines", machines.machines.size());
      return 0;
    }
    throw InputError("convert: expected --to binary, the only format that holds machines");
  }
  binary->file().set_machines(machines.machines, machines.changes);
  return machines.machines.size();
}

}  // namespace

TraceOrigin conversion_origin(const std::string& path, const TraceReader& reader,
                              const TraceOptions& options) {
  if (reader.format() == "binary") return BinaryTraceFile(path, options.witness).origin();
  TraceOrigin origin{path, std::string(reader.format()), {}, rules_of(reader, options.rules)};
  const ResourceDimensions& dimensions = options.dimensions;
  if (!find_trace_format(reader.format())->counts_accelerators) return origin;
  for (std::size_t i = Resources::memory_dimension + 1; i < dimensions.size(); ++i) {
    origin.dimensions.push_back(dimensions.name(i));
  }
  return origin;
}

std::span<const std::string_view> conversion_targets() {
  return targets;
}

TraceOptions with_own_dimensions(const std::string& path, TraceOptions options) {
  const bool is_binary =
      !is_stream(path) && !is_folder(path) &&
      (options.format == "binary" || (options.format == "auto" && is_binary_trace_file(path)));
  options.dimensions =
      is_binary ? ResourceDimensions(BinaryTraceFile(path, options.witness).origin().dimensions)
                : ResourceDimensions({"gpu_milli"});
  return options;
}

ConvertResult convert_trace(const std::string& input, const std::string& output,
                            std::string_view to, const TraceOptions& options,
                            const std::string& machines) {
  if (std::find(targets.begin(), targets.end(), to) == targets.end()) {
    throw InputError(
        fmt::format("convert: expected one of {}, got {}", fmt::join(targets, ", "), to));
  }
  std::vector<std::string> read = files_of_trace(input);
  for (std::string& file : files_of_trace(machines)) read.push_back(std::move(file));
  expect_other_file(output, read);
  InputWitness witness;
  const TraceOptions full = with_own_dimensions(input, options.witnessed_by(witness));
  Names names;
  const auto reader = open_trace(input, full, names);
  const auto writer = make_writer(to, input, output, *reader, full, names);
  WorkloadDigest digest(names);
  ConvertResult result;
  Job job;
  result.machines = write_machines(input, machines, *reader, full, *writer);
  while (reader->next(job)) {
    const NamedPredecessors* const named = reader->predecessors();
    if (named != nullptr && !named->jobs.empty()) {
      writer->lose("jobs that are submitted after others, now at their own times", 1);
    }
    digest.add(job);
    ++result.jobs_read;
    if (writer->add(job)) ++result.jobs_written;
  }
  if (result.jobs_written == 0) {
    throw InputError(fmt::format("{}: expected a job that {} can hold, got none among {}", input,
                                 to, result.jobs_read));
  }
  writer->finish();
  const LoadReport report = reader->report();
  result.format = reader->format();
  result.bytes_written = writer->bytes();
  result.bad_rows = reader->bad_rows().total();
  result.lost = writer->losses().counts();
  result.left_out = report.left_out;
  result.digest = digest.to_string();
  return result;
}

}  // namespace tracebed
