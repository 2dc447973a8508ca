// A file's bytes without a copy of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace tracebed {

// The bytes of a regular file, read-only, for the life of the object. The file must not be
// truncated meanwhile.
class MappedFile {
 public:
  // Throws InputError if the file cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // They begin at a multiple of the page size.
  std::string_view bytes() const { return {data_, size_}; }
  // The bytes before `end` will not be needed soon: their pages may be given back.
  void release_before(std::size_t end);

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t released_ = 0;  // bytes at the front
};

}  // namespace tracebed
