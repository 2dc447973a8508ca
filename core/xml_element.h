// An XML file as a tree of plain data: it is read at the edge (coordinator/config/xml_file.h) and
// interpreted where its format is defined, as by the YARN schedulers that own the files' formats.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracebed {

struct XmlElement {
  std::string name;
  std::string where;  // "FILE:LINE" of its start, for messages
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  // all of its own text verbatim, white space included
  std::vector<XmlElement> children;

  // The first child of that name, or null.
  const XmlElement* child(std::string_view child_name) const {
    for (const XmlElement& element : children) {
      if (element.name == child_name) return &element;
    }
    return nullptr;
  }
  // The value of an attribute, or null.
  const std::string* attribute(std::string_view attribute_name) const {
    for (const auto& [key, value] : attributes) {
      if (key == attribute_name) return &value;
    }
    return nullptr;
  }
};

// "FILE:LINE: <NAME>", for messages.
inline std::string place_of(const XmlElement& element) {
  return element.where + ": <" + element.name + ">";
}

}  // namespace tracebed
