#include "agents/shuffle_link/shuffle_server_child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "agents/shuffle_link/packet_socket.h"
#include "core/input_error.h"
#include "core/visit.h"

namespace tracebed {
namespace {

// A child with the descriptor as its standard input, in a session of its own, so that Ctrl-C in a
// terminal does not reach it, and with no blocked signals.
pid_t start_program(const std::string& program, int standard_input) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, standard_input, STDIN_FILENO);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  std::string path = program;
  std::array<char*, 2> words = {path.data(), nullptr};
  pid_t process = -1;
  const int error =
      posix_spawn(&process, program.c_str(), &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return process;
  throw EnvironmentError(program + " cannot be started: " + error_text(error));
}

std::string ending_of(int status) {
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

ShuffleFigures sum_of(const ShuffleFigures& ended, const ShuffleFigures& current) {
  return {.bytes_put = ended.bytes_put + current.bytes_put,
          .bytes_got = ended.bytes_got + current.bytes_got,
          .connections = current.connections,
          .refused = ended.refused + current.refused,
          .denied = ended.denied + current.denied,
          .malformed = ended.malformed + current.malformed};
}

}  // namespace

ShuffleServerChild::ShuffleServerChild(std::string program, ShuffleBegin begin, Restarts restarts)
    : program_(std::move(program)),
      begin_(std::move(begin)),
      chosen_port_(begin_.port),
      policy_(restarts) {
  start();
}

ShuffleServerChild::~ShuffleServerChild() {
  connection_.reset();
  if (process_ > 0) (void)reap();
}

void ShuffleServerChild::start() {
  std::array<int, 2> ends = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw EnvironmentError("a connection to the shuffle server cannot be created: " +
                           error_text(errno));
  }
  FileDescriptor own_end(ends[0]);
  const FileDescriptor child_end(ends[1]);
  process_ = start_program(program_, child_end.number());
  connection_ = std::move(own_end);
  restart_at_ = Clock::time_point::max();
  last_words_.clear();
  send(begin_);
  for (const std::uint32_t job : removed_) send(RemoveShuffledJob{job});
}

void ShuffleServerChild::send(const ShuffleOrder& order) {
  unsent_.push_back(encode(order));
  flush();
}

void ShuffleServerChild::flush() {
  while (connection_.is_open() && !unsent_.empty()) {
    if (send_packet(connection_, unsent_.front()) == SendState::full) return;
    wipe(unsent_.front());
    unsent_.pop_front();
  }
}

ShuffleServerChild::Clock::time_point ShuffleServerChild::due() const {
  return unsent_.empty() ? restart_at_ : std::min(restart_at_, Clock::now() + flush_period);
}

void ShuffleServerChild::advance() {
  if (connection_.is_open()) {
    PacketState state = PacketState::packet;
    while ((state = receive_packet(connection_, packet_)) == PacketState::packet) {
      const Result<ShuffleNews> news = decode_news(packet_);
      if (news) {
        take(*news);
      } else {
        last_words_ = news.error().message;
        kill(process_, SIGKILL);
      }
    }
    if (state == PacketState::closed) on_end();
    flush();
  }
  if (Clock::now() < restart_at_) return;
  ++restarts_in_all_;
  try {
    start();
  } catch (const EnvironmentError& error) {
    failure_ = error.what();
    restart_at_ = Clock::time_point::max();
  }
}

void ShuffleServerChild::take(const ShuffleNews& news) {
  visit_all(
      news,
      [this](const ShuffleReady& ready) {
        port_ = ready.port;
        ready_since_ = Clock::now();
      },
      [this](const ShuffleFigures& figures) { current_ = figures; },
      [this](const ShuffleFailed& failed) { last_words_ = failed.message; });
}

void ShuffleServerChild::on_end() {
  connection_.reset();
  unsent_.clear();
  const std::string how = ending_of(reap());
  const std::string why = last_words_.empty() ? how : last_words_;
  ended_ = sum_of(ended_, std::exchange(current_, {}));
  const bool was_well = port_ && Clock::now() - ready_since_ >= policy_.well_after;
  // One that could not even begin may have found its former port taken; one that was chosen for it
  // is the only one that others may be able to reach.
  begin_.port = port_.value_or(chosen_port_);
  port_.reset();
  if (was_well) restarts_in_a_row_ = 0;
  if (restarts_in_a_row_ >= policy_.max) {
    failure_ = "the shuffle server ended " + std::to_string(restarts_in_a_row_ + 1) +
               " times in a row, the last time by: " + why;
    spdlog::error("{}", *failure_);
    return;
  }
  const auto delay = restarts_in_a_row_ == 0 ? std::chrono::milliseconds(0)
                                             : policy_.delay * (1 << (restarts_in_a_row_ - 1));
  ++restarts_in_a_row_;
  restart_at_ = Clock::now() + delay;
  spdlog::warn("the shuffle server has ended ({}) and is restarted in {} ms", why, delay.count());
}

int ShuffleServerChild::reap() {
  const auto deadline = Clock::now() + end_timeout;
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(process_, &status, WNOHANG);
    if (ended == process_ || (ended < 0 && errno != EINTR)) break;
    if (Clock::now() > deadline) kill(process_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  process_ = -1;
  return status;
}

ShuffleFigures ShuffleServerChild::figures() const {
  return sum_of(ended_, current_);
}

void ShuffleServerChild::set_rates(const ShuffleRates& rates) {
  begin_.rates = rates;
  if (connection_.is_open()) send(rates);
}

void ShuffleServerChild::remove_job(std::uint32_t job) {
  removed_.insert(job);
  if (connection_.is_open()) send(RemoveShuffledJob{job});
}

}  // namespace tracebed
