// Text for manual pages (man(7)).
#pragma once

#include <string>
#include <string_view>

namespace tracebed {

// `text` as roff prints it: with hyphens that can be copied into a shell, and without anything that
// roff would take for an escape.
std::string roff_text(std::string_view text);

// Likewise as lines of a paragraph, wrapped, none of which is taken for a request.
std::string roff_paragraph(std::string_view text);

}  // namespace tracebed
