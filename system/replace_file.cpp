#include "system/replace_file.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

#include "core/input_error.h"

namespace tracebed {
namespace {

[[noreturn]] void give_up(const std::filesystem::path& path, const std::filesystem::path& draft,
                          const std::string& reason) {
  std::error_code error;
  std::filesystem::remove(draft, error);
  throw EnvironmentError(fmt::format("{} cannot be written: {}", path.string(), reason));
}

}  // namespace

void replace_file(const std::filesystem::path& path, std::string_view contents) {
  const std::filesystem::path draft = path.string() + ".new";
  errno = 0;
  std::ofstream stream(draft, std::ios::binary | std::ios::trunc);
  stream << contents;
  stream.close();
  if (!stream) give_up(path, draft, std::strerror(errno));
  std::error_code error;
  std::filesystem::rename(draft, path, error);
  if (error) give_up(path, draft, error.message());
}

}  // namespace tracebed
