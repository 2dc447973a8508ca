// Which format a trace has, determined by its content.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tracebed {

// One format's verdict on the head of a file.
struct FormatVerdict {
  std::string_view format;
  bool fits = false;
  std::string reason;  // "line 20 has 18 numbers", or why it does not fit
};

// Whether `asked` is "auto" or the name of a format; the error lists the formats.
Status check_format(std::string_view asked);

// Every format's verdict on `head`, the first bytes of the text (whole lines, or the whole text).
std::vector<FormatVerdict> judge_formats(std::string_view head);

struct FormatChoice {
  std::string_view format;
  std::string reason;
};
// The one format that fits. Throws InputError, naming `path`, if the text is empty, none fits or
// several do; the message has every format's reason. A format's name as `asked` is accepted without
// a check of the content; one that check_format() refuses is refused.
FormatChoice choose_format(const std::string& path, std::string_view head, std::string_view asked);
// The choice among verdicts that were made.
FormatChoice choose_among(const std::string& path, const std::vector<FormatVerdict>& verdicts);

}  // namespace tracebed
