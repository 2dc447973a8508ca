// Changes a Hadoop configuration file in the form of its elements, so that what else is in it stays
// as it is.
#pragma once

#include <string>
#include <string_view>

#include "core/xml_element.h"

namespace tracebed {

// Of several of that name the last is in force, or the first that is final: all get the value. If
// there is none, one is added at the end.
void set_property(XmlElement& file, std::string_view name, const std::string& value);
// All of that name.
void remove_property(XmlElement& file, std::string_view name);

}  // namespace tracebed
