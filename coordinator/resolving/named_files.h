// Files that an experiment's settings name, and those that such a file names.
#pragma once

#include <filesystem>
#include <map>
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
// The name of such XML, which begins the places of its elements.
const std::string& name_of_text(const Setting& setting);
// "PLACE: MESSAGE" of what is wrong with the setting; the message alone if it begins with a place
// in the setting's XML.
std::string placed(const Setting& setting, const std::string& message);

// Reads each file once, so that all that name it state the same, whatever becomes of the file
// meanwhile.
class NamedFiles {
 public:
  // Throws InputError, which begins with the setting's place, for a file that cannot be read, is
  // not XML or is not allowed.
  NamedFile read(const FileFolder& folder, const Setting& setting);
  // The text of a file of any kind. Throws InputError.
  const std::string& text(const std::filesystem::path& path);

 private:
  std::map<std::filesystem::path, NamedFile> files_;
  std::map<std::filesystem::path, std::string> texts_;
};

}  // namespace tracebed
