// Reads the XML files of clusters' configurations, in time and memory that are linear in their
// size. Document types and entities of their own are refused: Hadoop's files need none.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/xml_element.h"

namespace tracebed {

inline constexpr std::size_t xml_file_bytes_max = std::size_t{16} << 20;
// Each takes a hundred times the memory of its shortest form, "<a/>".
inline constexpr std::size_t xml_elements_max = 500'000;
// Of one element; Hadoop's have two.
inline constexpr std::size_t xml_attributes_max = 100;

// The root element. Throws InputError with file, line and reason if the file cannot be read, is
// larger than 16 MiB, has more than 500,000 elements or 100 attributes of one, or is not
// well-formed in UTF-8.
XmlElement read_xml_file(const std::filesystem::path& file);

// The same for a text; `name` is the file's name in messages.
XmlElement parse_xml(std::string_view text, const std::string& name);

// The text as it stands in an element or an attribute, on one line.
std::string xml_escaped(std::string_view text);

// The tree as a file, without what a tree does not have: comments and instructions. Reading it
// gives the same tree, but for places and the white space around elements.
std::string xml_text(const XmlElement& root);

}  // namespace tracebed
