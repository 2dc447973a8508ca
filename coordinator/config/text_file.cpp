#include "coordinator/config/text_file.h"

#include "system/regular_file.h"

namespace tracebed {

std::string read_text_file(const std::filesystem::path& file, std::size_t bytes_max) {
  return read_regular_file(file, bytes_max);
}

}  // namespace tracebed
