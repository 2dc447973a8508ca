#include "agents/task/fetched_runs.h"

#include <algorithm>
#include <utility>

#include "agents/task/task_storage.h"
#include "core/fetch_schedule.h"
#include "core/shuffle_work.h"
#include "kernels/bytes.h"

namespace tracebed {

class FetchedRuns::Run final : public kernels::ByteSource {
 public:
  Run(FetchedRuns& runs, std::uint32_t source, std::uint64_t offset, std::uint64_t bytes)
      : runs_(runs), source_(source), offset_(offset), unread_(bytes) {}

  std::string name() const override { return "the output of task " + std::to_string(source_); }

  Result<std::size_t> read(std::span<std::byte> to) override {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), unread_));
    if (count == 0) return count;
    if (const Status status = runs_.read(source_, offset_, to.first(count)); !status) {
      return status.error();
    }
    offset_ += count;
    unread_ -= count;
    return count;
  }

 private:
  FetchedRuns& runs_;
  std::uint32_t source_;
  std::uint64_t offset_;
  std::uint64_t unread_;
};

FetchedRuns::FetchedRuns(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop)
    : spec_(spec), token_(token), stop_(stop), interrupt_(stop.open_descriptor()) {}

Status FetchedRuns::fail(const std::string& why) {
  failure_ = Error{"shuffle: " + why};
  return *failure_;
}

std::size_t FetchedRuns::server_of(const hdfs::Endpoint& endpoint, const std::string& rack) {
  const auto found = std::find_if(servers_.begin(), servers_.end(),
                                  [&](const Server& one) { return one.endpoint == endpoint; });
  if (found != servers_.end()) return static_cast<std::size_t>(found - servers_.begin());
  servers_.push_back({endpoint, distance_to(spec_.input, endpoint.address, rack),
                      shuffle::ShuffleFetcher(token_, shuffle_job_of(spec_.work).value(),
                                              shuffle_connection_options(spec_, interrupt_))});
  return servers_.size() - 1;
}

Status FetchedRuns::ask() {
  if (!events_) events_ = std::make_unique<CompletionEvents>(spec_.input, interrupt_);
  const auto response = events_->from(spec_.work, next_event_);
  if (!response) {
    events_.reset();
    return response.error();
  }
  for (const hdfs::pb::MapCompletionEvent& event : response->events()) {
    if (event.source() >= sources_of(spec_.work) || event.port() > UINT16_MAX ||
        event.offset() > shuffle::output_bytes_max) {
      continue;
    }
    const hdfs::Endpoint endpoint{event.address(), static_cast<std::uint16_t>(event.port())};
    locations_[event.source()] = {server_of(endpoint, event.rack()), event.container(),
                                  event.offset()};
  }
  next_event_ = response->next_event();
  return success();
}

const FetchedRuns::Location* FetchedRuns::find(std::uint32_t source) {
  const auto found = locations_.find(source);
  return found == locations_.end() ? nullptr : &found->second;
}

Status FetchedRuns::read(std::uint32_t source, std::uint64_t offset, std::span<std::byte> to) {
  std::optional<hdfs::Deadline> ends;  // once a server has failed
  for (bool is_first = true;; is_first = false) {
    if (!is_first && !hdfs::pause(shuffle_pause, interrupt_)) break;
    if (stop_.has_come()) break;
    if (!is_first || find(source) == nullptr) {
      if (const Status asked = ask(); !asked) {
        if (stop_.has_come()) break;
        return fail(asked.error().message);
      }
    }
    const Location* const location = find(source);
    if (location == nullptr) continue;
    Server& server = servers_[location->server];
    const shuffle::OutputRange range{location->container, location->offset + offset, to.size()};
    std::size_t copied = 0;
    const auto results = server.fetcher.fetch(
        server.endpoint, std::span(&range, 1), [&](std::size_t, hdfs::Bytes bytes) {
          std::copy(bytes.begin(), bytes.end(), to.begin() + static_cast<std::ptrdiff_t>(copied));
          copied += bytes.size();
        });
    const auto& failure = results.front().failure;
    if (!failure) {
      fetched_.*server.distance += static_cast<std::int64_t>(to.size());
      return success();
    }
    // It may have come back at another port, or what it kept be elsewhere.
    next_event_ = 0;
    if (!ends) ends = hdfs::Deadline::after(shuffle_failing_max);
    if (ends->has_passed()) return fail(failure->message);
  }
  return Error{"the task was ordered to stop"};
}

Result<kernels::Merge::Sources> FetchedRuns::open(std::uint32_t partition,
                                                  std::int64_t partitions) {
  const std::uint64_t index_bytes = static_cast<std::uint64_t>(partitions) * sizeof(std::uint64_t);
  kernels::Merge::Sources sources;
  kernels::Buffer index((std::size_t{partition} + 1) * sizeof(std::uint64_t));
  for (std::uint32_t source = 0; source < sources_of(spec_.work); ++source) {
    if (const Status read_index = read(source, 0, index); !read_index) return read_index.error();
    std::uint64_t begin = index_bytes;
    std::uint64_t bytes = 0;
    for (std::size_t at = 0; at < index.size(); at += sizeof(std::uint64_t)) {
      begin += bytes;
      bytes = kernels::load<std::uint64_t>(index.data() + at);
      if (bytes > shuffle::output_bytes_max || begin > shuffle::output_bytes_max - bytes) {
        return fail("the output of task " + std::to_string(source) + " has a malformed index")
            .error();
      }
    }
    sources.push_back(std::make_unique<Run>(*this, source, begin, bytes));
  }
  return sources;
}

}  // namespace tracebed
