#include "coordinator/storage/safe_mode.h"

namespace tracebed {

void SafeMode::leave() {
  status_ = Status::off;
  is_manual_ = false;
}

std::size_t SafeMode::threshold_of(std::size_t total) const {
  // Rounded down, as in HDFS.
  return static_cast<std::size_t>(static_cast<double>(total) * options_.threshold);
}

bool SafeMode::are_thresholds_met(const Progress& progress) const {
  return progress.safe >= threshold_of(progress.total) &&
         progress.live_datanodes >= options_.datanodes_min;
}

bool SafeMode::update(const Progress& progress, TraceTime now) {
  if (status_ == Status::off || !are_thresholds_met(progress)) return false;
  if (status_ == Status::pending) {
    status_ = Status::extension;
    reached_ = now;
    // Of a namenode without files there is nothing to be reported later (activate()).
    if (progress.total > 0 && options_.extension > Duration::zero()) return false;
  } else if (now - reached_ < options_.extension) {
    return false;
  }
  status_ = Status::off;
  return true;
}

std::string SafeMode::tip(const Progress& progress, TraceTime now) const {
  if (status_ == Status::off) {
    return "It was turned on manually. Use \"hdfs dfsadmin -safemode leave\" to turn safe mode "
           "off.";
  }
  const std::size_t needed = threshold_of(progress.total);
  std::string text = "The reported blocks " + std::to_string(progress.safe);
  if (progress.safe < needed) {
    text += " needs additional " + std::to_string(needed - progress.safe) +
            " blocks to reach the threshold";
  } else {
    text += " has reached the threshold";
  }
  const std::string permille = std::to_string(static_cast<int>(options_.threshold * 10'000 + 0.5));
  const std::string digits =
      std::string(permille.size() < 5 ? 5 - permille.size() : 0, '0') + permille;
  text += " " + digits.substr(0, digits.size() - 4) + "." + digits.substr(digits.size() - 4) +
          " of total blocks " + std::to_string(progress.total) + ". The number of live datanodes " +
          std::to_string(progress.live_datanodes);
  if (progress.live_datanodes < options_.datanodes_min) {
    text += " needs an additional " +
            std::to_string(options_.datanodes_min - progress.live_datanodes) +
            " live datanodes to reach the minimum number ";
  } else {
    text += " has reached the minimum number ";
  }
  text += std::to_string(options_.datanodes_min) + ". ";
  if (status_ == Status::pending) {
    return text +
           "Safe mode will be turned off automatically once the thresholds have been reached.";
  }
  const auto left = std::chrono::duration_cast<std::chrono::seconds>(next_due() - now).count();
  return text + "In safe mode extension. Safe mode will be turned off automatically in " +
         std::to_string(left) + " seconds.";
}

}  // namespace tracebed
