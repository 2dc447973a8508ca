#include "agents/task/task_fetch.h"

#include <algorithm>
#include <ctime>
#include <system_error>
#include <utility>

#include "agents/task/task_storage.h"
#include "core/block_content.h"
#include "core/mix.h"
#include "core/shuffle.h"
#include "core/shuffle_work.h"
#include "shuffle_client/shuffle_fetcher.h"

namespace tracebed {
namespace {

// Between two questions for what has become ready; longer while nothing does.
constexpr std::chrono::milliseconds ask_pause_min{10};
constexpr std::chrono::milliseconds ask_pause_max{200};

// Whether a part of a source's output for the stage, which begins at `offset` of what its container
// keeps, ends within what can be kept.
bool is_within_bounds(const FetchSchedule::Part& part, std::uint64_t offset) {
  const auto end = static_cast<std::uint64_t>(part.begin + part.bytes);
  return offset <= shuffle::output_bytes_max && end <= shuffle::output_bytes_max - offset;
}

}  // namespace

// Threads that have begun look at what is guarded.
TaskFetch::TaskFetch(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop)
    : spec_(spec),
      token_(token),
      stop_(stop),
      interrupt_(stop.open_descriptor()),
      schedule_(spec.work, mix(static_cast<std::uint64_t>(spec.container))) {
  const std::int64_t threads = std::min(fetches_at_a_time(spec.work), spec.work.shuffle_sources);
  try {
    for (std::int64_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    const std::lock_guard lock(mutex_);
    failure_ = Error{"shuffle: thread " + std::to_string(threads_.size() + 1) + " of " +
                     std::to_string(threads) + " cannot be created: " + error.what()};
  }
}

TaskFetch::~TaskFetch() {
  end();
}

void TaskFetch::end() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    // Its threads may wait for servers, and its task has no use for the rest.
    if (!schedule_.is_whole()) stop_.give();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

bool TaskFetch::is_over() const {
  return has_ended_ || failure_ || stop_.has_come() || schedule_.is_whole();
}

std::int64_t TaskFetch::position() const {
  const std::lock_guard lock(mutex_);
  return schedule_.fetched();
}

ReadBytes TaskFetch::fetched() const {
  const std::lock_guard lock(mutex_);
  return fetched_;
}

std::optional<Error> TaskFetch::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

bool TaskFetch::wait_for(std::int64_t bytes) {
  std::unique_lock lock(mutex_);
  constexpr std::chrono::milliseconds look{5};  // at an order to stop, which notifies nobody
  while (schedule_.fetched() < bytes && !failure_ && !stop_.has_come()) {
    changed_.wait_for(lock, look);
  }
  return !failure_;
}

// ---- its threads ----

void TaskFetch::count_cpu_time(std::int64_t& counted_ns) {
  const std::int64_t now = now_ns(CLOCK_THREAD_CPUTIME_ID);
  cpu_ns_.fetch_add(now - std::exchange(counted_ns, now), std::memory_order_relaxed);
}

void TaskFetch::work() {
  std::int64_t counted_ns = 0;
  std::unique_lock lock(mutex_);
  while (!is_over()) {
    const Clock::time_point now = Clock::now();
    add_ready(now);
    if (const auto request = schedule_.next()) {
      fetch(lock, *request);
    } else if (!is_asking_ && now >= ask_at_) {
      ask_for_events(lock);
    } else {
      changed_.wait_until(lock, is_asking_ ? now + ask_pause_max : ask_at_);
    }
    count_cpu_time(counted_ns);
  }
  changed_.notify_all();
}

// What waits for a server that may be asked again.
void TaskFetch::add_ready(Clock::time_point now) {
  for (const auto& [source, location] : locations_) {
    if (servers_[location.host].again_at <= now) schedule_.add(source, location.host);
  }
}

TaskFetch::Host TaskFetch::host_of(const std::string& address, std::uint16_t port,
                                   const std::string& rack) {
  const hdfs::Endpoint endpoint{address, port};
  const auto found = std::find_if(servers_.begin(), servers_.end(),
                                  [&](const Server& one) { return one.endpoint == endpoint; });
  if (found != servers_.end()) return static_cast<Host>(found - servers_.begin());
  Server server;
  server.endpoint = endpoint;
  server.distance = distance_to(spec_.input, address, rack);
  servers_.push_back(std::move(server));
  return static_cast<Host>(servers_.size() - 1);
}

void TaskFetch::ask_for_events(std::unique_lock<std::mutex>& lock) {
  is_asking_ = true;
  const std::uint64_t from = next_event_;
  lock.unlock();
  if (!events_) events_ = std::make_unique<CompletionEvents>(spec_.input, interrupt_);
  const auto response = events_->from(spec_.work, from);
  if (!response) events_.reset();
  lock.lock();
  is_asking_ = false;
  if (!response) {
    if (!stop_.has_come() && !has_ended_) failure_ = Error{"shuffle: " + response.error().message};
    return;
  }
  for (const hdfs::pb::MapCompletionEvent& event : response->events()) {
    if (event.source() >= spec_.work.shuffle_sources || event.port() > UINT16_MAX) continue;
    if (!is_within_bounds(schedule_.part_of(event.source()), event.offset())) {
      failure_ = Error{"shuffle: the output of container " + std::to_string(event.container()) +
                       " may be longer than the " + std::to_string(shuffle::output_bytes_max) +
                       " bytes that can be kept"};
      break;
    }
    const Host host =
        host_of(event.address(), static_cast<std::uint16_t>(event.port()), event.rack());
    locations_[event.source()] = {host, event.container(),
                                  static_cast<std::int64_t>(event.offset())};
  }
  next_event_ = response->next_event();
  ask_pause_ = response->events_size() > 0
                   ? ask_pause_min
                   : std::clamp(ask_pause_ * 2, ask_pause_min, ask_pause_max);
  ask_at_ = Clock::now() + ask_pause_;
  changed_.notify_all();
}

void TaskFetch::fetch(std::unique_lock<std::mutex>& lock, const FetchSchedule::Request& request) {
  const Host host = request.host;
  const Server server = servers_[host];
  std::vector<shuffle::OutputRange> ranges;
  for (const FetchSchedule::Part& part : request.parts) {
    const Location& location = locations_.at(part.source);
    ranges.push_back({location.container, static_cast<std::uint64_t>(location.offset + part.begin),
                      static_cast<std::uint64_t>(part.bytes)});
  }
  lock.unlock();
  const Received received = receive(server, ranges);
  lock.lock();
  const std::int64_t whole = schedule_.end(host, received.bytes);
  fetched_.*server.distance += whole;
  Server& state = servers_[host];
  if (!received.failure) {
    state.failing_since.reset();
  } else if (!is_over()) {
    const Clock::time_point now = Clock::now();
    if (whole > 0 || !state.failing_since) state.failing_since = now;
    schedule_.drop(host);
    state.again_at = now + shuffle_pause;
    // It may have come back at another port, or what it kept be elsewhere.
    next_event_ = 0;
    if (now - *state.failing_since >= shuffle_failing_max) {
      failure_ = Error{"shuffle: " + *received.failure};
    }
  }
  changed_.notify_all();
}

// Whatever is wrong with an output, its task may run again, and another output take its place.
TaskFetch::Received TaskFetch::receive(const Server& server,
                                       const std::vector<shuffle::OutputRange>& ranges) const {
  shuffle::ShuffleFetcher fetcher(token_, shuffle_job_of(spec_.work).value(),
                                  shuffle_connection_options(spec_, interrupt_));
  Received received{std::vector<std::int64_t>(ranges.size()), {}};
  const auto results =
      fetcher.fetch(server.endpoint, ranges, [&](std::size_t index, hdfs::Bytes bytes) {
        const BlockContent content(
            map_output_content_id(shuffle_job_of(spec_.work).value(), ranges[index].container));
        // After one that is wrong, none that follows is right here.
        const std::uint64_t at =
            ranges[index].offset + static_cast<std::uint64_t>(received.bytes[index]);
        const std::size_t right = content.count_matching(at, bytes);
        received.bytes[index] += static_cast<std::int64_t>(right);
        if (right == bytes.size() || received.failure) return;
        received.failure = server.endpoint.text() + ": byte " + std::to_string(at + right) +
                           " of the output of container " +
                           std::to_string(ranges[index].container) + " is wrong";
      });
  for (const shuffle::FetchedRange& result : results) {
    if (result.failure && !received.failure) received.failure = result.failure->message;
  }
  return received;
}

}  // namespace tracebed
