// What yarn-site.xml says about the scheduler, as values of the scheduler's own settings
// (conf.YarnConfiguration, scheduler.fair.FairSchedulerConfiguration). Properties that only other
// parts of YARN read are passed over.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/xml_element.h"
#include "schedulers/registry.h"

namespace tracebed {

struct YarnSite {
  struct Value {
    std::string value;
    std::string where;  // "FILE:LINE: PROPERTY"
    // The property, if capacity-scheduler.xml may state it too, which wins then; otherwise empty.
    std::string property = {};
  };
  std::map<std::string, Value, std::less<>> settings;  // by the setting's name
  // A sentence for each property of the scheduler's that is not followed: what it would have done.
  std::vector<std::string> remarks;
};

// Whether a yarn-site.xml can say anything to the scheduler.
bool takes_yarn_site(const SchedulerEntry& scheduler);

// What it says to the scheduler; `others` tell which of the rest is theirs. The error is a sentence
// that names file, line, property, what was expected and what came.
Result<YarnSite> read_yarn_site(const XmlElement& root, const SchedulerEntry& scheduler,
                                const SchedulerRegistry& others);

}  // namespace tracebed
