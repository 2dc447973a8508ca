// An agent's launcher and shuffle server: their starts, what they are told, and their ends.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <span>
#include <spdlog/spdlog.h>

#include "agents/agent/agent.h"
#include "core/input_error.h"
#include "core/visit.h"

namespace tracebed::agent {
namespace {

constexpr int launchers_lost_max = 3;
constexpr auto launcher_pause = std::chrono::milliseconds(200);
// A predecessor's server that still ends has the port and the folder for less.
constexpr auto shuffle_pause = std::chrono::seconds(2);

// As far as its server takes them.
ShuffleRates to_shuffle_rates(const SetDatanodeRates& rates) {
  const auto bounded = [](std::optional<std::uint64_t> rate) {
    return rate ? std::optional(std::min(*rate, RateLimits::rate_max)) : rate;
  };
  return {.disk = bounded(rates.disk_bytes_per_second),
          .network = bounded(rates.network_bytes_per_second),
          .seek = std::min<std::chrono::nanoseconds>(rates.seek_latency, std::chrono::hours(24))};
}

}  // namespace

// ---- the launcher ----

void Agent::reach_launcher() {
  next_launcher_try_ = std::chrono::steady_clock::now() + launcher_pause;
  if (options_.launcher_program) {
    child_.emplace(*options_.launcher_program);
    launcher_.emplace(child_->take_connection());
    return;
  }
  Result<FileDescriptor> socket = launcher::connect_to_launcher(options_.launcher_path);
  if (socket) {
    launcher_.emplace(*std::move(socket));
    says_launcher_is_back_ = launchers_lost_ > 0;
  } else if (launchers_lost_ == 0) {
    spdlog::warn("{}; retrying", socket.error().message);
    launchers_lost_ = 1;  // reported once
  }
}

// Its containers are as good as lost: nobody ends them, and nobody learns of their ends.
void Agent::give_up_silent_launcher() {
  if (!launcher_ || !session_.is_launcher_silent(now())) return;
  if (child_) child_->kill();
  lose_launcher(fmt::format("the launcher has not answered for {} s; its containers are given up",
                            AgentSession::launcher_silence_max.count()));
}

void Agent::lose_launcher(const std::string& why) {
  launcher_.reset();
  session_.lose_launcher(now());
  ++launchers_lost_;
  if (!child_) {
    spdlog::error("{}; retrying", why);
    return;
  }
  const std::optional<int> exit_code = child_->wait(LauncherChild::end_timeout);
  child_.reset();
  // It has reported why it cannot work here; another could not either.
  const bool is_hopeless = exit_code == to_int(ExitCode::environment) ||
                           exit_code == to_int(ExitCode::usage) ||
                           exit_code == to_int(ExitCode::input);
  if (is_hopeless || launchers_lost_ > launchers_lost_max) {
    exit_code_ = is_hopeless ? ExitCode::environment : ExitCode::run_failed;
    return session_.leave("its launcher ended");
  }
  spdlog::error("{}; restarting it", why);
}

void Agent::receive_from_launcher() {
  launcher_->flush();
  const bool is_connected = launcher_->receive(news_);
  for (const auto& news : news_) session_.take(news, now());
  if (says_launcher_is_back_ && session_.has_launcher()) {
    says_launcher_is_back_ = false;
    spdlog::info("the launcher is connected again");
  }
  news_.clear();
  if (is_connected) return;
  lose_launcher(child_ ? "the launcher ended" : "lost the connection to the launcher");
}

void Agent::give(const Order& order) {
  if (!launcher_) return;  // the next one gets that from the coordinator after a Hello
  visit_all(
      order, [&](const LaunchOrder& launch) { launcher_->launch(launch.records); },
      [&](const LaunchMasterOrder& master) { launcher_->launch(master.record); },
      [&](const ReleaseOrder& release) { launcher_->release(release.containers); },
      [&](const KillOrder& kill) { launcher_->kill(kill.containers); },
      [&](const CheckpointOrder& checkpoint) { launcher_->checkpoint(checkpoint.containers); },
      [&](const AcknowledgeOrder& acknowledge) { launcher_->acknowledge(acknowledge.exits_up_to); },
      [&](const SettingsOrder& settings) { launcher_->set(settings.record); },
      [&](const QueryUsageOrder&) { launcher_->query_usage(); });
}

void Agent::end_launcher() {
  if (launcher_) launcher_->shutdown();
  if (child_) {
    const std::optional<int> exit_code = child_->wait(LauncherChild::end_timeout);
    child_.reset();
    if (exit_code != 0) exit_code_ = ExitCode::run_failed;
    return;
  }
  // One that is not a child hangs up when it is done.
  const SteadyTime deadline = std::chrono::steady_clock::now() + LauncherChild::end_timeout;
  while (launcher_ && launcher_->receive(news_)) {
    pollfd launcher = {launcher_->number(), POLLIN, 0};
    poll(&launcher, 1, 100);
    if (std::chrono::steady_clock::now() > deadline) {
      spdlog::error("the launcher does not end");
      exit_code_ = ExitCode::run_failed;
      return;
    }
  }
}

// ---- the shuffle server ----

void Agent::start_shuffle_server() {
  const ShuffleServerProgram& program = *options_.shuffle;
  const std::string& key = session_.shuffle_key();
  ShuffleBegin begin;
  begin.key = shuffle::RunKey(std::as_bytes(std::span(key)).first<shuffle::RunKey::size>());
  begin.address = options_.identity.address;
  begin.port = program.port;
  begin.folder = outputs_ ? outputs_->open(session_.run()).string() : program.folder;
  begin.links = program.links;
  begin.rates = to_shuffle_rates(session_.shuffle_rates());
  begin.limits.connections_max = program.connections_max;
  // Executors keep input in memory that their machine has for containers.
  const std::int64_t kept_mib = options_.identity.capacity.memory_mib();
  begin.kept_bytes_max =
      std::min(static_cast<std::uint64_t>(kept_mib) << 20, shuffle::output_bytes_max);
  if (program.isolation != "none") {
    begin.cgroup.emplace();
    begin.cgroup->name = {session_.run(), options_.identity.name + ".shuffle"};
    begin.cgroup->limits =
        CgroupLimits{.milli_vcores = 1'000, .memory_mib = 256 + kept_mib, .pids = 512};
    begin.cgroup->is_required = program.isolation == "cgroup";
  }
  has_old_outputs_ = true;
  shuffle_server_.emplace(program.path, std::move(begin));
}

void Agent::tend_shuffle_server() {
  const std::vector<JobId> ended_jobs = session_.take_ended_jobs();
  if (session_.shuffle_key().empty()) {
    const bool has_left_run = shuffle_server_.has_value();
    end_shuffle_server();
    if (outputs_ && has_old_outputs_ && (has_left_run || session_.is_welcome())) {
      // A predecessor's server that still ends may be in the way for a moment.
      has_old_outputs_ = !outputs_->remove_all();
    }
    return session_.set_shuffle_port(0);
  }
  if (!shuffle_server_) {
    if (std::chrono::steady_clock::now() < next_shuffle_try_) return;
    try {
      start_shuffle_server();
    } catch (const EnvironmentError& error) {
      if (!options_.identity.is_long_running()) throw;
      return give_up_shuffle_server(error.what());
    }
  }
  shuffle_server_->advance();
  for (const JobId job : ended_jobs) shuffle_server_->remove_job(job.value());
  session_.set_shuffle_port(shuffle_server_->port().value_or(0));
  if (const auto failure = shuffle_server_->failure()) give_up_shuffle_server(*failure);
}

// A long-running agent serves runs without a shuffle, too, and what is in the way may go away. In
// the run its tasks wait for the server, and fail in the end.
void Agent::give_up_shuffle_server(const std::string& why) {
  if (!options_.identity.is_long_running()) {
    exit_code_ = ExitCode::run_failed;
    return session_.leave(why);
  }
  shuffle_server_.reset();
  session_.set_shuffle_port(0);
  next_shuffle_try_ = std::chrono::steady_clock::now() + shuffle_pause;
  spdlog::error("{}; starting the shuffle server again in {} s", why, shuffle_pause.count());
}

void Agent::end_shuffle_server() {
  if (!shuffle_server_) return;
  shuffle_server_.reset();
  // Those of a long-running agent are removed once it has left the run: a successor in the same run
  // finds what was kept.
  if (outputs_) return;
  std::error_code ignored;
  const std::filesystem::path folder = options_.shuffle->folder;
  std::filesystem::remove_all(folder, ignored);
  // If this is the last that its run's owner has left.
  if (is_owner_gone_) std::filesystem::remove(folder.parent_path(), ignored);
}

}  // namespace tracebed::agent
