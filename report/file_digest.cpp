#include "report/file_digest.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/digest.h"
#include "core/input_error.h"
#include "system/mapped_file.h"

namespace tracebed {

namespace {

// With its length, which tells trailing zeros from the end.
void add_bytes(std::string_view rest, Digest& digest) {
  digest.add(std::uint64_t{rest.size()});
  while (!rest.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = std::min(rest.size(), sizeof(word));
    std::memcpy(&word, rest.data(), count);
    digest.add(word);
    rest.remove_prefix(count);
  }
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

FileIdentity identify_folder(const std::filesystem::path& folder) {
  FileIdentity identity{folder.string(), 0, {}};
  Digest digest;
  const std::vector<std::filesystem::path> files = files_below(folder);
  if (files.empty()) throw InputError(folder.string() + ": expected a file in it, got none");
  for (const std::filesystem::path& path : files) {
    const MappedFile file(path);
    add_bytes(path.lexically_relative(folder).string(), digest);
    add_bytes(file.bytes(), digest);
    identity.bytes += file.bytes().size();
  }
  identity.digest = digest.to_string();
  return identity;
}

}  // namespace

FileIdentity identify_file(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return identify_folder(path);
  const MappedFile file(path);
  Digest digest;
  add_bytes(file.bytes(), digest);
  return {path.string(), file.bytes().size(), digest.to_string()};
}

}  // namespace tracebed
