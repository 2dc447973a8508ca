// Whether a trace of rows can be read in file order, or must be sorted first.
#pragma once

#include <string_view>

#include "traces/parts/line_reader.h"

namespace tracebed {

// Whether the numbers in the second column never fall. Lines that begin with ';', and those whose
// second column is not a number, are skipped. Columns end at any of `separators`. Throws InputError
// if the bytes are damaged.
bool second_column_ascends(LineReader lines, std::string_view separators);

}  // namespace tracebed
