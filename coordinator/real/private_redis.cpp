#include "coordinator/real/private_redis.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "coordinator/real/redis_connection.h"
#include "core/input_error.h"

namespace tracebed {

namespace {

constexpr int lifeline_number = 3;
constexpr std::chrono::seconds start_patience{10};
constexpr std::chrono::milliseconds retry_period{5};
constexpr std::chrono::seconds stop_patience{5};

// Keeps the server while the lifeline is held at the other end, and cleans up after it whichever of
// the two ends first. Should the keeper itself be killed, the server is told by the kernel, and
// whoever holds the lifeline removes the folder.
constexpr const char* keeper_script = R"(
folder=$1; shift
setpriv --pdeathsig TERM redis-server "$@" 3<&- &
server=$!
( read -r nothing <&3; kill "$server" ) 2>/dev/null &
watcher=$!
wait "$server"; status=$?
kill "$watcher" 2>/dev/null
rm -rf -- "$folder"
exit $status
)";

std::filesystem::path make_folder() {
  std::string pattern = std::filesystem::temp_directory_path() / "tracebed-redis-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw EnvironmentError("no folder for a private Redis can be made at " + pattern);
  }
  return pattern;
}

}  // namespace

PrivateRedis::PrivateRedis(RedisPersistence persistence)
    : folder_(make_folder()), lifeline_(Lifeline::make()) {
  try {
    start(persistence);
    wait_until_it_answers();
  } catch (...) {
    lifeline_.writer.reset();
    if (keeper_) keeper_->wait(stop_patience);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

PrivateRedis::~PrivateRedis() {
  lifeline_.writer.reset();
  keeper_->wait(stop_patience);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void PrivateRedis::start(RedisPersistence persistence) {
  const bool keeps_file = persistence != RedisPersistence::none;
  const bool is_careful = persistence == RedisPersistence::always;
  ChildProcess::Start start;
  start.program = "/bin/sh";
  start.arguments = {"-c",
                     keeper_script,
                     "redis-keeper",
                     folder_.string(),
                     "--port",
                     "0",
                     "--unixsocket",
                     socket(),
                     "--unixsocketperm",
                     "700",
                     "--dir",
                     folder_.string(),
                     "--save",
                     "",
                     "--daemonize",
                     "no",
                     "--appendonly",
                     keeps_file ? "yes" : "no",
                     "--appendfsync",
                     is_careful ? "always" : "everysec"};
  start.output = (folder_ / "redis.log").string();
  start.inherited = lifeline_.reader.number();
  start.inherited_as = lifeline_number;
  keeper_.emplace(start);
}

void PrivateRedis::wait_until_it_answers() {
  const auto deadline = std::chrono::steady_clock::now() + start_patience;
  for (;;) {
    // The keeper removes the folder when the server ends, so its words are read before.
    const std::string words = last_words();
    if (keeper_->wait(retry_period)) {
      throw EnvironmentError("redis-server did not start (Debian: apt-get install redis-server): " +
                             words);
    }
    try {
      RedisConnection connection(address());
      return;
    } catch (const EnvironmentError& error) {
      if (std::chrono::steady_clock::now() >= deadline) throw;
    }
  }
}

std::string PrivateRedis::last_words() const {
  std::ifstream log(folder_ / "redis.log");
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  constexpr std::size_t words_max = 500;
  return text.size() <= words_max ? text : text.substr(text.size() - words_max);
}

}  // namespace tracebed
