// Files of machines: what a cluster consisted of, and which of its machines came and went when.
//
//   google_machines    machine_events of Google's trace of 2011: added, removed, updated
//   alibaba2017_servers  server_event of Alibaba's trace of 2017: added, with errors
//   alibaba_gpu_nodes  node list of Alibaba's GPU trace of 2023
//   rumen_topology     racks and hosts, as Hadoop's Rumen writes them
//   sls_nodes          racks and nodes, as YARN's Scheduler Load Simulator reads them
//   binary             the machines in Tracebed's own binary trace
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/machines.h"
#include "traces/parts/byte_source.h"
#include "traces/parts/statistics.h"
#include "traces/parts/trace_options.h"

namespace tracebed {

struct MachineTrace {
  std::string path;
  std::string format;
  std::vector<Machine> machines;
  // Ascending by time, on the file's own clock; a machine whose first change is up is absent until
  // then.
  std::vector<MachineChange> changes;
  std::uint64_t rows = 0;  // well-formed ones
  std::uint64_t bad_rows = 0;
  std::vector<TraceCount> notes;  // what was assumed or ignored
};

struct MachineOptions {
  // Rules google.machine_*, alibaba.machine_memory_mib and pods.gpu_models, the run's dimensions,
  // and the treatment of bad rows. `format` is that of the machines, or "auto".
  TraceOptions trace;
  // Of machines whose file has none; if not set, that of YARN's simulator.
  std::optional<std::int64_t> milli_vcores;
  std::optional<std::int64_t> memory_mib;
};

std::span<const std::string_view> machine_formats();

// The format of the file, or of the folder of Google's tables, if its content is that of machines.
std::optional<std::string_view> machine_format_of(const std::string& path);

// Throws InputError for a file that cannot be read, or in which there is no machine.
MachineTrace read_machines(const std::string& path, const MachineOptions& options);
// The same from bytes in memory, in any format but the binary one; `name` is what messages call
// them.
MachineTrace read_machines(std::string name, std::unique_ptr<ByteSource> bytes,
                           const MachineOptions& options);

// What `trace info` prints of machines; with a line end at the end.
std::string to_text(const MachineTrace& trace);

}  // namespace tracebed
