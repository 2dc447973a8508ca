#include "coordinator/config/text_file.h"

#include <fmt/format.h>
#include <fstream>
#include <system_error>

#include "core/input_error.h"

namespace tracebed {

std::string read_text_file(const std::filesystem::path& file, std::size_t bytes_max) {
  std::error_code failure;
  const std::uintmax_t bytes = std::filesystem::file_size(file, failure);
  if (failure) {
    throw InputError(fmt::format("{}: cannot be read: {}", file.string(), failure.message()));
  }
  if (bytes > bytes_max) {
    throw InputError(
        fmt::format("{}: expected at most {} bytes, got {}", file.string(), bytes_max, bytes));
  }
  std::string text(bytes, '\0');
  std::ifstream stream(file, std::ios::binary);
  if (!stream || (bytes > 0 && !stream.read(text.data(), static_cast<std::streamsize>(bytes)))) {
    throw InputError(fmt::format("{}: cannot be read", file.string()));
  }
  return text;
}

}  // namespace tracebed
