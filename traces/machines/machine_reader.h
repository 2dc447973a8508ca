// What readers of machine files share: machines by name, their times, and counts of what was
// assumed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "traces/machines/machine_trace.h"
#include "traces/parts/bad_rows.h"
#include "traces/parts/line_reader.h"

namespace tracebed {

class MachineCollector {
 public:
  MachineCollector(std::string path, std::string_view format, const MachineOptions& options);

  const MachineOptions& options() const { return options_; }
  BadRows& bad() { return bad_rows_; }
  void see_row() { ++trace_.rows; }
  void note(std::string_view what, std::uint64_t count = 1) { notes_[std::string(what)] += count; }
  // The capacity of a machine for which the file has none.
  Resources default_capacity() const;

  // The machine's number. One that is present from the start has no change.
  NodeId add(Machine machine);
  void change(std::int64_t microseconds, NodeId machine, bool up);
  const std::vector<Machine>& machines() const { return trace_.machines; }

  // Sorts the changes and removes those without effect.
  MachineTrace finish();

 private:
  MachineOptions options_;
  MachineTrace trace_;
  BadRows bad_rows_;
  std::map<std::string, std::uint64_t> notes_;
};

void read_google_machines(LineReader lines, MachineCollector& to);
void read_alibaba_servers(LineReader lines, MachineCollector& to);
void read_gpu_nodes(LineReader lines, MachineCollector& to);
void read_rumen_topology(LineReader lines, MachineCollector& to);
void read_sls_nodes(LineReader lines, MachineCollector& to);

}  // namespace tracebed
