// The mapping rules of capacity-scheduler.xml (CapacitySchedulerConfiguration.getMappingRules):
// queue-mappings, or with mapping-rule-format = json the rules of mapping-rule-json, else those of
// the file that mapping-rule-json-file names.
#pragma once

#include "core/result.h"
#include "schedulers/known_properties.h"
#include "schedulers/yarn/capacity/placement/mapping_rules.h"
#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {

// A run adds the contents of that file to its copy of the naming one, as the last of these.
inline constexpr std::string_view rules_format_property =
    "yarn.scheduler.capacity.mapping-rule-format";
inline constexpr std::string_view rules_property = "yarn.scheduler.capacity.mapping-rule-json";
inline constexpr std::string_view rules_file_property =
    "yarn.scheduler.capacity.mapping-rule-json-file";
inline constexpr std::string_view rules_contents_property =
    "yarn.scheduler.capacity.mapping-rule-json-file.contents";

// Whether the rules are those of a file whose contents are not among the properties yet.
bool needs_rules_file(const HadoopProperties& properties);

struct ReadMappings {
  MappingRules rules;  // checked
  // Rules that need the names of applications, which there are not; properties that do not count.
  PropertyReview review;
};

// Fails with file, line, property and rule.
Result<ReadMappings> read_mapping_rules(PropertyReader& reader, const HadoopProperties& properties,
                                        NamedQueues queues);

}  // namespace tracebed
