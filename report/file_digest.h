// What a run record contains about a file it depends on, to find out whether another run read the
// same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tracebed {

class InputWitness;

struct FileIdentity {
  std::string file;  // as given
  std::uint64_t bytes = 0;
  std::string digest;  // of the contents, 32 hexadecimal digits (core/digest.h)

  bool operator==(const FileIdentity&) const = default;
};

// Reads the whole file, or of a folder all files below it, whose names count too. `witness`, unless
// it is null, verifies what is read. Throws InputError if a file cannot be read or changes
// meanwhile, and for a folder without files.
FileIdentity identify_file(const std::filesystem::path& path, InputWitness* witness = nullptr);

}  // namespace tracebed
