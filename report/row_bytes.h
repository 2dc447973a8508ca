// The bytes of a file of rows, plain or compressed (its name ends with ".zst"), from front to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace tracebed {

class InputWitness;

class RowBytes {
 public:
  virtual ~RowBytes() = default;
  // `count` bytes from `begin` on, or fewer if the file ends before; valid until the next call.
  // `begin` is at most where an earlier part ended, and not before the last one's begin. Throws
  // InputError; of a compressed file whose writer was killed, TruncatedFile behind what there is.
  virtual std::string_view part(std::uint64_t begin, std::size_t count) = 0;
  // Whether the file ends where the last part did.
  virtual bool is_at_end() const = 0;
};

inline constexpr std::string_view compressed_suffix = ".zst";

// `witness`, unless it is null, verifies the file's own bytes; it outlives the result. Throws
// InputError.
std::unique_ptr<RowBytes> open_rows(const std::filesystem::path& path,
                                    InputWitness* witness = nullptr);

}  // namespace tracebed
