#include "coordinator/config/configuration_update_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/config/xml_file.h"
#include "core/input_error.h"
#include "core/text.h"
#include "core/xml_element.h"

namespace tracebed {
namespace {

using Json = nlohmann::json;

constexpr const char* body_name = "the body";

// Members become elements and an array one for each of its values, as YARN writes objects as JSON.
void add_member(XmlElement& parent, const std::string& name, const Json& value) {
  const std::string where = fmt::format("{}, {}", parent.where, name);
  constexpr int levels_max = 8;  // an update has six
  if (std::count(where.begin(), where.end(), ',') > levels_max) {
    throw InputError(fmt::format("{}: expected fewer levels", parent.where));
  }
  if (value.is_null()) return;
  if (value.is_array()) {
    for (const Json& each : value) {
      if (each.is_array()) {
        throw InputError(where + ": expected objects or texts in an array, got an array");
      }
      add_member(parent, name, each);
    }
    return;
  }
  XmlElement element{name, where, {}, {}, {}};
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) add_member(element, key, member);
  } else {
    element.text = value.is_string() ? value.get<std::string>() : value.dump();
  }
  parent.children.push_back(std::move(element));
}

XmlElement parse_json(std::string_view text) {
  std::vector<std::set<std::string>> names;  // of the objects that are open
  std::string repeated;
  const auto look = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto name = parsed.get<std::string>();
      if (!names.back().insert(name).second) repeated = name;
    }
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, look);
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: expected JSON; {}", body_name, error.what()));
  }
  if (!repeated.empty()) {
    throw InputError(fmt::format("{}: expected members of different names, got \"{}\" twice",
                                 body_name, repeated));
  }
  if (!json.is_object()) {
    throw InputError(fmt::format("{}: expected an object, got {}", body_name, json.type_name()));
  }
  // Some releases name the object, as XML does.
  if (json.size() == 1 && json.contains("sched-conf") && json["sched-conf"].is_object()) {
    json = Json(json["sched-conf"]);
  }
  XmlElement root{"sched-conf", body_name, {}, {}, {}};
  for (const auto& [key, member] : json.items()) add_member(root, key, member);
  return root;
}

[[noreturn]] void refuse_element(const XmlElement& element, std::string_view expected) {
  throw InputError(fmt::format("{}: expected {}, got <{}>", element.where, expected, element.name));
}

// What stands in an element that has none within it.
std::string text_of(const XmlElement& element) {
  if (!element.children.empty()) refuse_element(element.children.front(), "a text");
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
  };
  if (std::any_of(element.text.begin(), element.text.end(), is_control)) {
    throw InputError(place_of(element) + ": expected a text without control characters");
  }
  return std::string(trimmed(element.text));
}

std::string name_of(const XmlElement& element) {
  std::string name = text_of(element);
  if (name.empty()) throw InputError(place_of(element) + ": expected a name, got none");
  return name;
}

// A map, as JAXB has it: <entry><key>…</key><value>…</value></entry>. An entry without a value
// stands for null.
void read_entries(const XmlElement& map, UpdatedProperties& properties) {
  for (const XmlElement& entry : map.children) {
    if (entry.name != "entry") refuse_element(entry, "<entry>");
    std::optional<std::string> key;
    std::optional<std::string> value;
    for (const XmlElement& part : entry.children) {
      if (part.name != "key" && part.name != "value") refuse_element(part, "<key> or <value>");
      std::optional<std::string>& read = part.name == "key" ? key : value;
      if (read) throw InputError(place_of(part) + ": expected one in an entry, got another");
      read = part.name == "key" ? name_of(part) : text_of(part);
    }
    if (!key) throw InputError(place_of(entry) + ": expected a <key>, got none");
    const bool is_known = std::any_of(properties.begin(), properties.end(),
                                      [&](const auto& one) { return one.first == *key; });
    if (is_known) {
      throw InputError(fmt::format("{}: expected each key once, got {} again", entry.where, *key));
    }
    properties.emplace_back(*std::move(key), std::move(value));
  }
}

ConfigurationUpdate::Queue read_queue(const XmlElement& element) {
  ConfigurationUpdate::Queue queue;
  for (const XmlElement& part : element.children) {
    if (part.name == "queue-name" || part.name == "queueName") {
      if (!queue.path.empty()) throw InputError(place_of(part) + ": expected one, got another");
      queue.path = name_of(part);
    } else if (part.name == "params") {
      read_entries(part, queue.properties);
    } else {
      refuse_element(part, "<queue-name> or <params>");
    }
  }
  if (queue.path.empty()) {
    throw InputError(place_of(element) + ": expected a <queue-name>, got none");
  }
  return queue;
}

}  // namespace

ConfigurationUpdate read_configuration_update(std::string_view text, UpdateForm form) {
  const XmlElement root = form == UpdateForm::xml ? parse_xml(text, body_name) : parse_json(text);
  if (root.name != "sched-conf") refuse_element(root, "<sched-conf>");
  ConfigurationUpdate update;
  for (const XmlElement& element : root.children) {
    if (element.name == "add-queue") {
      update.added.push_back(read_queue(element));
    } else if (element.name == "update-queue") {
      update.updated.push_back(read_queue(element));
    } else if (element.name == "remove-queue") {
      update.removed.push_back(name_of(element));
    } else if (element.name == "global-updates") {
      read_entries(element, update.global);
    } else {
      refuse_element(element, "<add-queue>, <remove-queue>, <update-queue> or <global-updates>");
    }
  }
  if (update.is_empty()) {
    throw InputError(
        fmt::format("{}: expected queues or properties to change, got none", body_name));
  }
  return update;
}

}  // namespace tracebed
