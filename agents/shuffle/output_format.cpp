#include "agents/shuffle/output_format.h"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/hdfs/chunk_checksums.h"

namespace tracebed {

std::uint32_t OutputTrailer::right_own_crc() const {
  const auto bytes = std::as_bytes(std::span(this, std::size_t{1}));
  return hdfs::crc32c(bytes.first(offsetof(OutputTrailer, own_crc)));
}

std::optional<OutputTrailer> read_trailer(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  OutputTrailer trailer;
  if (size < sizeof(trailer)) return std::nullopt;
  const auto count =
      pread(file, &trailer, sizeof(trailer), static_cast<off_t>(size - sizeof(trailer)));
  const bool is_whole =
      count == static_cast<ssize_t>(sizeof(trailer)) && trailer.mark == OutputTrailer::right_mark &&
      trailer.own_crc == trailer.right_own_crc() && trailer.length <= shuffle::output_bytes_max &&
      size == blocks_bytes(trailer.length) + sizeof(trailer);
  if (!is_whole) return std::nullopt;
  return trailer;
}

OutputFailure output_failure(int error_number, const char* action) {
  using shuffle::OutputStatus;
  const std::string message = std::string(action) + ": " + error_text(error_number);
  switch (error_number) {
    case ENOENT:
      return {OutputStatus::unknown_output, message};
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return {OutputStatus::no_space, message};
    default:
      return {OutputStatus::failed, message};
  }
}

}  // namespace tracebed
