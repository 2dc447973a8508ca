// What yarn-site.xml sets for the scheduler, as values of the scheduler's own settings
// (conf.YarnConfiguration, scheduler.fair.FairSchedulerConfiguration), and as what is layered under
// the scheduler's own file (CapacityScheduler.loadCapacitySchedulerConfiguration). Properties that
// only other parts of YARN read are ignored.
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/result.h"
#include "core/xml_element.h"
#include "schedulers/known_properties.h"
#include "schedulers/registry.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"

namespace tracebed {

// What a scheduler that reads its own file after yarn-site.xml reads here, too.
struct SiteLayer {
  HadoopProperties properties;                   // all of the file
  std::set<std::string, std::less<>> scheduler;  // the names of those that are the scheduler's

  // The scheduler's, and those that values of theirs or of its own file refer to, as elements
  // <property>.
  std::vector<XmlElement> under(const HadoopProperties& own_file) const;
  // Whether the scheduler's own file may not replace its value.
  bool is_final(std::string_view property) const;
};

struct YarnSite {
  struct Value {
    std::string value;
    std::string where;  // "FILE:LINE: PROPERTY"
    // The property, if capacity-scheduler.xml may also set it, which then takes precedence;
    // otherwise empty.
    std::string property = {};
  };
  std::map<std::string, Value, std::less<>> settings;  // by the setting's name
  SiteLayer layer;
  // What is not obeyed of the scheduler's properties.
  PropertyReview review;
};

// Whether a yarn-site.xml can set anything for the scheduler.
bool takes_yarn_site(const SchedulerEntry& scheduler);

// What it sets for the scheduler; `others` determine which of the rest is theirs. The error is a
// sentence that names file, line, property, what was expected and what was found.
Result<YarnSite> read_yarn_site(const XmlElement& root, const SchedulerEntry& scheduler,
                                const SchedulerRegistry& others);

}  // namespace tracebed
