#include "report/replace_file.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

#include "core/input_error.h"

namespace tracebed {

void replace_file(const std::filesystem::path& path, std::string_view contents) {
  const std::filesystem::path draft = path.string() + ".new";
  errno = 0;
  std::ofstream stream(draft, std::ios::binary | std::ios::trunc);
  stream << contents;
  stream.close();
  if (!stream) {
    throw EnvironmentError(
        fmt::format("cannot write {}: {}", draft.string(), std::strerror(errno)));
  }
  std::error_code error;
  std::filesystem::rename(draft, path, error);
  if (error) {
    throw EnvironmentError(fmt::format("cannot write {}: {}", path.string(), error.message()));
  }
}

}  // namespace tracebed
