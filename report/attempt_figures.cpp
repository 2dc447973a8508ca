#include "report/attempt_figures.h"

#include "report/jct_parts.h"

namespace tracebed {

namespace {

double part(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

}  // namespace

void AttemptCounter::Held::add(const AttemptRecord& record) {
  const auto time = static_cast<double>((record.reported - record.allocated).count());
  vcores += static_cast<double>(record.resources.milli_vcores()) * time;
  memory += static_cast<double>(record.resources.memory_mib()) * time;
}

void AttemptCounter::add(const AttemptRecord& record) {
  held_.add(record);
  if (record.is_master) {
    ++counts_.masters;
    held_by_masters_.add(record);
    const bool has_registered = record.launched && record.work_begun != TraceTime();
    if (has_registered) master_startup_.add(work_begun(record) - record.account.started);
    return;
  }
  if (!record.launched) {
    ++counts_.unlaunched;
    return;
  }
  ++counts_.launched;
  ++counts_.ends[static_cast<std::size_t>(record.end)];
  ++counts_.localities[static_cast<std::size_t>(record.locality)];
  counts_.input += record.account.input;
  counts_.output += record.account.output;
  counts_.shuffled += record.account.shuffled;
  counts_.spilled += record.account.spilled;
  if (record.end != ContainerEnd::succeeded) {
    ++counts_.lost;
    return;
  }
  const ContainerAccount& account = record.account;
  launch_latency_.add(account.started - record.allocated);
  heartbeat_delay_.add(record.reported - account.ended);
  contention_.add(account.ended - work_begun(record) - record.nominal);
}

AttemptFigures AttemptCounter::figures() const {
  AttemptFigures figures = counts_;
  figures.launch_latency = launch_latency_.spread();
  figures.heartbeat_delay = heartbeat_delay_.spread();
  figures.contention = contention_.spread();
  figures.master_startup = master_startup_.spread();
  figures.masters_part_of_vcores = part(held_by_masters_.vcores, held_.vcores);
  figures.masters_part_of_memory = part(held_by_masters_.memory, held_.memory);
  return figures;
}

}  // namespace tracebed
