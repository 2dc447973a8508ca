// The output for a file that is written sequentially.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "report/file_checksum.h"

namespace tracebed {

class ByteOutput {
 public:
  virtual ~ByteOutput() = default;
  // Writes all of them. Throws EnvironmentError if it cannot.
  virtual void write(std::string_view bytes) = 0;
  // Ends the file. Throws EnvironmentError.
  virtual void close() = 0;
};

// Files by their names, each made once.
class OutputFolder {
 public:
  virtual ~OutputFolder() = default;
  virtual std::unique_ptr<ByteOutput> create(const std::string& name) = 0;
};

// A file that must not exist before. Its checksum is computed as it is written, and passed to
// `closed` when it is closed; `closed` may be empty. Throws EnvironmentError naming the file.
std::unique_ptr<ByteOutput> create_file(const std::filesystem::path& path,
                                        std::function<void(const FileChecksum&)> closed = {});

// What is written to it is compressed by Zstandard on its way to `to`. A reader of what `to` has
// got gets all that was written here.
std::unique_ptr<ByteOutput> compressed(std::unique_ptr<ByteOutput> to);

}  // namespace tracebed
