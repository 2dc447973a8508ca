// The bytes of a file that are read as a stream, verified by a witness.
#pragma once

#include <memory>
#include <string>

#include "system/input_witness.h"
#include "traces/parts/byte_source.h"

namespace tracebed {

// The file's raw bytes, as open_file() gives them; those of a file are verified by `witness`, which
// outlives the source, unless it is null. A file that cannot be read to its end ends for the
// witness where it could not be read.
std::unique_ptr<ByteSource> open_witnessed(const std::string& path, InputWitness* witness);

}  // namespace tracebed
