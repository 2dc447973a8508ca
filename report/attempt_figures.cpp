#include "report/attempt_figures.h"

#include "report/jct_parts.h"

namespace tracebed {

void AttemptCounter::add(const AttemptRecord& record) {
  if (!record.launched) {
    ++counts_.unlaunched;
    return;
  }
  ++counts_.launched;
  ++counts_.ends[static_cast<std::size_t>(record.end)];
  ++counts_.localities[static_cast<std::size_t>(record.locality)];
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
  return figures;
}

}  // namespace tracebed
