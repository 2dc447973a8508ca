#include "agents/agent/agent.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <poll.h>
#include <sched.h>
#include <span>
#include <spdlog/spdlog.h>
#include <sys/signalfd.h>
#include <thread>
#include <unistd.h>

#include "agents/agent/io_pressure.h"
#include "core/input_error.h"
#include "daemon/metrics_text.h"
#include "system/processor_load.h"

namespace tracebed::agent {
namespace {

// The loop comes round at least so often; what is more is its own lateness.
constexpr auto loop_period_max = std::chrono::milliseconds(1'000);
constexpr auto listening_gap_max = 2 * loop_period_max;

FileDescriptor block_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  // Before ZeroMQ's threads are there, which inherit it.
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  FileDescriptor signals(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.is_open()) throw EnvironmentError("cannot create a signalfd: " + error_text(errno));
  return signals;
}

}  // namespace

Agent::Agent(AgentOptions options)
    : options_(std::move(options)),
      signals_(block_signals()),
      coordinator_(options_.coordinator, options_.source_address, options_.keys),
      listening_(listening_gap_max),
      session_(options_.identity),
      link_(options_.coordinator, options_.keys.has_value()),
      log_(options_.log) {
  if (options_.shuffle && options_.identity.is_long_running()) {
    outputs_.emplace(options_.shuffle->folder, "run-");
  }
  reach_launcher();
  if (!options_.metrics) return;
  metrics_.emplace(
      *options_.metrics,
      HttpServer::Pages{
          {metrics_path,
           [this](const HttpRequest&) { return metrics_answer(to_text(board_.get())); }},
          {"/health", [this](const HttpRequest&) { return health(board_.get()); }}});
  spdlog::info("metrics at http://{}:{}{}", options_.metrics->address, metrics_->port(),
               metrics_path);
}

ExitCode Agent::run() {
  notice_.ready();
  for (;;) {
    notice_.turn();
    carry_out();
    if (options_.shuffle) tend_shuffle_server();
    report_link();
    log_status();
    if (metrics_) report_figures();
    send_log();
    if (session_.end()) return finish();
    wait(std::min({listening_.to_monotonic(session_.next_tick()),
                   launcher_ ? SteadyTime::max() : next_launcher_try_,
                   shuffle_server_ ? shuffle_server_->due() : SteadyTime::max()}));
    look_at_clock();
    if (has_stop_request()) continue;
    if (launcher_) {
      receive_from_launcher();
      give_up_silent_launcher();
    } else if (std::chrono::steady_clock::now() >= next_launcher_try_) {
      reach_launcher();
    }
    receive_from_coordinator();
    if (session_.next_tick() <= listening_.now()) {
      session_.set_io_pressure(read_io_pressure());
      look_at_processors();
    }
    session_.tick(now());
  }
}

// The session's time leaves out what this agent itself stood still: that is not the coordinator's
// silence, and no reason to end containers.
Now Agent::now() const {
  return {listening_.now(),
          std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now())};
}

void Agent::look_at_clock() {
  const auto late = listening_.look();
  if (late < loop_period_max) return;
  spdlog::warn("this agent was paused for {:.1f} s", std::chrono::duration<double>(late).count());
  session_.resume(late, now());
}

// ---- the coordinator ----

void Agent::receive_from_coordinator() {
  zmq::message_t payload;
  // Bounded, so that a flood does not keep the launcher waiting.
  for (int i = 0; i < 1'000; ++i) {
    const auto received = coordinator_.receive(payload);
    if (received == CoordinatorSocket::Received::nothing) return;
    std::string error = "a message of several parts";
    if (received == CoordinatorSocket::Received::message) {
      Result<wire::Message> message =
          wire::decode(std::span(static_cast<const std::byte*>(payload.data()), payload.size()));
      if (message) {
        session_.take(*message, now());
        continue;
      }
      error = message.error().message;
    }
    if (garbage_++ == 0) spdlog::error("dropped a malformed message: {}", error);
  }
}

void Agent::carry_out() {
  for (const Order& order : session_.take_orders()) give(order);
  for (const wire::Message& message : session_.take_messages()) {
    if (!coordinator_.send(encoder_.encode(message)) && unsent_++ == 0) {
      spdlog::warn("dropped a message to the coordinator: its queue is full");
    }
  }
}

void Agent::report_link() {
  const bool waits = (!session_.has_launcher() && !options_.identity.is_long_running()) ||
                     !session_.refusal().empty();
  const auto line = link_.look(std::chrono::steady_clock::now(), session_.is_welcome(), waits,
                               coordinator_.state());
  if (!line) return;
  if (line->is_trouble) {
    spdlog::warn("{}", line->text);
  } else {
    spdlog::info("{}", line->text);
  }
}

