#include "system/mapped_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"

namespace tracebed {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const auto fail = [&](int error) {
    throw InputError("cannot read " + path.string() + ": " + error_text(error));
  };
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) fail(errno);
  struct stat status {};
  int error = ::fstat(file.number(), &status) == 0 ? 0 : errno;
  if (error == 0 && !S_ISREG(status.st_mode)) error = EISDIR;
  if (error == 0 && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (mapped == MAP_FAILED) {
      error = errno;
    } else {
      data_ = static_cast<const char*>(mapped);
    }
  }
  if (error != 0) fail(error);
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
