#include "schedulers/yarn/capacity/placement/read_mapping_rules.h"

#include "schedulers/yarn/capacity/placement/mapping_rules_json.h"
#include "schedulers/yarn/configuration/property_tables.h"

namespace tracebed {
namespace {

constexpr std::string_view mappings_property = "yarn.scheduler.capacity.queue-mappings";
constexpr std::string_view override_property =
    "yarn.scheduler.capacity.queue-mappings-override.enable";
constexpr std::string_view by_name_property = "yarn.scheduler.queue-placement-rules.app-name";

// What stands in the file itself comes first.
Result<std::vector<MappingRule>> read_json_rules(PropertyReader& reader,
                                                 const HadoopProperties& properties,
                                                 PropertyReview& review) {
  const std::string text = reader.text(rules_property, "");
  const std::string file = reader.text(rules_file_property, "");
  const std::string contents = reader.text(rules_contents_property, "");
  if (!text.empty()) return parse_json_mapping_rules(text, properties.place(rules_property));
  if (!contents.empty()) return parse_json_mapping_rules(contents, file);
  if (!file.empty()) {
    return Error{properties.place(rules_file_property) +
                 ": expected a file with mapping rules that could be read, got \"" + file + "\""};
  }
  review.remarks.push_back(properties.place(rules_format_property) +
                           ": is json, but there are no rules in JSON, so that none count");
  return std::vector<MappingRule>();
}

}  // namespace

bool needs_rules_file(const HadoopProperties& properties) {
  PropertyReader reader(properties);
  return reader.text(rules_format_property, "") == "json" && !reader.has(rules_property) &&
         !reader.has(rules_contents_property) && reader.has(rules_file_property);
}

Result<ReadMappings> read_mapping_rules(PropertyReader& reader, const HadoopProperties& properties,
                                        NamedQueues queues) {
  ReadMappings read;
  const bool overrides = reader.flag(override_property, false);
  const bool is_json = reader.choice(rules_format_property, 0, {"legacy", "json"}) == 1;
  if (const Status status = reader.status(); !status) return status.error();
  const std::vector<std::string_view> of_json{rules_property, rules_file_property,
                                              rules_contents_property};
  const std::vector<std::string_view> of_legacy{mappings_property};
  for (const std::string_view other : is_json ? of_legacy : of_json) {
    if (!reader.has(other)) continue;
    read.review.remarks.push_back(properties.place(other) +
                                  ": is ignored, as mapping-rule-format is " +
                                  (is_json ? "json" : "legacy"));
  }
  auto rules = is_json ? read_json_rules(reader, properties, read.review)
                       : parse_queue_mappings(reader.text(mappings_property, ""),
                                              properties.place(mappings_property));
  if (!rules) return rules.error();
  const KnownProperty* known = known_property(known_capacity_properties(), by_name_property);
  for (const MappingRule& rule : *rules) {
    if (!depends_on_application_name(rule)) continue;
    read.review.unobeyed.push_back({std::string(by_name_property), rule.where, "%application",
                                    known, std::string(known->reason)});
  }
  read.rules = MappingRules(std::move(*rules), overrides, std::move(queues));
  if (const Status status = read.rules.check(); !status) return status.error();
  return read;
}

}  // namespace tracebed
