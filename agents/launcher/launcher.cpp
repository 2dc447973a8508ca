#include "agents/launcher/launcher.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <span>
#include <spdlog/spdlog.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/input_error.h"

namespace tracebed::launcher {
namespace {

using std::chrono::steady_clock;

// After so many starts the loop looks at its sockets and children again, so that a kill or an exit
// waits a few milliseconds at most.
constexpr int starts_at_once = 8;
constexpr int packets_at_once = 64;
// Until a connection is taken again after one could not be, as descriptors or memory ran out: the
// listening socket would wake the loop again at once.
constexpr auto listening_pause = std::chrono::seconds(1);
constexpr std::size_t launches_waiting_max = 65'536;
constexpr auto end_time = std::chrono::seconds(4);

FileDescriptor open_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&set, signal);
  if (sigprocmask(SIG_BLOCK, &set, nullptr) != 0) {
    throw EnvironmentError("signals cannot be blocked: " + error_text(errno));
  }
  return FileDescriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace

Launcher::Launcher(std::unique_ptr<Enclosure> enclosure, LauncherOptions options)
    : enclosure_(std::move(enclosure)),
      options_(std::move(options)),
      containers_(*enclosure_, std::move(options_.containers)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      signals_(open_signals()),
      agent_(std::move(options_.agent)) {
  if (!epoll_.is_open() || !signals_.is_open()) {
    throw EnvironmentError("epoll or cannot create a signalfd: " + error_text(errno));
  }
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
    throw EnvironmentError("the launcher cannot become a subreaper: " + error_text(errno));
  }
  watch(signals_.number(), Source::signals, EPOLLIN);
  if (agent_.is_open()) watch(agent_.number(), Source::agent, EPOLLIN);
  if (options_.listener.is_open()) {
    watch(options_.listener.number(), Source::listener, EPOLLIN);
  }
  if (options_.lifeline.is_open()) watch(options_.lifeline.number(), Source::lifeline, EPOLLIN);
}

void Launcher::watch(int number, Source source, std::uint32_t events) {
  epoll_event event = {};
  event.events = events;
  event.data.u32 = static_cast<std::uint32_t>(source);
  if (epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, number, &event) != 0) {
    throw EnvironmentError("descriptor " + std::to_string(number) +
                           " cannot be watched: " + error_text(errno));
  }
}

bool Launcher::run() {
  std::array<epoll_event, 8> events;
  notice_.ready();
  while (!ends_) {
    notice_.turn();
    const int count = epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()),
                                 wait_milliseconds());
    if (count < 0 && errno != EINTR) throw EnvironmentError("epoll_wait: " + error_text(errno));
    for (int i = 0; i < count && !ends_; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      handle(static_cast<Source>(event.data.u32), event.events);
    }
    if (has_dead_) has_dead_ = containers_.reap();
    launch_some();
    const SteadyTime now = steady_clock::now();
    if (listens_again_at_ && now >= *listens_again_at_) listen_again();
    containers_.tick(now);
    if (orphaned_at_ && now >= *orphaned_at_ + options_.orphan_grace) {
      orphaned_at_.reset();
      spdlog::warn("no agent reconnected in time: killing {} containers", containers_.size());
      launches_.clear();
      containers_.kill_all(ExitCause::orphaned);
    }
    send_news();
  }
  notice_.stopping();
  end_all();
  const Status closed = enclosure_->close();
  if (!closed) spdlog::error("{}", closed.error().message);
  return closed.has_value() && containers_.empty();
}

