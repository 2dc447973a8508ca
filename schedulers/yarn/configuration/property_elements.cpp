#include "schedulers/yarn/configuration/property_elements.h"

#include <algorithm>

#include "core/text.h"

namespace tracebed {
namespace {

// A property's name is an element or, in Hadoop's short form, an attribute.
std::string_view name_of_property(const XmlElement& property) {
  if (const XmlElement* element = property.child("name")) return trimmed(element->text);
  if (const std::string* attribute = property.attribute("name")) return trimmed(*attribute);
  return {};
}

void set_value(XmlElement& property, const std::string& text) {
  const auto element = std::find_if(property.children.begin(), property.children.end(),
                                    [](const XmlElement& one) { return one.name == "value"; });
  if (element != property.children.end()) {
    element->text = text;
    element->children.clear();
    return;
  }
  const auto attribute = std::find_if(property.attributes.begin(), property.attributes.end(),
                                      [](const auto& one) { return one.first == "value"; });
  if (attribute != property.attributes.end()) {
    attribute->second = text;
  } else {
    property.children.push_back({"value", property.where, {}, text, {}});
  }
}

}  // namespace

void set_property(XmlElement& file, std::string_view name, const std::string& value) {
  bool is_written = false;
  for (XmlElement& property : file.children) {
    if (name_of_property(property) != name) continue;
    set_value(property, value);
    is_written = true;
  }
  if (is_written) return;
  XmlElement property{"property", file.where, {}, {}, {}};
  property.children.push_back({"name", file.where, {}, std::string(name), {}});
  property.children.push_back({"value", file.where, {}, value, {}});
  file.children.push_back(std::move(property));
}

void remove_property(XmlElement& file, std::string_view name) {
  std::erase_if(file.children,
                [&](const XmlElement& property) { return name_of_property(property) == name; });
}

}  // namespace tracebed
