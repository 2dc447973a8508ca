// Room for text that is made while a document is read and discarded with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace tracebed {

class TextArena {
 public:
  // Room for `bytes` bytes, whose address is stable until clear().
  char* room(std::size_t bytes) {
    if (pieces_.empty() || pieces_.back().size - used_ < bytes) {
      const std::size_t size = std::max(piece_bytes, bytes);
      pieces_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
      used_ = 0;
    }
    char* const begin = pieces_.back().bytes.get() + used_;
    used_ += bytes;
    return begin;
  }
  // A copy of the text.
  std::string_view keep(std::string_view text) {
    char* const begin = room(text.size());
    std::copy(text.begin(), text.end(), begin);
    return {begin, text.size()};
  }
  // Keeps the memory of one piece.
  void clear() {
    if (pieces_.size() > 1) pieces_.resize(1);
    used_ = 0;
  }

 private:
  static constexpr std::size_t piece_bytes = 1 << 16;
  struct Piece {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };
  std::vector<Piece> pieces_;
  std::size_t used_ = 0;  // of the last one
};

}  // namespace tracebed
