// Checksums for the program, which is linked statically: ISA-L is a shared library only.
#include "protocol/hdfs/chunk_checksums.h"
#include "protocol/hdfs/portable_crc.h"

namespace tracebed::hdfs {

std::uint32_t crc32(Bytes data) {
  return portable_crc32(data);
}

std::uint32_t crc32c(Bytes data) {
  return portable_crc32c(data);
}

std::uint32_t continued_crc32c(std::uint32_t before, Bytes data) {
  return portable_crc32c(data, before);
}

}  // namespace tracebed::hdfs
