// The log of rounds as a Redis stream, `tracebed:{RUN}:log`. Each entry is one piece
// (protocol/round_codec.h) in the field `piece`; the n-th piece, from 0, has the entry id
// `(n+1)-0`, so an entry cannot be written twice nor out of order.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "coordinator/real/redis_connection.h"
#include "core/names.h"
#include "core/round_log.h"
#include "protocol/log_file.h"
#include "protocol/round_codec.h"

namespace tracebed {

// What commit() guarantees for the appended rounds.
enum class RedisDurability : std::uint8_t {
  sent,          // it was sent; a few thousand pieces at most may be lost with Redis
  acknowledged,  // Redis has it, as safe as Redis' own persistence makes it
};

// The key of a run's part of the state, for instance `tracebed:{run-7}:log`. The braces keep all
// keys of a run on one node of a Redis cluster.
std::string redis_key(std::string_view run, std::string_view part);

class RedisRoundLog final : public RoundLog {
 public:
  // Throws EnvironmentError if the run has a log there already. `connection`, which others may use
  // too, and `names` outlive the log. `copy`, if there is one, receives each piece before Redis: it
  // holds everything that may have had an effect, even if Redis is lost; it outlives the log, too.
  RedisRoundLog(RedisConnection& connection, std::string run, const Names& names,
                RedisDurability durability, PieceFileWriter* copy = nullptr);

  void append(const Round& round) override;
  // Throws EnvironmentError if Redis is gone: the address, and how many rounds may be lost; or if
  // it came back without a part of the log.
  void commit() override;
  // Writes the mark that the run has ended and waits until Redis has everything.
  void finish();
  // Writes that mark into the copy alone, for a run that failed; Redis may be gone.
  void finish_copy();

  std::uint64_t rounds() const { return rounds_; }

 private:
  std::string_view write_piece(bool is_last);
  void send(std::string_view piece);
  void count_safe_rounds();
  void look_after_return();
  // Runs `write` and adds to its failure the consequence for the log.
  void guarded(const std::function<void()>& write);

  RedisConnection& connection_;
  std::string key_;
  RoundEncoder encoder_;
  RedisDurability durability_;
  PieceFileWriter* copy_;
  std::uint64_t pieces_ = 0;
  std::uint64_t returns_ = 0;      // of Redis, after which the log was whole
  std::uint64_t rounds_ = 0;       // appended
  std::uint64_t rounds_safe_ = 0;  // acknowledged by Redis

  // A piece in flight: the number of its command, and the rounds up to its end.
  struct SentPiece {
    std::uint64_t command = 0;
    std::uint64_t rounds = 0;
  };
  std::deque<SentPiece> sent_;
};

// Reads a run's log back.
class RedisRoundSource final : public RoundSource {
 public:
  // Fills `names`, which is empty. Both outlive the source.
  RedisRoundSource(RedisConnection& connection, std::string_view run, Names& names);

  // Throws InputError on a damaged log or one with entries missing.
  bool next(Round& round) override;
  // After next() returned false: whether the log has its end.
  bool is_whole() const { return decoder_.saw_last(); }

 private:
  RedisConnection& connection_;
  std::string run_;
  RoundDecoder decoder_;
  std::uint64_t next_piece_ = 0;
};

}  // namespace tracebed
