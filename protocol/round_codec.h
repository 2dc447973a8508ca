// Rounds (core/fleet.h) to and from pieces: byte strings that hold many consecutive rounds. A log
// is a sequence of pieces, in a file (protocol/log_file.h) or in a Redis stream. A piece also
// carries the names of users, queues and racks that are new since the previous one, so a log can be
// read without the trace that it was made from.
//
// The decoded rounds equal the encoded ones, except that jobs and machines of a round are numbered
// in the order in which its arrivals name them, and that those which no arrival names are not kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/fleet.h"
#include "core/names.h"
#include "core/result.h"

namespace tracebed {

class RoundEncoder {
 public:
  // `names` holds every name that the rounds use by the time a round is added, and outlives this.
  explicit RoundEncoder(const Names& names);
  ~RoundEncoder();
  RoundEncoder(const RoundEncoder&) = delete;
  RoundEncoder& operator=(const RoundEncoder&) = delete;

  void add(const Round& round);
  bool is_empty() const;
  // The approximate size of the piece of the rounds added so far.
  std::size_t bytes() const;
  // Makes a piece of the rounds added since the last one. The bytes, aligned to eight, are valid
  // until the next call. `is_last` marks the end of the run.
  std::span<const std::byte> finish_piece(bool is_last = false);

 private:
  struct Columns;
  std::unique_ptr<Columns> columns_;
};

class RoundDecoder {
 public:
  // Fills `names` as pieces add them; it must be empty at first, and outlive this.
  explicit RoundDecoder(Names& names);
  ~RoundDecoder();
  RoundDecoder(const RoundDecoder&) = delete;
  RoundDecoder& operator=(const RoundDecoder&) = delete;

  // Takes the next piece, whose bytes are copied. It is verified as a whole: structure, counts,
  // ranges, order of time. After an error the decoder's position is unchanged.
  Status load(std::span<const std::byte> piece);
  // Clears and fills `round` with the piece's next one, or returns false after its last.
  bool next(Round& round);
  // True once the piece that marks the end of the run was loaded.
  bool saw_last() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tracebed
