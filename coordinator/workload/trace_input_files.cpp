// The files that a trace's jobs read, of a run with storage.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

#include "coordinator/workload/input_files.h"
#include "coordinator/workload/trace_workload.h"
#include "core/input_error.h"
#include "core/kernel_work.h"
#include "system/quantities.h"

namespace tracebed {

std::unique_ptr<InputFiles> TraceWorkload::collector() const {
  if (!experiment_.storage_options) return nullptr;
  const NamenodeOptions& namenode = experiment_.storage_options->namenode;
  const std::string& writer = experiment_.storage_options->writer;
  const bool is_machine =
      std::any_of(machines_.begin(), machines_.end(),
                  [&](const Machine& machine) { return machine.name == writer; });
  if (!writer.empty() && !is_machine) {
    throw InputError(fmt::format("{}: expected the name of a machine of the run, got \"{}\"",
                                 experiment_.storage.writer_where, writer));
  }
  const InputFileOptions options{
      .replication = namenode.default_replication,
      .block_size = namenode.default_block_size,
      .blocks_per_file_max = namenode.limits.blocks_per_file_max,
      .objects_max = namenode.limits.objects_max,
      .user = namenode.superuser,
      .uses_recorded_places = experiment_.masters.options.are_recorded_places_used,
      .writer = writer,
      .are_outputs_written = namenode.replication_of_outputs > 0,
      .is_shuffling = namenode.shuffle.has_value()};
  return std::make_unique<InputFiles>(options, machines_);
}

void TraceWorkload::take_input(const Job& job, InputFiles* files) {
  if (files != nullptr) return files->add(job);
  if (is_kernel_warned_of_) return;
  const auto stage = std::find_if(job.stages.begin(), job.stages.end(),
                                  [](const Stage& one) { return is_kernel_path(one.input_path); });
  if (stage == job.stages.end()) return;
  is_kernel_warned_of_ = true;
  facts_.warnings.push_back(
      fmt::format("job {} reads {}, but the run has no [storage]: its tasks run no kernel and do "
                  "what the trace says, as do those of all others that name one",
                  job.name, stage->input_path));
}

std::vector<bool> TraceWorkload::absent_at_start() const {
  std::vector<bool> has_change(machines_.size());
  std::vector<bool> is_absent(machines_.size());
  for (const MachineChange& change : changes_) {
    const std::size_t machine = change.node.index();
    if (!has_change[machine]) is_absent[machine] = change.up;
    has_change[machine] = true;
  }
  return is_absent;
}

std::size_t TraceWorkload::machines_at_start() const {
  const std::vector<bool> is_absent = absent_at_start();
  return static_cast<std::size_t>(std::count(is_absent.begin(), is_absent.end(), false));
}

void TraceWorkload::leave_absent_machines_out() {
  const std::vector<bool> is_absent = absent_at_start();
  for (PreloadedFile& file : input_files_) {
    for (std::vector<NodeId>& nodes : file.nodes) {
      std::erase_if(nodes, [&](NodeId node) { return is_absent[node.index()]; });
    }
  }
}

void TraceWorkload::check_room() const {
  __extension__ using Bytes = __int128;
  const auto datanodes = static_cast<std::int64_t>(machines_at_start());
  Bytes needed = 0;
  for (const PreloadedFile& file : input_files_) {
    needed += Bytes{file.size} * std::min<std::int64_t>(file.replication, datanodes);
  }
  const std::int64_t capacity = experiment_.storage_options->datanodes.capacity;
  if (needed <= Bytes{capacity} * datanodes) return;
  throw InputError(fmt::format(
      "{}: the input of the trace's jobs takes {:.4g} TiB with all replicas; expected at most what "
      "{} datanodes of {} hold (storage.capacity, storage.replication)",
      experiment_.storage.where, static_cast<double>(needed) / static_cast<double>(Bytes{1} << 40),
      datanodes, size_text(capacity)));
}

}  // namespace tracebed
