// JSON answers as the XML that YARN's web services make of the same objects.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tracebed {

// The first member of `answer` is the document's element, members are elements within it, an array
// is an element for each of its values, and `type` is the attribute xsi:type. What has no name that
// XML allows is left out, with what it is in if that has nothing else.
std::string json_as_xml(const nlohmann::ordered_json& answer);

}  // namespace tracebed
