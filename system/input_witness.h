// Proof that every reading of an input found the same bytes: schedulers that are compared have
// replayed one trace, and a record names what was replayed. What the first reading of a file found
// is kept as hashes (XXH3, 64 bits); later ones are verified block by block, before any byte of a
// block is used, however far they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tracebed {

// Several threads may read at a time.
class InputWitness {
 public:
  // Of which one hash is kept: eight bytes and their place in a table for every 256 KiB.
  static constexpr std::size_t block_bytes = std::size_t{256} << 10;

  // The bytes of `file` from `position` on, a multiple of block_bytes: a block, or what is left of
  // the file. Throws InputError, naming the file, if an earlier reading found others there.
  void check_block(const std::string& file, std::uint64_t position, std::string_view bytes);
  // Likewise where the file ends.
  void check_end(const std::string& file, std::uint64_t size);
  // Likewise which files are read of a folder.
  void check_listing(const std::string& folder, std::span<const std::string> files);

 private:
  struct Seen {
    std::map<std::uint64_t, std::uint64_t> blocks;  // position → hash
    std::optional<std::uint64_t> size;
  };

  std::mutex mutex_;
  std::map<std::string, Seen> files_;
  std::map<std::string, std::string> listings_;  // by folder
};

}  // namespace tracebed