// A long-running agent goes from session to session as runs come and go; only what lasts is logged.
void Agent::log_status() {
  if (!options_.identity.is_long_running()) return;
  const std::string& refusal = session_.refusal();
  if (refusal != logged_refusal_ && !refusal.empty()) {
    spdlog::error("the coordinator at {} rejects this agent, which asks again every {} s: {}",
                  options_.coordinator, AgentSession::refused_pause.count(), refusal);
  } else if (refusal.empty() && !logged_refusal_.empty()) {
    spdlog::info("the coordinator at {} accepts this agent again", options_.coordinator);
  }
  logged_refusal_ = refusal;
  const bool has_run = session_.run() != wire::no_run;
  if (!refusal.empty()) {
    notice_.status("refused: " + refusal);
  } else if (!session_.has_launcher()) {
    notice_.status("waiting for its launcher");
  } else if (!session_.is_welcome()) {
    notice_.status("asks " + options_.coordinator + " to be taken" +
                   (has_run ? "; was in run " + session_.run() : ""));
  } else {
    notice_.status(has_run ? "in run " + session_.run() : "registered; no run is in progress");
  }
}

// Whether others used the machine during a run; of a host that the run does not have to itself.
void Agent::look_at_processors() {
  constexpr auto between = std::chrono::seconds(1);
  const SteadyTime at = std::chrono::steady_clock::now();
  if (!options_.identity.is_long_running() || at < next_look_) return;
  next_look_ = at + between;
  const std::optional<ProcessorTimes> times = read_processor_times();
  if (!times) return;
  const auto to_us = [](double seconds) { return std::llround(seconds * 1e6); };
  session_.set_processors(
      {to_us(times->busy), to_us(times->stolen), to_us(times->idle), to_us(times->own)});
}

void Agent::send_log() {
  if (!session_.is_welcome()) return;
  if (auto log = log_.next()) session_.send_log(std::move(log->lines), log->lost);
}

void Agent::report_figures() {
  AgentFigures figures;
  figures.session = session_.figures();
  figures.has_launcher = session_.has_launcher();
  figures.refusal = session_.refusal();
  figures.launchers_lost = static_cast<std::uint64_t>(launchers_lost_);
  figures.garbage = garbage_;
  figures.unsent = unsent_;
  board_.set(figures);
}

void Agent::wait(SteadyTime until) {
  const auto left = until == SteadyTime::max()
                        ? loop_period_max
                        : std::chrono::ceil<std::chrono::milliseconds>(
                              std::max(until, std::chrono::steady_clock::now()) -
                              std::chrono::steady_clock::now());
  std::vector<zmq::pollitem_t> items = {
      {coordinator_.socket().handle(), 0, ZMQ_POLLIN, 0},
      {nullptr, signals_.number(), ZMQ_POLLIN, 0},
  };
  if (options_.lifeline.is_open()) {
    items.push_back({nullptr, options_.lifeline.number(), ZMQ_POLLIN, 0});
  }
  if (shuffle_server_ && shuffle_server_->number() >= 0) {
    items.push_back({nullptr, shuffle_server_->number(), ZMQ_POLLIN, 0});
  }
  if (launcher_) {
    const short events = launcher_->wants_write() ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN;
    items.push_back({nullptr, launcher_->number(), events, 0});
  }
  try {
    zmq::poll(items, std::clamp(left, std::chrono::milliseconds(0),
                                std::min(notice_.turn_max(), loop_period_max)));
  } catch (const zmq::error_t& error) {
    if (error.num() != EINTR) throw EnvironmentError(std::string("poll: ") + error.what());
  }
}

// ---- the end ----

bool Agent::has_stop_request() {
  signalfd_siginfo info = {};
  if (read(signals_.number(), &info, sizeof(info)) == sizeof(info)) {
    if (child_ || info.ssi_signo == SIGINT) {
      session_.leave(info.ssi_signo == SIGINT ? "interrupted" : "received a stop request");
    } else {
      session_.stop("received a stop request; leaving the containers to the next agent");
    }
    return true;
  }
  if (!options_.lifeline.is_open()) return false;
  pollfd lifeline = {options_.lifeline.number(), POLLIN, 0};
  if (poll(&lifeline, 1, 0) <= 0) return false;
  session_.stop("the owner of the run has ended");
  is_owner_gone_ = true;
  return true;
}

ExitCode Agent::finish() {
  const End& end = *session_.end();
  notice_.stopping();
  if (child_ || end.kind == End::Kind::run_over) end_launcher();
  end_shuffle_server();
  if (end.kind == End::Kind::run_over) {
    session_.send_goodbye(end.reason);
    carry_out();
  }
  coordinator_.close(is_owner_gone_ ? CoordinatorSocket::Unsent::dropped
                                    : CoordinatorSocket::Unsent::sent);
  if (end.kind == End::Kind::refused) {
    spdlog::error("the coordinator rejected this agent: {}", end.reason);
    return ExitCode::run_failed;
  }
  spdlog::info("ends: {}", end.reason);
  return exit_code_;
}

Resources detected_capacity() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  const int count = sched_getaffinity(0, sizeof(cpus), &cpus) == 0
                        ? CPU_COUNT(&cpus)
                        : static_cast<int>(std::thread::hardware_concurrency());
  const std::int64_t pages = sysconf(_SC_PHYS_PAGES);
  const std::int64_t page_bytes = sysconf(_SC_PAGESIZE);
  return {std::int64_t{count} * 1'000, pages * page_bytes >> 20};
}

}  // namespace tracebed::agent
