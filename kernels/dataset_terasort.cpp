#include "kernels/dataset_terasort.h"

#include <cstring>

#include "core/mix.h"

namespace tracebed::kernels {
namespace {

// Eight hexadecimal digits, the most significant first. Each step halves the digits of a lane.
std::uint64_t hexadecimal(std::uint32_t number) {
  std::uint64_t digits = number;
  digits = (digits | (digits << 16)) & 0x0000FFFF0000FFFFu;
  digits = (digits | (digits << 8)) & 0x00FF00FF00FF00FFu;
  digits = (digits | (digits << 4)) & 0x0F0F0F0F0F0F0F0Fu;
  const std::uint64_t above_nine = ((digits + 0x0606060606060606u) >> 4) & 0x0101010101010101u;
  return swap_bytes(digits + 0x3030303030303030u + above_nine * ('A' - '0' - 10));
}

constexpr std::uint32_t digit_in_four_bytes = 0x01010101u;

}  // namespace

TerasortDataset::TerasortDataset(std::uint64_t seed, std::uint64_t units)
    : Dataset(bytes_per_unit, units), key_(mix(seed)) {}

void TerasortDataset::fill_unit(std::uint64_t index, std::byte* to) const {
  const std::uint64_t first = mix(key_ ^ (2 * index));
  const std::uint64_t second = mix(key_ ^ (2 * index + 1));
  store(to, first);
  store(to + 8, static_cast<std::uint16_t>(second));
  store(to + 10, std::uint16_t{0x1100});
  std::memset(to + 12, '0', 16);
  store(to + 28, hexadecimal(static_cast<std::uint32_t>(index >> 32)));
  store(to + 36, hexadecimal(static_cast<std::uint32_t>(index)));
  store(to + 44, std::uint32_t{0xBBAA9988});
  const std::uint64_t eight = hexadecimal(static_cast<std::uint32_t>(first));
  const std::uint64_t four = hexadecimal(static_cast<std::uint32_t>(second)) >> 32;
  for (std::size_t i = 0; i < 12; ++i) {
    const std::uint64_t digits = i < 8 ? eight >> (8 * i) : four >> (8 * i - 64);
    store(to + 48 + 4 * i, static_cast<std::uint32_t>(digits & 0xFF) * digit_in_four_bytes);
  }
  store(to + 96, std::uint32_t{0xFFEEDDCC});
}

}  // namespace tracebed::kernels
