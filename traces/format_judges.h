// The verdicts of single formats on the head of a file; format.h puts them together.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "traces/format.h"

namespace tracebed {

// The first rows of the head that are whole and not blank, without their line ends, 20 at most.
std::vector<std::string_view> format_rows(std::string_view head);

FormatVerdict judge_hawk(std::string_view head);
// Tables with commas: Google's, Alibaba's, Philly's.
std::vector<FormatVerdict> judge_tables(std::string_view head);
// JSON: Rumen's, SLS', WfCommons'.
std::vector<FormatVerdict> judge_documents(std::string_view head);

// The format of a text of machines (traces/machines/machine_trace.h), if it is one.
std::optional<std::string_view> judge_machines(std::string_view head);

}  // namespace tracebed
