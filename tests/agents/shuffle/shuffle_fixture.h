// A shuffle server in the test's own process, clients of it, and outputs whose every byte is known.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "agents/shuffle/shuffle_server.h"
#include "core/block_content.h"
#include "shuffle_client/map_output_writer.h"
#include "shuffle_client/shuffle_fetcher.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed::test {

using shuffle::FailureKind;
using shuffle::OutputRange;

inline shuffle::RunKey run_key(std::uint8_t of = 1) {
  std::array<std::byte, 32> bytes{};
  bytes.fill(std::byte{of});
  return shuffle::RunKey(bytes);
}

inline std::vector<std::byte> content(std::uint32_t container, std::uint64_t offset,
                                      std::uint64_t length) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(length));
  BlockContent(container).fill(offset, bytes);
  return bytes;
}

inline constexpr std::uint32_t job = 7;

class TestShuffle {
 public:
  explicit TestShuffle(const ShuffleLimits& limits = {}, SharedLinks* links = nullptr,
                       std::uint64_t kept_bytes_max = 0) {
    options_.address = "127.0.0.1";
    options_.folder = folder_.path() / "shuffle";
    options_.key = run_key();
    options_.limits = limits;
    options_.links = links;
    options_.kept_bytes_max = kept_bytes_max;
    restart();
  }

  void restart() {
    server_.reset();
    server_ = std::make_unique<ShuffleServer>(options_);
  }
  ShuffleServer& operator*() { return *server_; }
  ShuffleServer* operator->() { return server_.get(); }
  hdfs::Endpoint endpoint() const { return {options_.address, server_->port()}; }
  std::filesystem::path folder() const { return options_.folder; }
  ShuffleServerOptions& options() { return options_; }

  static hdfs::ConnectionOptions connections(const std::string& from = "127.0.0.1") {
    hdfs::ConnectionOptions options;
    options.local_address = from;
    options.read_timeout = options.write_timeout = timeout;
    return options;
  }
  shuffle::JobToken token(std::uint32_t of = job) const {
    return shuffle::job_token(options_.key, of);
  }
  shuffle::ClientResult<shuffle::MapOutputWriter> writer(std::uint32_t container,
                                                         std::uint32_t of = job) const {
    return writer(shuffle::Put{of, container});
  }
  shuffle::ClientResult<shuffle::MapOutputWriter> writer(const shuffle::Put& put) const {
    return shuffle::MapOutputWriter::open(endpoint(), token(put.job), put, connections());
  }
  // The whole output; its bytes are content() of the container, or of container and spill together.
  shuffle::ClientStatus put(std::uint32_t container, std::uint64_t length,
                            std::uint32_t of = job) const {
    return put(shuffle::Put{of, container}, length);
  }
  shuffle::ClientStatus put(const shuffle::Put& what, std::uint64_t length) const {
    auto output = writer(what);
    if (!output) return output.error();
    const auto bytes = content(what.container + what.spill, 0, length);
    if (auto written = output->write(bytes); !written) return written;
    return output->close();
  }
  // Whether the server has done so.
  bool drop(const shuffle::Drop& what) const {
    auto channel = shuffle::ShuffleChannel::open(endpoint(), token(what.job), connections());
    if (!channel || !channel->send(what)) return false;
    const auto reply = channel->receive();
    const auto* answer = reply ? std::get_if<shuffle::Answer>(&*reply) : nullptr;
    return answer != nullptr && answer->status == shuffle::OutputStatus::ok;
  }
  shuffle::ShuffleFetcher fetcher(std::uint32_t of = job,
                                  const std::string& from = "127.0.0.1") const {
    return shuffle::ShuffleFetcher(token(of), of, connections(from));
  }

  struct Fetched {
    std::vector<shuffle::FetchedRange> ranges;
    std::vector<std::vector<std::byte>> bytes;

    // None: all of it is there, and right.
    std::optional<FailureKind> failure(std::size_t range = 0) const {
      const auto& failed = ranges.at(range).failure;
      if (failed) return failed->kind;
      return std::nullopt;
    }
  };
  Fetched fetch(const std::vector<OutputRange>& ranges) const {
    auto own = fetcher();
    return fetch(own, ranges);
  }
  Fetched fetch(shuffle::ShuffleFetcher& fetcher, const std::vector<OutputRange>& ranges) const {
    Fetched fetched;
    fetched.bytes.resize(ranges.size());
    fetched.ranges = fetcher.fetch(endpoint(), ranges, [&](std::size_t index, auto bytes) {
      fetched.bytes.at(index).insert(fetched.bytes.at(index).end(), bytes.begin(), bytes.end());
    });
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const auto& [container, offset, length, spill] = ranges[i];
      const auto& bytes = fetched.bytes[i];
      EXPECT_EQ(bytes.size(), fetched.ranges[i].bytes);
      EXPECT_EQ(bytes, content(container + spill, offset, bytes.size())) << "range " << i;
      if (!fetched.ranges[i].failure) {
        EXPECT_EQ(bytes.size(), length);
      }
    }
    return fetched;
  }

 private:
  TemporaryFolder folder_;
  ShuffleServerOptions options_;
  std::unique_ptr<ShuffleServer> server_;
};

}  // namespace tracebed::test
