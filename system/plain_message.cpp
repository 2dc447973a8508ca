#include "system/plain_message.h"

#include <filesystem>
#include <string_view>

namespace tracebed {

std::string plain_message(const std::exception& error) {
  if (const auto* files = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    std::string place = files->path1().string();
    if (!files->path2().empty()) place += ", " + files->path2().string();
    return place.empty() ? files->code().message() : place + ": " + files->code().message();
  }
  const std::string_view words = error.what();
  constexpr std::string_view mark = "[json.exception.";
  const std::size_t end = words.find("] ");
  if (!words.starts_with(mark) || end == std::string_view::npos) return std::string(words);
  return std::string(words.substr(end + 2));
}

}  // namespace tracebed
