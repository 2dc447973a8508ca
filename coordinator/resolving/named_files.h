// XML files that an experiment's settings name.
#pragma once

#include <filesystem>
#include <string>

#include "coordinator/config/experiment.h"
#include "core/xml_element.h"

namespace tracebed {

struct NamedFile {
  std::string text;
  XmlElement root;
};

// A relative path starts at the folder. Throws InputError, which begins with the setting's place,
// if that is not allowed.
std::filesystem::path path_of(const FileFolder& files, const Setting& setting);

// The value is the XML itself instead of a path: it begins with "<".
bool is_inline(const Setting& setting);
// Throws InputError, which begins with the setting's place, for a file that cannot be read, is not
// XML or is not allowed.
NamedFile read_named_file(const FileFolder& files, const Setting& setting);

}  // namespace tracebed
