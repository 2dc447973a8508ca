#include "coordinator/config/xml_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <pugixml.hpp>
#include <set>

#include "coordinator/config/text_file.h"
#include "core/input_error.h"
#include "core/text.h"
#include "system/utf8.h"

namespace tracebed {
namespace {

// Deeper than any real file; a bound, since elements are read by recursion.
constexpr int depth_max = 64;

class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  // Lines are counted on from the place asked for last, so that places in ascending order take one
  // pass over the text together.
  std::string where(std::ptrdiff_t offset) {
    const auto end = std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
    if (end < counted_) {
      counted_ = 0;
      line_ = 1;
    }
    line_ += std::count(text_.begin() + counted_, text_.begin() + end, '\n');
    counted_ = end;
    return fmt::format("{}:{}", name_, line_);
  }

  [[noreturn]] void refuse(std::ptrdiff_t offset, std::string_view expected, std::string_view got) {
    throw InputError(fmt::format("{}: expected {}, got {}", where(offset), expected, got));
  }

  XmlElement build(const pugi::xml_node& node, int depth) {
    XmlElement element;
    element.name = node.name();
    element.where = where(node.offset_debug());
    if (depth == depth_max) {
      throw InputError(fmt::format("{}: expected elements in at most {} levels, got a deeper one",
                                   element.where, depth_max));
    }
    if (++elements_ > xml_elements_max) {
      throw InputError(fmt::format("{}: expected at most {} elements, got more", element.where,
                                   xml_elements_max));
    }
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      if (element.attributes.size() == xml_attributes_max) {
        throw InputError(fmt::format("{}: expected at most {} attributes, got more",
                                     place_of(element), xml_attributes_max));
      }
      element.attributes.emplace_back(attribute.name(), attribute.value());
    }
    check_names(element);
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
  static void check_names(const XmlElement& element) {
    std::set<std::string_view> names;
    for (const auto& [name, value] : element.attributes) {
      if (names.insert(name).second) continue;
      throw InputError(fmt::format("{}: expected attributes of different names, got {} twice",
                                   place_of(element), name));
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::ptrdiff_t counted_ = 0;  // bytes whose lines are in line_
  std::ptrdiff_t line_ = 1;
  std::size_t elements_ = 0;
};

// "&#65" or "&#x41", of a character that XML may hold (XML 1.0, Char).
bool is_character(std::string_view reference) {
  if (!reference.starts_with("&#")) return false;
  const bool is_hexadecimal = reference.starts_with("&#x");
  const char* const end = reference.data() + reference.size();
  std::uint32_t code = 0;
  const auto read = std::from_chars(reference.data() + (is_hexadecimal ? 3 : 2), end, code,
                                    is_hexadecimal ? 16 : 10);
  if (read.ec != std::errc{} || read.ptr != end) return false;
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0xD7FF) ||
         (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

// pugixml takes any bytes for text and leaves references that it does not know as they are.
void check_bytes(std::string_view text, TreeBuilder& builder) {
  const auto refuse = [&](std::size_t at, std::string_view expected, std::string_view got) {
    builder.refuse(static_cast<std::ptrdiff_t>(at), expected, got);
  };
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) refuse(zero, "XML", "a byte 0");
  const std::size_t broken = utf8_end(text);
  if (broken < text.size()) refuse(broken, "text in UTF-8", "other bytes");
  // What stands in comments, CDATA and processing instructions is no reference.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> literals = {
      {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}}};
  for (std::size_t at = 0; (at = text.find_first_of("<&", at)) != std::string_view::npos;) {
    if (text[at] == '<') {
      const auto* const literal =
          std::find_if(literals.begin(), literals.end(),
                       [&](const auto& each) { return text.substr(at).starts_with(each.first); });
      at = literal == literals.end() ? at + 1 : text.find(literal->second, at);
      continue;
    }
    constexpr std::array<std::string_view, 5> known = {"&amp", "&lt", "&gt", "&apos", "&quot"};
    constexpr std::size_t shown_max = 20;
    const std::size_t end = text.find(';', at);
    const std::string_view reference = text.substr(at, end - at);
    const bool is_known = std::find(known.begin(), known.end(), reference) != known.end();
    if (end == std::string_view::npos || (!is_known && !is_character(reference))) {
      refuse(at, "a predefined XML reference, such as &amp;", reference.substr(0, shown_max));
    }
    ++at;
  }
}

void write_element(const XmlElement& element, std::size_t indent, std::string& text) {
  text.append(indent, ' ').append("<").append(element.name);
  for (const auto& [name, value] : element.attributes) {
    text += fmt::format(" {}=\"{}\"", name, xml_escaped(value));
  }
  const bool is_leaf = element.children.empty();
  const std::string_view own = is_leaf ? std::string_view(element.text) : trimmed(element.text);
  if (is_leaf && own.empty()) {
    text += "/>\n";
    return;
  }
  text += ">" + xml_escaped(own);
  if (!is_leaf) {
    text += "\n";
    for (const XmlElement& child : element.children) write_element(child, indent + 2, text);
    text.append(indent, ' ');
  }
  text += "</" + element.name + ">\n";
}

}  // namespace

XmlElement parse_xml(std::string_view text, const std::string& name) {
  TreeBuilder builder(text, name);
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(text.data(), text.size(),
                           pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment |
                               pugi::parse_ws_pcdata_single,
                           pugi::encoding_utf8);
  if (!result) {
    throw InputError(
        fmt::format("{}: expected XML; {}", builder.where(result.offset), result.description()));
  }
  for (const pugi::xml_node& node : document.children()) {
    if (node.type() == pugi::node_doctype) {
      builder.refuse(0, "no document type", fmt::format("<!DOCTYPE {}>", node.value()));
    }
  }
  check_bytes(text, builder);
  const pugi::xml_node root = document.document_element();
  for (const pugi::xml_node& node : document.children()) {
    if (node.type() == pugi::node_element && node != root) {
      builder.refuse(node.offset_debug(), "one root element",
                     fmt::format("another, <{}>, behind <{}>", node.name(), root.name()));
    }
    const bool is_text = node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
    if (is_text && !trimmed(node.value()).empty()) {
      builder.refuse(node.offset_debug(), "XML; elements alone", "text outside of the root");
    }
  }
  if (!root) builder.refuse(0, "XML; a root element", "none");
  return builder.build(root, 0);
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += fmt::format("&#{};", static_cast<int>(c));  // else an attribute would lose it
    } else {
      out += c;
    }
  }
  return out;
}

std::string xml_text(const XmlElement& root) {
  std::string text = "<?xml version=\"1.0\"?>\n";
  write_element(root, 0, text);
  return text;
}

XmlElement read_xml_file(const std::filesystem::path& file) {
  return parse_xml(read_text_file(file, xml_file_bytes_max), file.string());
}

}  // namespace tracebed
