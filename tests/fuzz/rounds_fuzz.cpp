// Pieces of a round log, compressed or not, from anywhere: a recorded run's file may be damaged, or
// made by others.
#include <cstring>
#include <span>

#include "core/check.h"
#include "fuzz/fuzz_target.h"
#include "protocol/piece_compression.h"
#include "protocol/random_rounds.h"
#include "protocol/round_codec.h"

namespace tracebed::fuzz {
namespace {

// Everything that stands in a decoded round can be encoded again, and comes back the same.
void check_round_trip(const Round& round, const Names& names) {
  RoundEncoder encoder(names);
  encoder.add(round);
  Names names_again;
  RoundDecoder decoder(names_again);
  const Status loaded = decoder.load(encoder.finish_piece());
  TRACEBED_CHECK(loaded.has_value(), "what was decoded can be encoded and decoded again");
  Round again;
  TRACEBED_CHECK(decoder.next(again), "and is a round");
  TRACEBED_CHECK(again.now == round.now && again.arrivals.size() == round.arrivals.size() &&
                     again.jobs().size() == round.jobs().size() &&
                     again.machines == round.machines && again.storage == round.storage,
                 "that equals the first");
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> pieces;
  PieceCompressor compressor;
  const auto add = [&](std::span<const std::byte> bytes) {
    if (!bytes.empty()) {
      pieces.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  };
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Names names;
    test::RandomRounds rounds(seed, names);
    RoundEncoder encoder(names);
    Round round;
    for (std::uint64_t count = 0; count < 1 + 4 * seed; ++count) {
      round.clear();
      rounds.fill(round);
      encoder.add(round);
    }
    const std::span<const std::byte> piece = encoder.finish_piece(seed % 2 == 0);
    add(piece);
    add(compressor.compress(piece));
  }
  return pieces;
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  std::vector<std::byte> piece;
  tracebed::PieceDecompressor decompressor;
  const bool is_compressed = decompressor.decompress(bytes, piece).has_value();
  tracebed::Names names;
  tracebed::RoundDecoder decoder(names);
  if (!decoder.load(is_compressed ? std::span<const std::byte>(piece) : bytes)) return 0;
  tracebed::Round round;
  while (decoder.next(round)) tracebed::fuzz::check_round_trip(round, names);
  return 0;
}
