#include "report/file_digest.h"

#include <algorithm>
#include <cstring>

#include "core/digest.h"
#include "system/mapped_file.h"

namespace tracebed {

FileIdentity identify_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  std::string_view rest = file.bytes();
  Digest digest;
  digest.add(std::uint64_t{rest.size()});  // tells trailing zeros from the end
  while (!rest.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = std::min(rest.size(), sizeof(word));
    std::memcpy(&word, rest.data(), count);
    digest.add(word);
    rest.remove_prefix(count);
  }
  return {path.string(), file.bytes().size(), digest.to_string()};
}

}  // namespace tracebed
