#include "report/file_digest.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "core/digest.h"
#include "core/input_error.h"
#include "system/file_window.h"
#include "system/input_witness.h"

namespace tracebed {

namespace {

// With zeros at the end of the last word.
void add_bytes(std::span<const std::byte> rest, Digest& digest) {
  while (!rest.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = std::min(rest.size(), sizeof(word));
    std::memcpy(&word, rest.data(), count);
    digest.add(word);
    rest = rest.subspan(count);
  }
}

// With its length, which tells trailing zeros from the end. It is not mapped, since it may be
// truncated meanwhile.
std::uint64_t add_file(const std::filesystem::path& path, InputWitness* witness, Digest& digest) {
  FileWindow file(path, witness);
  digest.add(file.size());
  constexpr std::uint64_t step = InputWitness::block_bytes;
  static_assert(step % sizeof(std::uint64_t) == 0, "a word lies in one block");
  for (std::uint64_t position = 0; position < file.size(); position += step) {
    const std::uint64_t left = file.size() - position;
    add_bytes(file.bytes(position, static_cast<std::size_t>(std::min(step, left))), digest);
  }
  return file.size();
}

// Those that a reader of the folder may open: links are followed, except to a folder above.
void find_files_below(const std::filesystem::path& folder,
                      std::vector<std::filesystem::path>& above,
                      std::vector<std::filesystem::path>& files) {
  const std::filesystem::path real = std::filesystem::canonical(folder);
  if (std::find(above.begin(), above.end(), real) != above.end()) return;
  above.push_back(real);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::error_code dangling;
    if (entry.is_directory(dangling)) find_files_below(entry.path(), above, files);
    if (entry.is_regular_file(dangling)) files.push_back(entry.path());
  }
  above.pop_back();
}

FileIdentity identify_folder(const std::filesystem::path& folder, InputWitness* witness) {
  FileIdentity identity{folder.string(), 0, {}};
  std::vector<std::filesystem::path> above;
  std::vector<std::filesystem::path> files;
  find_files_below(folder, above, files);
  if (files.empty()) throw InputError(folder.string() + ": expected a file in it, got none");
  std::sort(files.begin(), files.end());
  Digest digest;
  for (const std::filesystem::path& path : files) {
    const std::string name = path.lexically_relative(folder).string();
    digest.add(std::uint64_t{name.size()});
    add_bytes(std::as_bytes(std::span(name)), digest);
    identity.bytes += add_file(path, witness, digest);
  }
  identity.digest = digest.to_string();
  return identity;
}

}  // namespace

FileIdentity identify_file(const std::filesystem::path& path, InputWitness* witness) {
  if (std::filesystem::is_directory(path)) return identify_folder(path, witness);
  Digest digest;
  const std::uint64_t bytes = add_file(path, witness, digest);
  return {path.string(), bytes, digest.to_string()};
}

}  // namespace tracebed
