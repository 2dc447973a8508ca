#include "traces/machines/machine_changes.h"

#include "traces/open_trace.h"
#include "traces/parts/streams.h"

namespace tracebed {

std::vector<MachineChange> changes_from(const std::vector<MachineChange>& changes,
                                        std::size_t machine_count, TraceTime start) {
  std::vector<bool> is_down(machine_count);
  std::vector<bool> comes(machine_count);
  std::vector<MachineChange> later;
  for (const MachineChange& change : changes) {
    const std::size_t machine = change.node.index();
    if (change.at <= start) {
      is_down[machine] = !change.up;
      continue;
    }
    if (change.up) comes[machine] = true;
    later.push_back(change);
    later.back().at -= start.time_since_epoch();
  }
  std::vector<MachineChange> result;
  for (std::size_t machine = 0; machine < machine_count; ++machine) {
    if (is_down[machine] && !comes[machine]) {
      result.push_back({TraceTime{}, NodeId(machine), false});
    }
  }
  result.insert(result.end(), later.begin(), later.end());
  return result;
}

TraceTime origin_of_jobs(const std::string& path, TraceOptions options) {
  if (options.rules.common.origin == Origin::file) return TraceTime();
  expect_no_stream(path);
  options.rules.common.origin = Origin::file;
  Names names;
  const auto reader = open_trace(path, options, names);
  Job job;
  return reader->format() != "binary" && reader->next(job) ? job.submit : TraceTime();
}

}  // namespace tracebed
