// The checksums of chunk_checksums.h by Intel's ISA-L, which is the fastest, and a shared library
// only.
#include <isa-l/crc.h>

#include "protocol/hdfs/chunk_checksums.h"

namespace tracebed::hdfs {

// ISA-L's function does not change the bytes, and leaves the inversions to its caller.
std::uint32_t continued_crc32c(std::uint32_t before, Bytes data) {
  auto* bytes = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(data.data()));
  return ~crc32_iscsi(bytes, static_cast<int>(data.size()), ~before);
}

std::uint32_t crc32c(Bytes data) {
  return continued_crc32c(0, data);
}

std::uint32_t crc32(Bytes data) {
  return crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(data.data()), data.size());
}

}  // namespace tracebed::hdfs
