#include "coordinator/api/resource_manager/json_as_xml.h"

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
         });
}

// What XML cannot have becomes "?": control characters, and bytes that are no UTF-8.
std::string text_of(const Json& value) {
  if (!value.is_string()) return value.dump();
  const std::string valid = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text = Json::parse(valid).get<std::string>();
  for (char& c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < ' ' && c != '\t' && c != '\n' && c != '\r') c = '?';
  }
  return text;
}

bool has_anything(const Json& value) {
  if (!value.is_object() || value.empty()) return true;
  const auto& items = value.items();
  return std::any_of(items.begin(), items.end(),
                     [](const auto& item) { return is_name(item.key()); });
}

void add(pugi::xml_node parent, const std::string& name, const Json& value) {
  if (value.is_null() || !is_name(name) || !has_anything(value)) return;
  if (value.is_array()) {
    for (const Json& each : value) add(parent, name, each);
    return;
  }
  pugi::xml_node node = parent.append_child(name.c_str());
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      if (key == "type" && member.is_string()) {
        node.append_attribute("xmlns:xsi").set_value("http://www.w3.org/2001/XMLSchema-instance");
        node.append_attribute("xsi:type").set_value(member.get<std::string>().c_str());
      } else {
        add(node, key, member);
      }
    }
    return;
  }
  node.append_child(pugi::node_pcdata).set_value(text_of(value).c_str());
}

}  // namespace

std::string json_as_xml(const Json& answer) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  declaration.append_attribute("standalone").set_value("yes");
  if (answer.is_object() && !answer.empty()) {
    const auto first = answer.items().begin();
    if (answer.front().is_object() && answer.front().empty()) {
      document.append_child(first.key().c_str());
    } else {
      add(document, first.key(), answer.front());
    }
  }
  std::ostringstream text;
  document.save(text, "", pugi::format_raw);
  return text.str();
}

}  // namespace tracebed
