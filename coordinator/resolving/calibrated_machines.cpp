#include "coordinator/resolving/calibrated_machines.h"

#include <cmath>
#include <fmt/format.h>

#include "coordinator/config/calibration_file.h"
#include "coordinator/resolving/named_files.h"
#include "core/input_error.h"
#include "system/own_machine.h"
#include "system/quantities.h"

namespace tracebed {

void resolve_calibration(const Experiment& experiment, ResolvedExperiment& resolved) {
  const Setting& setting = experiment.simulated.calibration;
  if (setting.value.empty()) return;
  Calibration calibration;
  try {
    calibration = read_calibration(path_of(experiment.files, setting));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", setting.where, error.what()));
  }
  if (const std::string here = host_name(); calibration.machine != here) {
    resolved.remarks.push_back(
        fmt::format("{}: the calibration was measured on {}, and this machine is {}: modelled "
                    "machines behave like the former",
                    setting.where, calibration.machine, here));
  }
  const auto in_trace_time = [&](Duration wall) {
    const double scaled = static_cast<double>(wall.count()) * experiment.scale.time;
    return Duration(std::llround(scaled));
  };
  VirtualChoice& simulated = resolved.simulated;
  simulated.launch_latency = in_trace_time(calibration.launch_latency);
  simulated.launch_spread = calibration.launch_spread;
  simulated.task_overhead = in_trace_time(calibration.task_overhead);
  simulated.task_overhead_spread = calibration.task_overhead_spread;
  if (calibration.master_startup) {
    simulated.master_startup = in_trace_time(calibration.master_startup->median);
    simulated.master_startup_spread = calibration.master_startup->spread;
  } else if (experiment.master.in_containers) {
    resolved.remarks.push_back(
        fmt::format("{}: the calibration has no start-up of masters, so that master_startup is {}",
                    setting.where, duration_text(simulated.master_startup)));
  }
  resolved.calibrated_machine = calibration.machine;
}

}  // namespace tracebed
