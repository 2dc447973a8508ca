#include "coordinator/real/redis_round_log.h"

#include <fmt/format.h>
#include <optional>
#include <span>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {

namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string entry_id(std::uint64_t piece) {
  return fmt::format("{}-0", piece + 1);
}

// The piece with this number, in `reply`, or nothing after the last. An entry that is there in its
// place is a damaged log.
std::optional<std::span<const std::byte>> piece_in(const redisReply& reply, std::string_view run,
                                                   std::uint64_t number) {
  if (reply.type != REDIS_REPLY_ARRAY) {
    throw InputError(fmt::format("the log of run {} is not a stream of entries", run));
  }
  if (reply.elements == 0) return std::nullopt;
  const auto refuse = [&](std::string_view came) {
    throw InputError(
        fmt::format("the log of run {} is damaged: expected entry {} with a piece, got {}", run,
                    entry_id(number), came));
  };
  const redisReply& entry = *reply.element[0];
  const redisReply& id = *entry.element[0];
  const redisReply& fields = *entry.element[1];
  if (entry_id(number) != id.str) refuse(id.str);
  if (fields.elements != 2 || std::string_view(fields.element[0]->str) != "piece") {
    refuse("other fields");
  }
  const redisReply& piece = *fields.element[1];
  return std::as_bytes(std::span(piece.str, piece.len));
}

// A Redis that was restarted without a part of what it had acknowledged.
struct LogIsLost : EnvironmentError {
  using EnvironmentError::EnvironmentError;
};

// Entries are read one by one: a piece may be as large as a round is.
RedisReply ask_for_piece(RedisConnection& connection, std::string_view run, std::uint64_t number) {
  return connection.ask({"XRANGE", redis_key(run, "log"), entry_id(number), "+", "COUNT", "1"});
}

}  // namespace

std::string redis_key(std::string_view run, std::string_view part) {
  return fmt::format("tracebed:{{{}}}:{}", run, part);
}

RedisRoundLog::RedisRoundLog(RedisConnection& connection, std::string run, const Names& names,
                             RedisDurability durability, PieceFileWriter* copy)
    : connection_(connection),
      key_(redis_key(run, "log")),
      encoder_(names),
      durability_(durability),
      copy_(copy) {
  returns_ = connection_.returns();
  if (connection_.ask({"EXISTS", key_})->integer != 0) {
    throw EnvironmentError(
        fmt::format("Redis at {} already has a log of run {}", connection_.address(), run));
  }
}

void RedisRoundLog::append(const Round& round) {
  encoder_.add(round);
  ++rounds_;
}

void RedisRoundLog::commit() {
  const std::string_view piece =
      encoder_.is_empty() ? std::string_view() : write_piece(/*is_last=*/false);
  guarded([&] {
    if (!piece.empty()) send(piece);
    if (durability_ == RedisDurability::acknowledged) {
      connection_.wait_for_replies();
    } else {
      connection_.flush();
    }
  });
}

void RedisRoundLog::finish() {
  const std::string_view piece = write_piece(/*is_last=*/true);
  guarded([&] {
    send(piece);
    connection_.wait_for_replies();
  });
}

void RedisRoundLog::finish_copy() {
  if (copy_ != nullptr) write_piece(/*is_last=*/true);
}

void RedisRoundLog::count_safe_rounds() {
  // Redis answers in the order of the commands.
  while (!sent_.empty() && sent_.front().command <= connection_.commands_answered()) {
    rounds_safe_ = sent_.front().rounds;
    sent_.pop_front();
  }
}

std::string_view RedisRoundLog::write_piece(bool is_last) {
  const std::span<const std::byte> piece = encoder_.finish_piece(is_last);
  if (copy_ != nullptr) copy_->write(piece);
  return as_text(piece);
}

void RedisRoundLog::send(std::string_view piece) {
  connection_.send({"XADD", key_, entry_id(pieces_), "piece", piece});
  ++pieces_;
  sent_.push_back({connection_.commands_sent(), rounds_});
}

// Redis keeps what it has answered only as well as its own persistence does.
void RedisRoundLog::look_after_return() {
  while (returns_ != connection_.returns()) {
    returns_ = connection_.returns();
    const long long there = connection_.ask({"XLEN", key_})->integer;
    if (there == static_cast<long long>(pieces_)) continue;
    throw LogIsLost(
        fmt::format("Redis at {} returned with {} of the log's {} pieces: it lost what it had "
                    "answered, as its persistence allows. This run's log in Redis is not whole",
                    connection_.address(), there, pieces_));
  }
}

void RedisRoundLog::guarded(const std::function<void()>& write) {
  try {
    write();
    look_after_return();
    count_safe_rounds();
  } catch (const LogIsLost&) {
    throw;  // nothing that was answered is safe
  } catch (const EnvironmentError& error) {
    count_safe_rounds();
    throw EnvironmentError(
        fmt::format("{}. Of the {} rounds of this run, those after the first {} "
                    "may be missing from its log in Redis",
                    error.what(), rounds_, rounds_safe_));
  }
}

RedisRoundSource::RedisRoundSource(RedisConnection& connection, std::string_view run, Names& names)
    : connection_(connection), run_(run), decoder_(names) {}

bool RedisRoundSource::next(Round& round) {
  while (!decoder_.next(round)) {
    const RedisReply reply = ask_for_piece(connection_, run_, next_piece_);
    const auto piece = piece_in(*reply, run_, next_piece_);
    if (!piece) return false;
    if (const Status loaded = decoder_.load(*piece); !loaded) {
      throw InputError(
          fmt::format("the log of run {} is damaged: {}", run_, loaded.error().message));
    }
    ++next_piece_;
  }
  return true;
}

}  // namespace tracebed
