// Verifies a piece of a log before anything is read from it. Private to the round codec.
#pragma once

#include <cstdint>
#include <span>

#include "core/names.h"
#include "core/result.h"
#include "log_generated.h"
#include "protocol/piece_rows.h"

namespace tracebed::log {

using NameVector = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

// The position that the pieces so far have reached in a log.
struct PiecePosition {
  std::uint64_t next_piece = 0;
  std::int64_t last_round_time = 0;
  bool saw_last = false;
};

// Checks structure, counts and ranges of the piece that follows `position`, and moves it. `names`
// are those of the pieces before. Fills `rows`, which is empty, with those that are packed.
Status verify_piece(std::span<const std::uint8_t> bytes, const Names& names,
                    PiecePosition& position, PieceRows& rows);

}  // namespace tracebed::log
