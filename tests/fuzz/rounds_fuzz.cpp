// Pieces of a round log from anywhere: a recorded run's file may be damaged, or made by others.
#include <cstring>
#include <span>

#include "core/check.h"
#include "fuzz/fuzz_target.h"
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
    pieces.emplace_back(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  return pieces;
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::Names names;
  tracebed::RoundDecoder decoder(names);
  if (!decoder.load(std::as_bytes(std::span(data, size)))) return 0;
  tracebed::Round round;
  while (decoder.next(round)) tracebed::fuzz::check_round_trip(round, names);
  return 0;
}
