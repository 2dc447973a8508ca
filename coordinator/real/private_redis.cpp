#include "coordinator/real/private_redis.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "coordinator/real/redis_connection.h"
#include "core/input_error.h"
#include "system/temporary_folder.h"

namespace tracebed {

namespace {

constexpr std::chrono::seconds start_timeout{10};
constexpr std::chrono::milliseconds retry_period{5};
constexpr std::chrono::seconds stop_timeout{2};

// Keeps the server while the lifeline is held at the other end, and cleans up after it whichever of
// the two ends first. Should the keeper itself be killed, the kernel kills the server, and
// whoever holds the lifeline removes the folder.
constexpr const char* keeper_script = R"(
folder=$1; shift
setpriv --pdeathsig KILL redis-server "$@" 3<&- &
server=$!
( read -r nothing <&3; kill "$server"; kill -CONT "$server" ) 2>/dev/null &
watcher=$!
wait "$server"; status=$?
kill "$watcher" 2>/dev/null
rm -rf -- "$folder"
exit $status
)";

constexpr std::string_view redis_folder_prefix = "tracebed-redis-";
constexpr const char* socket_name = "redis.sock";

// A server that was stopped for a while still has its connections taken by the kernel.
bool has_server(const std::filesystem::path& folder) {
  const std::string path = folder / socket_name;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return true;  // not one of ours
  path.copy(address.sun_path, path.size());
  const FileDescriptor probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int result = connect(probe.number(), reinterpret_cast<const sockaddr*>(&address),
                             static_cast<socklen_t>(sizeof(address)));
  return result == 0 || (errno != ECONNREFUSED && errno != ENOENT);
}

// Its socket's path is one of limited length.
std::filesystem::path make_server_folder() {
  const std::filesystem::path parent = temporary_folder();
  const std::string pattern = temporary_folder_pattern(redis_folder_prefix);
  constexpr std::size_t path_max = sizeof(sockaddr_un::sun_path) - 1;  // unix(7)
  const std::size_t more = pattern.size() + 1 + std::string_view(socket_name).size();
  if (more > path_max) {
    const std::size_t own = parent.string().size();
    throw EnvironmentError(
        fmt::format("TMPDIR: expected a path of at most {} bytes, the limit for sockets, since a "
                    "private Redis has one there, got {} bytes: {}",
                    path_max - (more - own), own, parent.string()));
  }
  // A young one may be of a server that is about to listen.
  remove_abandoned_folders(redis_folder_prefix, has_server);
  return make_temporary_folder(redis_folder_prefix);
}

}  // namespace

PrivateRedis::PrivateRedis(RedisPersistence persistence)
    : folder_(make_server_folder()), lifeline_(Lifeline::make()) {
  try {
    start(persistence);
    wait_until_it_answers();
  } catch (...) {
    lifeline_.writer.reset();
    if (keeper_) keeper_->wait(stop_timeout);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

PrivateRedis::~PrivateRedis() {
  lifeline_.writer.reset();
  keeper_->wait(stop_timeout);
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
  log_.reset(open(start.output.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0600));
  start.inherited = lifeline_.reader.number();
  start.inherited_as = lifeline_number;
  keeper_.emplace(start);
}

void PrivateRedis::wait_until_it_answers() {
  const auto deadline = std::chrono::steady_clock::now() + start_timeout;
  for (;;) {
    if (keeper_->wait(retry_period)) {
      throw EnvironmentError("redis-server did not start (Debian: apt-get install redis-server): " +
                             last_words());
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
  constexpr std::int64_t words_max = 500;
  std::string words(words_max, '\0');
  const off_t end = lseek(log_.number(), 0, SEEK_END);
  const ssize_t count =
      pread(log_.number(), words.data(), words.size(), std::max<off_t>(0, end - words_max));
  words.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  return words;
}

}  // namespace tracebed
