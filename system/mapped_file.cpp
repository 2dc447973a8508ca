#include "system/mapped_file.h"

#include <cerrno>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/input_error.h"
#include "system/regular_file.h"

namespace tracebed {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& reason) {
    throw InputError("cannot read " + path.string() + ": " + reason);
  };
  const Result<FileDescriptor> file = open_regular_file(path);
  if (!file) fail(file.error().message);
  struct stat status {};
  if (::fstat(file->number(), &status) != 0) fail(error_text(errno));
  if (status.st_size == 0) return;
  size_ = static_cast<std::size_t>(status.st_size);
  void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file->number(), 0);
  if (mapped == MAP_FAILED) fail(error_text(errno));
  data_ = static_cast<const char*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

void MappedFile::release_before(std::size_t end) {
  constexpr std::size_t step = std::size_t{4} << 20;  // a call for more than a few pages
  if (end < released_ + step) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  end = end / page * page;
  // Only advice: if it is refused, the pages stay until the file is closed.
  ::madvise(const_cast<char*>(data_) + released_, end - released_, MADV_DONTNEED);
  released_ = end;
}

}  // namespace tracebed
