#include "coordinator/config/xml_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <pugixml.hpp>

#include "coordinator/config/text_file.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

// Deeper than any real file; a bound, since elements are read by recursion.
constexpr int depth_max = 64;

class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::string where(std::ptrdiff_t offset) const {
    const auto end = text_.begin() + std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
    return fmt::format("{}:{}", name_, 1 + std::count(text_.begin(), end, '\n'));
  }

  XmlElement build(const pugi::xml_node& node, int depth) const {
    XmlElement element;
    element.name = node.name();
    element.where = where(node.offset_debug());
    if (depth == depth_max) {
      throw InputError(fmt::format("{}: expected elements in at most {} levels, got a deeper one",
                                   element.where, depth_max));
    }
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      element.attributes.emplace_back(attribute.name(), attribute.value());
    }
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_element) {
        element.children.push_back(build(child, depth + 1));
      } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        element.text += child.value();
      }
    }
    return element;
  }

 private:
  std::string_view text_;
  const std::string& name_;
};

}  // namespace

XmlElement parse_xml(std::string_view text, const std::string& name) {
  const TreeBuilder builder(text, name);
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(text.data(), text.size(),
                           pugi::parse_default | pugi::parse_doctype | pugi::parse_ws_pcdata_single,
                           pugi::encoding_utf8);
  if (!result) {
    throw InputError(
        fmt::format("{}: expected XML; {}", builder.where(result.offset), result.description()));
  }
  for (const pugi::xml_node& node : document.children()) {
    if (node.type() == pugi::node_doctype) {
      throw InputError(fmt::format("{}: expected no document type, got <!DOCTYPE {}>",
                                   builder.where(0), node.value()));
    }
  }
  return builder.build(document.document_element(), 0);
}

XmlElement read_xml_file(const std::filesystem::path& file) {
  return parse_xml(read_text_file(file, xml_file_bytes_max), file.string());
}

}  // namespace tracebed
