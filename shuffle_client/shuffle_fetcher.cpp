#include "shuffle_client/shuffle_fetcher.h"

#include <utility>

namespace tracebed::shuffle {

struct ShuffleFetcher::Task {
  std::span<const OutputRange> ranges;
  const Sink& sink;
  std::vector<FetchedRange> results;
  std::size_t next = 0;  // of which nothing, or a part, was received
};

std::vector<FetchedRange> ShuffleFetcher::fetch(const hdfs::Endpoint& host,
                                                std::span<const OutputRange> ranges,
                                                const Sink& sink) {
  Task task{ranges, sink, std::vector<FetchedRange>(ranges.size())};
  const bool is_kept = keeps_connection_to(host);
  ClientStatus done = fetch_all(host, task);
  // Servers close connections that they have kept for long.
  const bool is_stale = is_kept && !done && done.error().kind == FailureKind::connection &&
                        task.next == 0 && task.results.front().bytes == 0;
  if (is_stale) done = fetch_all(host, task);
  if (!done) fail_rest(task, done.error());
  return std::move(task.results);
}

bool ShuffleFetcher::keeps_connection_to(const hdfs::Endpoint& host) const {
  return channel_ && channel_->host() == host;
}

ClientStatus ShuffleFetcher::fetch_all(const hdfs::Endpoint& host, Task& task) {
  ClientStatus done = request(host, task);
  while (done && task.next < task.ranges.size()) {
    done = receive_range(task, task.next);
    if (done) ++task.next;
  }
  if (!done) channel_.reset();
  return done;
}

ClientStatus ShuffleFetcher::request(const hdfs::Endpoint& host, const Task& task) {
  if (!keeps_connection_to(host)) {
    channel_.reset();
    auto opened = ShuffleChannel::open(host, token_, options_);
    if (!opened) return opened.error();
    channel_.emplace(std::move(*opened));
  }
  return channel_->send(Fetch{job_, {task.ranges.begin(), task.ranges.end()}});
}

// The failure is that of the next range; what it means to those after it depends on its kind.
void ShuffleFetcher::fail_rest(Task& task, const Failure& failure) const {
  const bool is_of_one =
      failure.kind == FailureKind::corrupt || failure.kind == FailureKind::protocol;
  for (std::size_t i = task.next; i < task.ranges.size(); ++i) {
    Failure own = failure;
    if (is_of_one && i > task.next) {
      own = failure_of(failure.host, FailureKind::connection,
                       "the connection was given up for another output");
    }
    task.results[i].failure = about(job_, task.ranges[i].container, std::move(own));
  }
}

ClientStatus ShuffleFetcher::receive_range(Task& task, std::size_t index) {
  const auto fail = [&](FailureKind kind, std::string_view why) {
    return failure_of(channel_->host(), kind, why);
  };
  const OutputRange& range = task.ranges[index];
  const ClientResult<Reply> reply = channel_->receive();
  if (!reply) return reply.error();
  const auto* answer = std::get_if<Answer>(&*reply);
  if (answer == nullptr || answer->index != index) {
    return fail(FailureKind::protocol, "no answer for a range");
  }
  if (answer->status == OutputStatus::ending) {
    return fail(FailureKind::ending, "the server is ending");
  }
  if (answer->status != OutputStatus::ok) {
    task.results[index].failure =
        about(job_, range.container, fail(kind_of(answer->status), "the server has not the range"));
    return std::monostate{};
  }
  if (answer->length != range.length) {
    return fail(FailureKind::protocol, "a range of another length than was requested");
  }
  return receive_bytes(task, index);
}

ClientStatus ShuffleFetcher::receive_bytes(Task& task, std::size_t index) {
  const OutputRange& range = task.ranges[index];
  FetchedRange& result = task.results[index];
  const auto fail = [&](FailureKind kind, std::string_view why) {
    return failure_of(channel_->host(), kind, why);
  };
  while (result.bytes < range.length) {
    const ClientResult<Reply> reply = channel_->receive();
    if (!reply) return reply.error();
    if (const auto* answer = std::get_if<Answer>(&*reply)) {
      if (answer->index != index || answer->status == OutputStatus::ok) {
        return fail(FailureKind::protocol, "an answer in the middle of a range");
      }
      if (answer->status == OutputStatus::ending) {
        return fail(FailureKind::ending, "the server is ending");
      }
      result.failure = about(job_, range.container,
                             fail(kind_of(answer->status), "the server cannot read all of it"));
      return std::monostate{};
    }
    const auto* chunk = std::get_if<Chunk>(&*reply);
    if (chunk == nullptr || chunk->data.size() > range.length - result.bytes) {
      return fail(FailureKind::protocol, "more than was requested");
    }
    if (!chunk->is_intact()) return fail(FailureKind::corrupt, "bytes differ from their checksum");
    task.sink(index, chunk->data);
    result.bytes += chunk->data.size();
  }
  return std::monostate{};
}

}  // namespace tracebed::shuffle
