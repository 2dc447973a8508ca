// What a scheduler is made from, or reconfigured with while it runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/names.h"
#include "core/resources.h"
#include "core/settings.h"
#include "core/time.h"
#include "core/xml_element.h"

namespace tracebed {

struct SchedulerParameters {
  std::uint64_t seed = 1;  // of the run; only schedulers that draw use it
  SettingValues settings;
  // The files that settings name, read at the edge: name of the setting → root element. A setting
  // whose value is empty names none.
  std::map<std::string, XmlElement, std::less<>> documents;
  ResourceDimensions dimensions;  // those of the run; documents may use their names
  Duration heartbeat{};           // of the run's nodes; zero: nobody says, as in scenarios
  // Of users, queues, racks and labels; outlives the scheduler, and grows while it runs. Null where
  // nothing is named, as in some tests; a scheduler that needs names cannot be made then.
  const Names* names = nullptr;
};

}  // namespace tracebed
