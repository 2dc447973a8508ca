// XML files that an experiment's settings name.
#pragma once

#include <string>

#include "coordinator/config/experiment.h"
#include "core/xml_element.h"

namespace tracebed {

// The value is the XML itself instead of a path: it begins with "<".
bool is_inline(const Setting& setting);
// All throw InputError, which begins with the setting's place, for a file that cannot be read or is
// not allowed. A relative path starts at the folder.
std::string text_of(const FileFolder& files, const Setting& setting);
XmlElement read_xml(const FileFolder& files, const Setting& setting);

}  // namespace tracebed
