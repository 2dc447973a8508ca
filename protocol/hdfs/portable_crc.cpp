#include "protocol/hdfs/portable_crc.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace tracebed::hdfs {
namespace {

constexpr std::size_t slices = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, slices>;

// Kounavis and Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC Generation":
// eight bytes at a time.
constexpr Tables tables_of(std::uint32_t reflected_polynomial) {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? reflected_polynomial : 0);
    }
    tables[0][byte] = crc;
  }
  for (std::size_t slice = 1; slice < slices; ++slice) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[slice - 1][byte];
      tables[slice][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables crc32_tables = tables_of(0xedb88320);
constexpr Tables crc32c_tables = tables_of(0x82f63b78);

std::uint32_t table_crc(const Tables& tables, Bytes data, std::uint32_t before) {
  std::uint32_t crc = ~before;
  for (; data.size() >= slices; data = data.subspan(slices)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data.data(), sizeof(word));
    word ^= crc;
    crc = 0;
    for (std::size_t i = 0; i < slices; ++i) {
      crc ^= tables[slices - 1 - i][(word >> (8 * i)) & 0xff];
    }
  }
  for (const std::byte byte : data) {
    crc = (crc >> 8) ^ tables[0][(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xff];
  }
  return ~crc;
}

__attribute__((target("sse4.2"))) std::uint32_t instruction_crc32c(Bytes data,
                                                                   std::uint32_t before) {
  std::uint64_t crc = ~before;
  for (; data.size() >= sizeof(crc); data = data.subspan(sizeof(crc))) {
    std::uint64_t word = 0;
    std::memcpy(&word, data.data(), sizeof(word));
    crc = __builtin_ia32_crc32di(crc, word);
  }
  auto rest = static_cast<std::uint32_t>(crc);
  for (const std::byte byte : data) {
    rest = __builtin_ia32_crc32qi(rest, std::to_integer<unsigned char>(byte));
  }
  return ~rest;
}

}  // namespace

std::uint32_t portable_crc32(Bytes data) {
  return table_crc(crc32_tables, data, 0);
}

std::uint32_t table_crc32c(Bytes data, std::uint32_t before) {
  return table_crc(crc32c_tables, data, before);
}

std::uint32_t portable_crc32c(Bytes data, std::uint32_t before) {
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  return has_instruction ? instruction_crc32c(data, before) : table_crc32c(data, before);
}

}  // namespace tracebed::hdfs
