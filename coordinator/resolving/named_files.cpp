#include "coordinator/resolving/named_files.h"

#include <filesystem>
#include <fmt/format.h>

#include "coordinator/config/text_file.h"
#include "coordinator/config/xml_file.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

bool lies_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const std::filesystem::path relative = std::filesystem::weakly_canonical(file).lexically_relative(
      std::filesystem::weakly_canonical(folder));
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

std::filesystem::path path_of(const FileFolder& files, const Setting& setting) {
  const std::filesystem::path path = files.folder / setting.value;
  if (!files.confined_to.empty() && !lies_below(path, files.confined_to)) {
    throw InputError(fmt::format("{}: expected a file below the coordinator's trace folder, got {}",
                                 setting.where, setting.value));
  }
  return path;
}

bool is_inline(const Setting& setting) {
  const std::size_t begin = setting.value.find_first_not_of(" \t\r\n");
  return begin != std::string::npos && setting.value[begin] == '<';
}

const std::string& name_of_text(const Setting& setting) {
  return setting.file.empty() ? setting.where : setting.file;
}

std::string placed(const Setting& setting, const std::string& message) {
  const bool is_placed = is_inline(setting) && message.starts_with(name_of_text(setting) + ":");
  return is_placed ? message : fmt::format("{}: {}", setting.where, message);
}

NamedFile NamedFiles::read(const FileFolder& folder, const Setting& setting) {
  if (is_inline(setting)) return {setting.value, parse_xml(setting.value, name_of_text(setting))};
  const std::filesystem::path path = path_of(folder, setting).lexically_normal();
  if (const auto known = files_.find(path); known != files_.end()) return known->second;
  try {
    const std::string& read = text(path);
    return files_.emplace(path, NamedFile{read, parse_xml(read, path.string())}).first->second;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", setting.where, error.what()));
  }
}

const std::string& NamedFiles::text(const std::filesystem::path& path) {
  const std::filesystem::path normal = path.lexically_normal();
  if (const auto known = texts_.find(normal); known != texts_.end()) return known->second;
  return texts_.emplace(normal, read_text_file(normal, xml_file_bytes_max)).first->second;
}

}  // namespace tracebed
