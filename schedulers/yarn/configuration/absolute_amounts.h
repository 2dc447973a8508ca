// Which amounts a YARN scheduler's file states absolutely, in MiB and cores (Hadoop 1's: in slots),
// instead of relative to the cluster. They fit only the cluster that they were written for.
#pragma once

#include <string>
#include <vector>

#include "core/xml_element.h"

namespace tracebed {

// "FILE:LINE: WHAT" of each, in the file's order; of a capacity-scheduler.xml or of an allocation
// file.
std::vector<std::string> absolute_amounts(const XmlElement& root);

}  // namespace tracebed
