// The files whose checksums a record lists: a run's run.json, an experiment's experiment.json, a
// comparison's comparison.json. And JSON files that contain their own checksum.
//
// Such a file ends with the lines
//
//     "sha256": "…"
//   }
//
// whose value is the SHA-256 of all lines before them: `head -n -2 run.json | sha256sum`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "report/file_checksum.h"
#include "report/json_fields.h"

namespace tracebed {

class InputWitness;

struct ListedFile {
  std::string file;  // its path below the folder of the record
  FileChecksum checksum;

  bool operator==(const ListedFile&) const = default;
};

enum class FileCheck : std::uint8_t {
  sizes,     // of files that this process has written: each exists, with its size unchanged
  contents,  // each is read, and has the listed SHA-256
};

// Reads it, and notes in `witness`, unless it is null, what was read. Throws InputError.
FileChecksum checksum_of_file(const std::filesystem::path& path, InputWitness* witness = nullptr);

// Throws InputError about the first file that differs from the list: its path, what was expected
// and what was found. Later readings with the same `witness` are verified against this one.
void check_files(const std::filesystem::path& folder, const std::vector<ListedFile>& files,
                 FileCheck check, InputWitness* witness = nullptr);

template <class Fields, class File>
void listed_file_fields(Fields& fields, File& file) {
  fields("file", file.file);
  fields("bytes", file.checksum.bytes);
  fields("sha256", file.checksum.sha256);
}

// `root` is an object; it becomes the file's text, with the two lines at its end.
std::string with_own_checksum(Json root);

// Throws InputError if the file's format version is not the one this program writes, naming both.
void check_format_version(const std::filesystem::path& path, std::uint32_t version,
                          std::uint32_t expected);

// The file's document, not checked yet. Throws InputError for a file that cannot be read or is not
// JSON, naming the line.
Json parse_json_file(const std::filesystem::path& path, std::string_view text);

// Throws InputError if the text does not end with the two lines, or they do not fit the rest.
void check_own_checksum(const std::filesystem::path& path, std::string_view text);

}  // namespace tracebed
