// What of the files of a slot scheduler means nothing to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/settings.h"
#include "core/xml_element.h"

namespace tracebed {

bool is_slot_scheduler(std::string_view scheduler);

// `setting` is the one that names the file. "FILE:LINE: <NAME>" or "FILE:LINE: PROPERTY" of each,
// in the file's order; nothing of a file that the scheduler refuses.
std::vector<std::string> passed_over_by_slots(std::string_view scheduler, std::string_view setting,
                                              const XmlElement& root,
                                              const SettingValues& settings);

}  // namespace tracebed
