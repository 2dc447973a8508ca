#include "agents/task/spilled_runs.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "agents/task/task_storage.h"
#include "core/check.h"
#include "core/shuffle_work.h"
#include "hdfs_client/connection.h"
#include "shuffle_client/shuffle_channel.h"

namespace tracebed {
namespace {

constexpr std::chrono::seconds drop_timeout{1};

// Spills are numbered from 1 on.
std::uint32_t spill_of(std::size_t run) {
  return static_cast<std::uint32_t>(run + 1);
}

}  // namespace

SpilledRuns::SpilledRuns(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop)
    : spec_(spec),
      token_(token),
      server_(spec.input, stop),
      fetcher_(token, job(), shuffle_connection_options(spec, server_.interrupt())) {}

SpilledRuns::~SpilledRuns() {
  if (bytes_ == 0 || !server_.endpoint()) return;
  writer_.reset();
  hdfs::ConnectionOptions options = shuffle_connection_options(spec_, -1);
  options.connect_timeout = options.read_timeout = options.write_timeout = drop_timeout;
  auto channel = shuffle::ShuffleChannel::open(*server_.endpoint(), token_, options);
  if (!channel || !channel->send(shuffle::Drop{job(), container()})) return;
  (void)channel->receive();
}

std::uint32_t SpilledRuns::job() const {
  return shuffle_job_of(spec_.work).value();
}

Status SpilledRuns::fail(const std::string& why) {
  failure_ = Error{"spill: " + why};
  return *failure_;
}

Status SpilledRuns::perform(const OwnShuffleServer::Step& step) {
  const auto outcome = server_.perform(step);
  if (!outcome) return fail(outcome.error().message);
  if (*outcome == OwnShuffleServer::Outcome::done) return success();
  return Error{"the task was ordered to stop"};
}

Status SpilledRuns::begin(std::size_t run) {
  written_ = run;
  return perform([&](const hdfs::Endpoint& server) -> shuffle::ClientStatus {
    auto opened =
        shuffle::MapOutputWriter::open(server, token_, {job(), container(), spill_of(run)},
                                       shuffle_connection_options(spec_, server_.interrupt()));
    if (!opened) return opened.error();
    writer_ = *std::move(opened);
    return std::monostate{};
  });
}

Status SpilledRuns::append(std::size_t run, kernels::Bytes bytes) {
  if (!writer_) {
    if (const Status begun = begin(run); !begun) return begun;
  }
  TRACEBED_CHECK(run == written_, "one run is finished before another one begins");
  const shuffle::ClientStatus written = writer_->write(bytes);
  if (!written) return fail(written.error().message);
  bytes_ += static_cast<std::int64_t>(bytes.size());
  return success();
}

Status SpilledRuns::finish(std::size_t run) {
  if (!writer_) return success();  // it is empty
  TRACEBED_CHECK(run == written_, "what is finished is the run that is written");
  const shuffle::ClientStatus closed = writer_->close();
  writer_.reset();
  return closed ? success() : fail(closed.error().message);
}

Status SpilledRuns::fetch(std::size_t run, std::uint64_t offset, std::uint64_t bytes,
                          const std::function<void(std::uint64_t at, hdfs::Bytes bytes)>& sink) {
  TRACEBED_CHECK(!writer_ || run != written_, "a run that is read is finished");
  const shuffle::OutputRange range{container(), offset, bytes, spill_of(run)};
  return perform([&](const hdfs::Endpoint& server) -> shuffle::ClientStatus {
    std::uint64_t fetched = 0;
    const auto results =
        fetcher_.fetch(server, std::span(&range, 1), [&](std::size_t, hdfs::Bytes part) {
          sink(fetched, part);
          fetched += part.size();
        });
    if (results.front().failure) return *results.front().failure;
    return std::monostate{};
  });
}

Status SpilledRuns::read(std::size_t run, std::uint64_t offset, std::span<std::byte> to) {
  return fetch(run, offset, to.size(), [&](std::uint64_t at, hdfs::Bytes part) {
    std::copy(part.begin(), part.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
  });
}

Status SpilledRuns::skim(std::size_t run, std::uint64_t offset, std::uint64_t bytes) {
  return fetch(run, offset, bytes, [](std::uint64_t, hdfs::Bytes) {});
}

}  // namespace tracebed
