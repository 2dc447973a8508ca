#include "traces/machines/machine_trace.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <unordered_set>

#include "core/input_error.h"
#include "traces/binary/binary_file.h"
#include "traces/csv/csv_rows.h"
#include "traces/format_judges.h"
#include "traces/machines/machine_reader.h"
#include "traces/parts/streams.h"
#include "traces/parts/text_numbers.h"
#include "traces/parts/witnessed_bytes.h"

namespace tracebed {
namespace {

struct MachineFormat {
  std::string_view name;
  void (*read)(LineReader lines, MachineCollector& to);  // null: binary, which is no text
};
constexpr std::array formats = {
    MachineFormat{"google_machines", read_google_machines},
    MachineFormat{"alibaba2017_servers", read_alibaba_servers},
    MachineFormat{"alibaba_gpu_nodes", read_gpu_nodes},
    MachineFormat{"rumen_topology", read_rumen_topology},
    MachineFormat{"sls_nodes", read_sls_nodes},
    MachineFormat{"binary", nullptr},
};
constexpr auto format_names = [] {
  std::array<std::string_view, formats.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = formats[i].name;
  return names;
}();

// Of YARN's simulator (SLSConfiguration): nm.memory.mb and nm.vcores.
constexpr std::int64_t default_milli_vcores = 10'000;
constexpr std::int64_t default_memory_mib = 10'240;

std::optional<std::string_view> format_of_head(std::string_view head) {
  return is_binary_trace(head) ? std::optional<std::string_view>("binary") : judge_machines(head);
}

LineReader open_lines(const std::string& path, const TraceOptions& options) {
  return {path, decompressed(open_witnessed(path, options.witness)), options.line_bytes_max()};
}

// The file of Google's table of machines in the folder of all tables, or the file itself.
std::string file_of(const std::string& path) {
  if (!is_folder(path)) return path;
  const std::filesystem::path folder = std::filesystem::path(path) / "machine_events";
  std::set<std::string> parts;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().filename().string().starts_with("part-")) parts.insert(entry.path());
    }
  }
  if (parts.size() == 1) return *parts.begin();
  throw InputError(fmt::format(
      "{}: expected a machine file, or a folder with one part in machine_events, got {} parts",
      path, parts.size()));
}

MachineTrace read_binary(const std::string& path, const MachineOptions& options) {
  const BinaryTraceFile file(path, options.trace.witness);
  MachineTrace trace{path, "binary", file.machines(), file.changes(), file.machines().size(),
                     0,    {}};
  for (Machine& machine : trace.machines) {
    machine.capacity =
        translated(machine.capacity, file.origin().dimensions, options.trace.dimensions);
  }
  return trace;
}

MachineTrace checked(MachineTrace trace) {
  if (trace.machines.empty()) throw InputError(trace.path + ": expected machines, got none");
  std::unordered_set<std::string_view> names;  // looked up, never iterated
  for (const Machine& machine : trace.machines) {
    if (names.insert(machine.name).second) continue;
    throw InputError(fmt::format("{}: expected machines of different names, got two of the name {}",
                                 trace.path, shown(machine.name)));
  }
  return trace;
}

}  // namespace

std::span<const std::string_view> machine_formats() {
  return format_names;
}

std::optional<std::string_view> machine_format_of(const std::string& path) {
  if (is_folder(path) || is_stream(path)) return std::nullopt;
  LineReader lines = open_lines(path, {});
  return format_of_head(lines.peek());
}

MachineTrace read_machines(const std::string& path, const MachineOptions& options) {
  const std::string file = file_of(path);
  const std::string& asked = options.trace.format;
  if (asked == "binary" || (asked == "auto" && is_binary_trace_file(file))) {
    return checked(read_binary(file, options));
  }
  return read_machines(file, open_witnessed(file, options.trace.witness), options);
}

MachineTrace read_machines(std::string name, std::unique_ptr<ByteSource> bytes,
                           const MachineOptions& options) {
  LineReader lines(name, decompressed(std::move(bytes)), options.trace.line_bytes_max());
  const std::string_view wanted = options.trace.format == "auto"
                                      ? format_of_head(lines.peek()).value_or("")
                                      : std::string_view(options.trace.format);
  const auto* const format =
      std::find_if(formats.begin(), formats.end(),
                   [&](const MachineFormat& each) { return each.name == wanted; });
  if (format == formats.end() || format->read == nullptr) {
    throw InputError(fmt::format("{}: expected a machine file ({}), got another file", name,
                                 fmt::join(format_names, ", ")));
  }
  MachineCollector to(name, format->name, options);
  format->read(std::move(lines), to);
  return checked(to.finish());
}

MachineCollector::MachineCollector(std::string path, std::string_view format,
                                   const MachineOptions& options)
    : options_(options), bad_rows_(path, options.trace.skip_bad) {
  trace_.path = std::move(path);
  trace_.format = format;
}

Resources MachineCollector::default_capacity() const {
  return Resources(options_.milli_vcores.value_or(default_milli_vcores),
                   options_.memory_mib.value_or(default_memory_mib));
}

NodeId MachineCollector::add(Machine machine) {
  trace_.machines.push_back(std::move(machine));
  return NodeId(trace_.machines.size() - 1);
}

void MachineCollector::change(std::int64_t microseconds, NodeId machine, bool up) {
  trace_.changes.push_back({trace_time(microseconds), machine, up});
}

MachineTrace MachineCollector::finish() {
  auto& changes = trace_.changes;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const MachineChange& a, const MachineChange& b) { return a.at < b.at; });
  std::vector<std::optional<bool>> is_up(trace_.machines.size());
  std::erase_if(changes, [&](const MachineChange& change) {
    return std::exchange(is_up[change.node.index()], change.up) == change.up;
  });
  trace_.bad_rows = bad_rows_.total();
  for (const auto& [what, count] : notes_) trace_.notes.push_back({what, count});
  return std::move(trace_);
}

}  // namespace tracebed