int Launcher::wait_milliseconds() const {
  if (!launches_.empty() || has_dead_) return 0;
  std::optional<SteadyTime> next = containers_.next_tick();
  if (orphaned_at_ && (!next || *orphaned_at_ + options_.orphan_grace < *next)) {
    next = *orphaned_at_ + options_.orphan_grace;
  }
  if (listens_again_at_ && (!next || *listens_again_at_ < *next)) next = listens_again_at_;
  using std::chrono::milliseconds;
  milliseconds wait = std::min(notice_.turn_max(), milliseconds(60'000));
  if (next) wait = std::min(wait, std::chrono::ceil<milliseconds>(*next - steady_clock::now()));
  return static_cast<int>(std::max(wait, milliseconds(0)).count());
}

void Launcher::handle(Source source, std::uint32_t events) {
  switch (source) {
    case Source::signals:
      return handle_signals();
    case Source::listener:
      return accept_agent();
    case Source::lifeline: {
      std::array<char, 64> ignored;
      const ssize_t got = read(options_.lifeline.number(), ignored.data(), ignored.size());
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        spdlog::info("the owner of the run has ended");
        ends_ = true;
      }
      return;
    }
    case Source::agent:
      if ((events & EPOLLOUT) != 0) agent_.flush();
      if ((events & ~std::uint32_t{EPOLLOUT}) != 0) receive_from_agent();
      watch_agent_writes();
      return;
  }
}

void Launcher::handle_signals() {
  std::array<signalfd_siginfo, 8> infos = {};
  const ssize_t got = read(signals_.number(), infos.data(), sizeof(infos));
  const std::size_t count = got > 0 ? static_cast<std::size_t>(got) / sizeof(infos[0]) : 0;
  for (const signalfd_siginfo& info : std::span(infos).first(count)) {
    if (info.ssi_signo == SIGCHLD) continue;
    spdlog::info("ending on signal {}", info.ssi_signo);
    ends_ = true;
  }
  has_dead_ = true;
}

void Launcher::accept_agent() {
  FileDescriptor socket(accept4(options_.listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket.is_open()) {
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
    spdlog::error("cannot accept a connection from an agent: {}", error_text(errno));
    epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, options_.listener.number(), nullptr);
    listens_again_at_ = steady_clock::now() + listening_pause;
    return;
  }
  ucred peer = {};
  socklen_t bytes = sizeof(peer);
  if (getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0 ||
      (peer.uid != options_.agent_user && peer.uid != 0)) {
    spdlog::warn("refused a connection from user {}: only user {} may be the agent", peer.uid,
                 options_.agent_user);
    return;
  }
  // The one before may be gone already without that having been looked at.
  if (agent_.is_open()) receive_from_agent();
  if (agent_.is_open()) {
    spdlog::warn("refused a second agent (process {})", peer.pid);
    return;
  }
  agent_ = PacketChannel(std::move(socket));
  watch(agent_.number(), Source::agent, EPOLLIN);
}

void Launcher::listen_again() {
  listens_again_at_.reset();
  watch(options_.listener.number(), Source::listener, EPOLLIN);
}

void Launcher::receive_from_agent() {
  Packet packet;
  std::string error;
  for (int i = 0; i < packets_at_once; ++i) {
    if (!agent_.is_open() || ends_ || launches_.size() >= launches_waiting_max) return;
    switch (agent_.receive(packet, error)) {
      case PacketChannel::Received::nothing:
        return;
      case PacketChannel::Received::closed:
        return lose_agent("the agent has disconnected");
      case PacketChannel::Received::malformed:
        refuse_packet(error);
        break;
      case PacketChannel::Received::packet:
        handle_packet(packet);
        break;
    }
  }
}

void Launcher::refuse_packet(const std::string& error) {
  if (malformed_++ == 0) spdlog::error("dropped a malformed packet from the agent: {}", error);
}

void Launcher::handle_packet(const Packet& packet) {
  switch (packet.kind) {
    case PacketKind::hello:
      return answer_hello();
    case PacketKind::launch:
      for (std::size_t i = 0; i < packet.count; ++i) {
        const LaunchRecord launch = packet.get<LaunchRecord>(i);
        // Asked now, since an acknowledgement that comes before the start would make it unknown.
        if (!containers_.knows(launch.container)) launches_.push_back(launch);
      }
      return;
    case PacketKind::launch_master:
      // There are few of them, so they are started at once.
      for (std::size_t i = 0; i < packet.count; ++i) {
        containers_.launch(packet.get<MasterLaunchRecord>(i));
      }
      return;
    case PacketKind::release:
      for (std::size_t i = 0; i < packet.count; ++i) {
        release(packet.get<ReleaseRecord>(i).container);
      }
      return;
    case PacketKind::kill:
      for (std::size_t i = 0; i < packet.count; ++i) kill(packet.get<KillRecord>(i).container);
      return;
    case PacketKind::checkpoint:
      for (std::size_t i = 0; i < packet.count; ++i) {
        checkpoint(packet.get<CheckpointRecord>(i).container);
      }
      return;
    case PacketKind::acknowledge:
      return containers_.acknowledge(packet.get<AcknowledgeRecord>(0).exits_up_to);
    case PacketKind::query_usage:
      return answer_usage();
    case PacketKind::settings: {
      const auto settings = packet.get<SettingsRecord>(0);
      const std::int64_t grace_us = settings.orphan_grace_us;
      constexpr std::int64_t grace_us_max = std::int64_t{30} * 24 * 3600 * 1'000'000;
      if (grace_us < 0 || grace_us > grace_us_max) {
        return refuse_packet("expected a grace of 0 to 30 days, got " + std::to_string(grace_us));
      }
      const Status limited = enclosure_->limit_cpu_of_all(settings.milli_vcores_of_all);
      if (!limited && containers_.empty()) {
        throw EnvironmentError("of all containers, " + limited.error().message);
      }
      // Of containers that an agent before has left, one may have more than this one's all.
      if (!limited) spdlog::error("of all containers, {}", limited.error().message);
      containers_.share_by_weight(settings.cpu_weights != 0 ? settings.milli_vcores_of_all : 0);
      options_.orphan_grace = std::chrono::microseconds(grace_us);
      run_ = settings.run;
      containers_.set_input_source(
          {settings.namenode.data(), settings.address.data(), settings.rack.data()});
      return;
    }
    case PacketKind::shutdown:
      ends_ = true;
      return;
    case PacketKind::started:
    case PacketKind::exited:
    case PacketKind::state:
    case PacketKind::usage:
    case PacketKind::progress:
      return refuse_packet("this kind of packet is not sent by agents");
  }
}

std::deque<LaunchRecord>::iterator Launcher::find_waiting(std::uint32_t container) {
  return std::find_if(launches_.begin(), launches_.end(),
                      [&](const auto& launch) { return launch.container == container; });
}

void Launcher::release(std::uint32_t container) {
  const auto waiting = find_waiting(container);
  if (waiting == launches_.end()) return containers_.release(container);
  waiting->held = 0;
}

void Launcher::kill(std::uint32_t container) {
  const auto waiting = find_waiting(container);
  if (waiting == launches_.end()) return containers_.kill(container, ExitCause::killed);
  launches_.erase(waiting);
  containers_.cancel(container);
}

void Launcher::checkpoint(std::uint32_t container) {
  const auto waiting = find_waiting(container);
  if (waiting == launches_.end()) return containers_.checkpoint(container);
  const Result<TaskWork> work = to_task_work(waiting->work);
  if (work && !obeys_checkpoint(*work)) return;
  launches_.erase(waiting);
  containers_.cancel_checkpointed(container);
}

void Launcher::answer_hello() {
  orphaned_at_.reset();
  agent_knows_state_ = true;
  const auto send = [&](auto bytes) { agent_.send(std::move(bytes)); };
  // What these would tell is part of the answer.
  static_cast<void>(containers_.take_started());
  static_cast<void>(containers_.take_exited());
  std::vector<StartedRecord> running = containers_.running();
  for (const LaunchRecord& waiting : launches_) running.push_back({waiting.container, 0, 0});
  const std::vector<ExitedRecord> exits = containers_.unacknowledged();
  const StateRecord state = {enclosure_->isolation(), run_};
  encode_all(std::span<const StartedRecord>(running), send);
  encode_all(std::span(exits), send);
  encode_all(std::span(&state, 1), send);
}

// Usage is what the agent waits for, so it comes last.
void Launcher::answer_usage() {
  const Result<CgroupUsage> usage = enclosure_->usage();
  if (!usage) return spdlog::error("{}", usage.error().message);
  const SteadyTime now = steady_clock::now();
  const UsageRecord record = {std::chrono::nanoseconds(now.time_since_epoch()).count(),
                              usage->cpu_time_us, usage->memory_bytes};
  const std::vector<ProgressRecord> progress = containers_.progress(now);
  const auto send = [&](auto bytes) { agent_.send(std::move(bytes)); };
  encode_all(std::span(progress), send);
  encode_all(std::span(&record, 1), send);
}

void Launcher::lose_agent(const char* why) {
  agent_.close();
  agent_knows_state_ = false;
  watches_writes_ = false;
  if (!options_.listener.is_open()) {
    spdlog::info("{}", why);
    ends_ = true;
    return;
  }
  spdlog::warn("{}; {} containers wait for a new agent for {} s", why, containers_.size(),
               std::chrono::duration<double>(options_.orphan_grace).count());
  orphaned_at_ = steady_clock::now();
}

void Launcher::launch_some() {
  for (int i = 0; i < starts_at_once && !launches_.empty(); ++i) {
    containers_.launch(launches_.front());
    launches_.pop_front();
  }
}

void Launcher::send_news() {
  // Without an agent they are dropped: its successor gets everything after its Hello.
  const std::vector<StartedRecord> started = containers_.take_started();
  const std::vector<ExitedRecord> exited = containers_.take_exited();
  if (!agent_knows_state_) return;
  const auto send = [&](auto bytes) { agent_.send(std::move(bytes)); };
  encode_all(std::span(started), send);
  encode_all(std::span(exited), send);
  watch_agent_writes();
}

void Launcher::watch_agent_writes() {
  if (!agent_.is_open() || agent_.has_unsent() == watches_writes_) return;
  watches_writes_ = agent_.has_unsent();
  epoll_event event = {};
  event.events = watches_writes_ ? EPOLLIN | EPOLLOUT : EPOLLIN;
  event.data.u32 = static_cast<std::uint32_t>(Source::agent);
  epoll_ctl(epoll_.number(), EPOLL_CTL_MOD, agent_.number(), &event);
}

void Launcher::end_all() {
  launches_.clear();
  agent_.close();
  const SteadyTime deadline = steady_clock::now() + end_time;
  while (!containers_.empty() && steady_clock::now() < deadline) {
    containers_.kill_all(ExitCause::orphaned);
    epoll_event event = {};
    epoll_wait(epoll_.number(), &event, 1, 2);
    handle_signals();
    has_dead_ = containers_.reap();
    containers_.tick(steady_clock::now());
  }
  if (!containers_.empty()) {
    spdlog::error("{} containers could not be killed in time", containers_.size());
  }
}

}  // namespace tracebed::launcher
