#include "report/file_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "core/input_error.h"
#include "system/file_window.h"
#include "system/files_below.h"
#include "system/plain_message.h"

namespace tracebed {
namespace {

constexpr std::string_view before_own = "  \"sha256\": \"";
constexpr std::string_view after_own = "\"\n}\n";
constexpr std::size_t sha256_digits = 64;
constexpr std::size_t own_bytes = before_own.size() + sha256_digits + after_own.size();

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw InputError(fmt::format("{}: {}", path.string(), what));
}

void check_file(const std::filesystem::path& folder, const ListedFile& listed, FileCheck check,
                InputWitness* witness) {
  if (!is_path_below(listed.file)) {
    refuse(folder, fmt::format("expected files below the folder, got \"{}\"", listed.file));
  }
  const std::filesystem::path path = folder / listed.file;
  const FileChecksum& expected = listed.checksum;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    refuse(path, fmt::format("expected a file of {} bytes, as listed in the folder's record; {}",
                             expected.bytes,
                             std::filesystem::exists(path, error) ? "this is not a regular file"
                                                                  : "it is missing"));
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) refuse(path, error.message());
  if (bytes != expected.bytes) {
    refuse(path, fmt::format(
                     "expected {} bytes, as listed in the folder's record, got {}: the file was {}",
                     expected.bytes, bytes, bytes < expected.bytes ? "truncated" : "changed"));
  }
  if (check == FileCheck::sizes) return;
  const FileChecksum found = checksum_of_file(path, witness);
  if (found != expected) {
    refuse(
        path,
        fmt::format(
            "expected SHA-256 {}, as listed in the folder's record, got {}: the file was changed",
            expected.sha256, found.sha256));
  }
}

}  // namespace

// Read in pieces, so that a file of any size takes little memory.
FileChecksum checksum_of_file(const std::filesystem::path& path, InputWitness* witness) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
  FileWindow file(path, witness);
  ChecksumBuilder builder;
  for (std::uint64_t at = 0; at < file.size(); at += piece_bytes) {
    const auto size = static_cast<std::size_t>(std::min(piece_bytes, file.size() - at));
    const std::span<const std::byte> piece = file.bytes(at, size);
    builder.add({reinterpret_cast<const char*>(piece.data()), piece.size()});
  }
  return builder.checksum();
}

void check_files(const std::filesystem::path& folder, const std::vector<ListedFile>& files,
                 FileCheck check, InputWitness* witness) {
  for (const ListedFile& file : files) check_file(folder, file, check, witness);
}

std::string with_own_checksum(Json root) {
  constexpr int indent = 2;
  root.erase("sha256");
  std::string text = root.dump(indent, ' ', false, Json::error_handler_t::replace);
  text.resize(text.size() - std::string_view("\n}").size());
  text += ",\n";
  const std::string own = checksum_of(text).sha256;
  text += before_own;
  text += own;
  text += after_own;
  return text;
}

void check_format_version(const std::filesystem::path& path, std::uint32_t version,
                          std::uint32_t expected) {
  if (version == expected) return;
  constexpr std::uint32_t first_with_checksums = 2;
  throw InputError(
      fmt::format("{}: expected format version {}, got {}, which {} Tracebed wrote{}; read it with "
                  "that one, or "
                  "run the experiment again",
                  path.string(), expected, version, version < expected ? "an older" : "a newer",
                  version < first_with_checksums ? ", without checksums of the files" : ""));
}

Json parse_json_file(const std::filesystem::path& path, std::string_view text) {
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(error.byte, text.size()));
    throw InputError(fmt::format("{}:{}: expected JSON: {}", path.string(),
                                 1 + std::count(before.begin(), before.end(), '\n'),
                                 plain_message(error)));
  }
}

void check_own_checksum(const std::filesystem::path& path, std::string_view text) {
  const std::size_t begin = text.size() - std::min(text.size(), own_bytes);
  const std::string_view own = text.substr(begin);
  if (own.size() < own_bytes || !own.starts_with(before_own) || !own.ends_with(after_own)) {
    refuse(path,
           "expected the file's own SHA-256 in its last two lines, got none: the file was "
           "truncated or changed");
  }
  const std::string_view expected = own.substr(before_own.size(), sha256_digits);
  const std::string found = checksum_of(text.substr(0, begin)).sha256;
  if (found != expected) {
    refuse(path, fmt::format("expected SHA-256 {} of the lines before the last two, got {}: the "
                             "file was changed",
                             expected, found));
  }
}

}  // namespace tracebed
