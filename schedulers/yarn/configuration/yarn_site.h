// What yarn-site.xml says about the scheduler, as values of the scheduler's own settings
// (conf.YarnConfiguration, scheduler.fair.FairSchedulerConfiguration). Properties that only other
// parts of YARN read are passed over.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/settings.h"
#include "core/xml_element.h"

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

// True if yarn-site.xml has a property for any of the settings.
bool takes_yarn_site(std::span<const SettingDescription> settings);

// `scheduler` is the name and `settings` are those of the scheduler that is asked for. The error is
// a sentence that names file, line, property, what was expected and what came.
Result<YarnSite> read_yarn_site(const XmlElement& root, std::string_view scheduler,
                                std::span<const SettingDescription> settings);

}  // namespace tracebed
