// Fetches ranges of map outputs from shuffle servers (org.apache.hadoop.mapreduce.task.reduce.
// Fetcher), over one connection that is kept from one fetch to the next of the same host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "shuffle_client/shuffle_channel.h"

namespace tracebed::shuffle {

struct FetchedRange {
  std::uint64_t bytes = 0;         // that were passed on: from the range's begin on, all verified
  std::optional<Failure> failure;  // none: these are all of the range
};

// One thread uses it.
class ShuffleFetcher {
 public:
  // Called for the ranges in their order, by their index, and for the bytes of each in theirs.
  using Sink = std::function<void(std::size_t range, Bytes bytes)>;

  ShuffleFetcher(const JobToken& token, std::uint32_t job, hdfs::ConnectionOptions options)
      : token_(token), job_(job), options_(std::move(options)) {}

  // 1 to ranges_max ranges within output_bytes_max (checked). Returns what became of each of them.
  std::vector<FetchedRange> fetch(const hdfs::Endpoint& host, std::span<const OutputRange> ranges,
                                  const Sink& sink);

 private:
  struct Task;

  bool keeps_connection_to(const hdfs::Endpoint& host) const;
  // From the next range of the task on. A failure is of the connection; that of one range is in its
  // result.
  ClientStatus fetch_all(const hdfs::Endpoint& host, Task& task);
  ClientStatus request(const hdfs::Endpoint& host, const Task& task);
  ClientStatus receive_range(Task& task, std::size_t index);
  ClientStatus receive_bytes(Task& task, std::size_t index);
  void fail_rest(Task& task, const Failure& failure) const;

  JobToken token_;
  std::uint32_t job_;
  hdfs::ConnectionOptions options_;
  std::optional<ShuffleChannel> channel_;  // if any, it waits for the next request
};

}  // namespace tracebed::shuffle
