#include "applications/hosting/master_faults.h"

#include <algorithm>
#include <charconv>

#include "core/check.h"
#include "core/random.h"

namespace tracebed {
namespace {

constexpr std::array<SettingDescription, master_fault_count - 1> fault_descriptions{{
    {"faults.repeated_answers", "0", ""},
    {"faults.late_answers", "0", ""},
    {"faults.foreign_answers", "0", ""},
    {"faults.garbage_answers", "0", ""},
    {"faults.crashes_during_preemption", "0", ""},
}};

}  // namespace

bool MasterFaults::any() const {
  return std::any_of(parts.begin() + 1, parts.end(), [](double part) { return part > 0; });
}

MasterFault MasterFaults::of(ApplicationId application, std::uint32_t attempt) const {
  constexpr std::uint64_t salt = 0x6d6973626568617eU;  // a stream of its own
  const std::uint64_t drawn = mix(mix(mix(seed ^ salt) + application.value()) + attempt);
  double left = static_cast<double>(drawn >> 11) * 0x1p-53;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (left < parts[i]) return static_cast<MasterFault>(i);
    left -= parts[i];
  }
  return MasterFault::none;
}

std::vector<std::pair<std::string, std::string>> to_settings(const MasterFaults& faults) {
  std::vector<std::pair<std::string, std::string>> settings;
  if (!faults.any()) return settings;
  for (std::size_t i = 1; i < faults.parts.size(); ++i) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof(text), faults.parts[i]);
    TRACEBED_CHECK(error == std::errc(), "32 characters hold the shortest form of any double");
    settings.emplace_back(fault_descriptions[i - 1].name, std::string(text, end));
  }
  return settings;
}

Result<MasterFaults> take_master_faults(SettingValues& values, std::uint64_t seed) {
  SettingValues own;
  for (const SettingDescription& setting : fault_descriptions) {
    if (auto node = values.extract(std::string(setting.name))) own.insert(std::move(node));
  }
  SettingReader reader("masters' faults", fault_descriptions, own);
  MasterFaults faults{.seed = seed};
  for (std::size_t i = 1; i < faults.parts.size(); ++i) {
    faults.parts[i] = reader.fraction(fault_descriptions[i - 1].name, 0, 1);
  }
  if (const Status status = reader.status(); !status) return status.error();
  return faults;
}

}  // namespace tracebed
