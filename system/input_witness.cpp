#include "system/input_witness.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

[[noreturn]] void refuse_change(const std::string& file, const std::string& expected,
                                const std::string& got) {
  throw InputError(fmt::format(
      "{}: changed while it was in use: expected {}, as its first reading found, got {}", file,
      expected, got));
}

}  // namespace

void InputWitness::check_block(const std::string& file, std::uint64_t position,
                               std::string_view bytes) {
  TRACEBED_CHECK(position % block_bytes == 0 && bytes.size() <= block_bytes,
                 "hashes are those of whole blocks");
  const std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size());
  const std::lock_guard lock(mutex_);
  const auto [known, is_first] = files_[file].blocks.try_emplace(position, hash);
  if (is_first || known->second == hash) return;
  refuse_change(file, fmt::format("the same bytes from byte {} on", position), "others");
}

void InputWitness::check_end(const std::string& file, std::uint64_t size) {
  const std::lock_guard lock(mutex_);
  std::optional<std::uint64_t>& known = files_[file].size;
  if (!known) known = size;
  if (*known == size) return;
  refuse_change(file, fmt::format("{} bytes", *known), fmt::format("{}", size));
}

void InputWitness::check_listing(const std::string& folder, std::span<const std::string> files) {
  const std::string text = files.empty() ? "no file" : fmt::format("{}", fmt::join(files, ", "));
  const std::lock_guard lock(mutex_);
  const auto [known, is_first] = listings_.try_emplace(folder, text);
  if (is_first || known->second == text) return;
  refuse_change(folder, known->second, text);
}

}  // namespace tracebed
