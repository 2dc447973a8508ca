// `tracebed trace info FILE`
#include <algorithm>
#include <fmt/core.h>
#include <limits>
#include <memory>
#include <optional>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/cli/trace_flags.h"
#include "core/input_error.h"
#include "traces/binary/binary_file.h"
#include "traces/convert/trace_convert.h"
#include "traces/machines/machine_trace.h"
#include "traces/trace_info.h"

namespace tracebed {
namespace {

// Those of a file of machines, or of a binary trace that has some.
std::optional<MachineTrace> machines_in(const std::string& path, const TraceOptions& options) {
  const auto formats = machine_formats();
  const bool is_asked = std::find(formats.begin(), formats.end(), options.format) != formats.end();
  const bool is_auto = options.format == "auto" && machine_format_of(path);
  if (!is_asked && !is_auto) return std::nullopt;
  const bool is_binary = is_binary_trace_file(path);
  // A binary trace that cannot be read as it lies is refused as a trace.
  if (!is_asked && !is_binary && machine_format_of(path) == "binary") return std::nullopt;
  if (is_binary) {
    if (BinaryTraceFile(path, nullptr).machines().empty()) return std::nullopt;
    return read_machines(path, {with_own_dimensions(path, options), {}, {}});
  }
  TraceOptions all = options;
  all.dimensions = ResourceDimensions({"gpu_milli"});
  return read_machines(path, {all, {}, {}});
}

}  // namespace

void add_trace_info_command(CLI::App& trace) {
  struct Flags {
    std::string file;
    TraceFlags trace;
    bool exact = false;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command =
      trace.add_subcommand("info", "Summarise a trace and the workload that the rules make of it");
  command
      ->add_option("file", flags->file,
                   "Trace or machine file, plain or compressed; - is standard input")
      ->required();
  add_row_flags(*command, flags->trace);
  add_rule_flag(*command, flags->trace);
  command->add_flag(
      "--exact", flags->exact,
      "Compute exact percentiles; memory use grows with the number of distinct values");
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags] {
    InfoOptions options;
    const auto machines = machines_in(flags->file, trace_options(flags->trace));
    if (machines && (machines->format != "binary")) {
      if (flags->json) throw InputError("--json: expected a trace of jobs, got a machine file");
      print_lines(to_text(*machines));
      return;
    }
    if (flags->exact) options.exact_max = std::numeric_limits<std::size_t>::max();
    const TraceInfo info = measure_trace(flags->file, trace_options(flags->trace), options);
    if (flags->json) {
      print_json(to_json(info));
    } else {
      print_lines(to_text(info));
      if (machines) print_lines("\n" + to_text(*machines));
    }
  });
}

}  // namespace tracebed
