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

NamedFile NamedFiles::read(const FileFolder& folder, const Setting& setting) {
  if (is_inline(setting)) return {setting.value, parse_xml(setting.value, setting.where)};
  const std::filesystem::path path = path_of(folder, setting).lexically_normal();
  if (const auto known = files_.find(path); known != files_.end()) return known->second;
  try {
    std::string text = read_text_file(path, xml_file_bytes_max);
    XmlElement root = parse_xml(text, path.string());
    return files_.emplace(path, NamedFile{std::move(text), std::move(root)}).first->second;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", setting.where, error.what()));
  }
}

}  // namespace tracebed
