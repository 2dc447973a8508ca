#include "schedulers/yarn/configuration/hadoop_properties.h"

#include "core/text.h"
#include "schedulers/yarn/configuration/configuration_bounds.h"

namespace tracebed {
namespace {

// Configuration.MAX_SUBST.
constexpr int substitutions_max = 20;

struct Variable {
  std::size_t begin = 0;  // of "${"
  std::size_t end = 0;    // behind "}"
  std::string_view name;
};

// The first variable at or behind `from`. As Configuration.findSubVariable has it, a name has
// neither a space nor a "$"; so a text of nothing but "${" is read in one pass.
std::optional<Variable> find_variable(std::string_view text, std::size_t from) {
  for (std::size_t begin = text.find("${", from); begin != std::string_view::npos;) {
    const std::size_t close = text.find_first_of("}$ ", begin + 2);
    if (close == std::string_view::npos) return std::nullopt;
    if (text[close] == '}' && close > begin + 2) {
      return Variable{begin, close + 1, text.substr(begin + 2, close - begin - 2)};
    }
    begin = text.find("${", close);
  }
  return std::nullopt;
}

// A property's part, which is an element or, in Hadoop's short form, an attribute.
std::optional<std::string_view> part(const XmlElement& property, std::string_view name) {
  if (const XmlElement* element = property.child(name)) return element->text;
  if (const std::string* attribute = property.attribute(name)) return *attribute;
  return std::nullopt;
}

}  // namespace

Status HadoopProperties::add(const XmlElement& configuration) {
  if (configuration.name == "queues") {
    return Error{
        configuration.where +
        ": expected <configuration>, got <queues>: that is a mapred-queues.xml, with which "
        "the CapacityTaskScheduler of Hadoop 0.21 has levels of queues; it is read by no "
        "scheduler. Queues without levels can stand in a capacity-scheduler.xml of Hadoop "
        "1, as mapred.capacity-scheduler.queue.NAME.capacity"};
  }
  if (configuration.name != "configuration") {
    return Error{configuration.where + ": expected <configuration>, got <" + configuration.name +
                 ">"};
  }
  for (const XmlElement& element : configuration.children) {
    if (element.name != "property") {
      return Error{element.where + ": expected <property>, got <" + element.name + ">"};
    }
    const std::string name(trimmed(part(element, "name").value_or("")));
    if (name.empty()) {
      return Error{element.where + ": expected a property with a <name>, got one without"};
    }
    const std::optional<std::string_view> value = part(element, "value");
    if (!value) continue;
    const bool is_final = trimmed(part(element, "final").value_or("")) == "true";
    put(name, Property{std::string(*value), element.where, is_final});
  }
  return check_variables();
}

// Each reader of a value gets a copy of it, so that small files with variables of long values would
// cost any amount of time and memory.
Status HadoopProperties::check_variables() const {
  std::size_t bytes = 0;
  for (const auto& [name, property] : properties_) {
    if (!find_variable(property.value, 0)) continue;
    bytes += find(name)->size();
    if (bytes <= replaced_bytes_max) continue;
    return Error{place(name) + ": expected values that have at most " +
                 std::to_string(replaced_bytes_max) +
                 " bytes in all once their variables are replaced, got more with this one"};
  }
  return success();
}

void HadoopProperties::override_with(const std::string& name, std::string value, std::string where,
                                     std::string setting) {
  properties_[name] = {std::move(value), std::move(where), false, std::move(setting)};
}

void HadoopProperties::set(const std::string& name, std::string value, std::string where) {
  put(name, Property{std::move(value), std::move(where), false});
}

void HadoopProperties::put(const std::string& name, Property property) {
  const auto [known, is_new] = properties_.try_emplace(name, property);
  if (is_new) return;
  if (known->second.is_final) {
    remarks_.push_back(property.where + ": " + name + " is ignored, as the value of " +
                       known->second.where + " is final");
    return;
  }
  known->second = std::move(property);
}

std::optional<std::string> HadoopProperties::find(std::string_view name) const {
  const auto found = properties_.find(name);
  if (found == properties_.end()) return std::nullopt;
  std::string text = found->second.value;
  std::size_t from = 0;
  for (int i = 0; i < substitutions_max;) {
    const std::optional<Variable> variable = find_variable(text, from);
    if (!variable) break;
    const auto value = properties_.find(variable->name);
    if (value == properties_.end()) {
      from = variable->begin + 1;
      continue;
    }
    text.replace(variable->begin, variable->end - variable->begin, value->second.value);
    ++i;
  }
  return text;
}

std::vector<std::string> HadoopProperties::variables_of(std::string_view value) {
  std::vector<std::string> names;
  for (auto variable = find_variable(value, 0); variable;
       variable = find_variable(value, variable->begin + 1)) {
    names.emplace_back(variable->name);
  }
  return names;
}

std::string HadoopProperties::setting_of(std::string_view name) const {
  const auto found = properties_.find(name);
  return found == properties_.end() ? std::string() : found->second.setting;
}

std::string HadoopProperties::place(std::string_view name) const {
  const auto found = properties_.find(name);
  const std::string prefix = found == properties_.end() ? "" : found->second.where + ": ";
  return prefix + std::string(name);
}

}  // namespace tracebed
