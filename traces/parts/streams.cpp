#include "traces/parts/streams.h"

#include <filesystem>
#include <sys/stat.h>

#include "core/input_error.h"
#include "system/output_file.h"

namespace tracebed {

bool is_stream(const std::string& path) {
  if (path == standard_stream) return true;
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::string name_of_input(const std::string& path) {
  return path == standard_stream ? "standard input" : path;
}

bool is_folder(const std::string& path) {
  std::error_code failure;
  return path != standard_stream && std::filesystem::is_directory(path, failure);
}

void expect_no_stream(const std::string& path) {
  if (!is_stream(path)) return;
  throw InputError(name_of_input(path) +
                   ": expected a file, since it is read more than once, got a pipe");
}

}  // namespace tracebed
