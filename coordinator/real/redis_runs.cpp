#include "coordinator/real/redis_runs.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "coordinator/real/redis_round_log.h"

namespace tracebed {
namespace {

constexpr std::string_view index_key = "tracebed:runs";
// Of all keys and entries, looked through in steps of so many.
constexpr std::string_view step = "1000";

std::string to_text(const RedisRun& run) {
  const nlohmann::ordered_json json{{"owner", run.owner}, {"folder", run.folder},
                                    {"began", run.began}, {"ended", run.ended},
                                    {"keys", run.keys},   {"log_bytes", run.log_bytes}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// Others may write there, too.
std::optional<RedisRun> to_run(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  const auto has = [&](const char* key, bool is_text) {
    const auto found = json.find(key);
    return found != json.end() && (is_text ? found->is_string() : found->is_number_integer());
  };
  if (!has("owner", true) || !has("folder", true)) return std::nullopt;
  for (const char* number : {"began", "ended", "keys", "log_bytes"}) {
    if (!has(number, false)) return std::nullopt;
  }
  return RedisRun{json["owner"], json["folder"], json["began"],
                  json["ended"], json["keys"],   json["log_bytes"]};
}

// The run of a key (redis_key()), or nothing of one that is no run's.
std::string_view run_of(std::string_view key) {
  constexpr std::string_view prefix = "tracebed:{";
  if (!key.starts_with(prefix)) return {};
  key.remove_prefix(prefix.size());
  const std::size_t end = key.find("}:");
  return end == std::string_view::npos ? std::string_view() : key.substr(0, end);
}

std::string_view text_of(const redisReply& reply) {
  return {reply.str, reply.len};
}

// Replies of a scan until the last, of what `ask(cursor)` asks for; `use` gets their elements.
// Names and values may come more than once.
template <class Ask, class Use>
void scan(Ask ask, Use use) {
  std::string cursor = "0";
  do {
    const RedisReply reply = ask(cursor);
    cursor = text_of(*reply->element[0]);
    use(*reply->element[1]);
  } while (cursor != "0");
}

}  // namespace

void RedisRuns::add(std::string_view run, const RedisRun& entry) {
  connection_.ask({"HSET", index_key, run, to_text(entry)});
}

void RedisRuns::end(std::string_view run, RedisRun entry, std::int64_t keys) {
  const RedisReply memory = connection_.ask({"MEMORY", "USAGE", redis_key(run, "log")});
  entry.log_bytes = memory->type == REDIS_REPLY_INTEGER ? memory->integer : 0;
  entry.keys = keys;
  entry.ended = std::chrono::duration_cast<std::chrono::seconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count();
  add(run, entry);
}

RedisRuns::Entries RedisRuns::entries() {
  Entries entries;
  scan(
      [&](const std::string& cursor) {
        return connection_.ask({"HSCAN", index_key, cursor, "COUNT", step});
      },
      [&](const redisReply& pairs) {
        for (std::size_t i = 0; i + 1 < pairs.elements; i += 2) {
          std::optional<RedisRun> run = to_run(text_of(*pairs.element[i + 1]));
          if (run) entries.insert_or_assign(std::string(text_of(*pairs.element[i])), *run);
        }
      });
  return entries;
}

std::int64_t RedisRuns::remove(const std::set<std::string, std::less<>>& runs) {
  std::int64_t removed = 0;
  if (runs.empty()) return removed;
  scan(
      [&](const std::string& cursor) {
        return connection_.ask({"SCAN", cursor, "MATCH", "tracebed:{*", "COUNT", step});
      },
      [&](const redisReply& keys) {
        for (std::size_t i = 0; i < keys.elements; ++i) {
          const std::string_view key = text_of(*keys.element[i]);
          if (!runs.contains(run_of(key))) continue;
          removed += connection_.ask({"UNLINK", key})->integer;
        }
      });
  for (const std::string& run : runs) connection_.ask({"HDEL", index_key, run});
  return removed;
}

}  // namespace tracebed
