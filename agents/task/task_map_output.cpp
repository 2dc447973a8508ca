#include "agents/task/task_map_output.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <string>

#include "agents/task/task_storage.h"
#include "core/block_content.h"
#include "core/shuffle.h"
#include "core/shuffle_work.h"
#include "hdfs_client/connection.h"

namespace tracebed {

TaskMapOutput::TaskMapOutput(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop)
    : spec_(spec), token_(token), server_(spec.input, stop) {
  if (length() > static_cast<std::int64_t>(shuffle::output_bytes_max)) {
    failure_ = Error{"map output: " + std::to_string(length()) + " bytes, at most " +
                     std::to_string(shuffle::output_bytes_max) + " can be kept"};
  }
}

bool TaskMapOutput::perform(const OwnShuffleServer::Step& step) {
  if (failure_) return false;
  const auto outcome = server_.perform([&](const hdfs::Endpoint& server) {
    shuffle::ClientStatus status = step(server);
    if (!status) writer_.reset();
    return status;
  });
  if (!outcome) failure_ = Error{"map output: " + outcome.error().message};
  return outcome.has_value();
}

bool TaskMapOutput::write_to(std::int64_t bytes) {
  return perform([&](const hdfs::Endpoint& server) { return write_on(server, bytes); });
}

bool TaskMapOutput::close() {
  return perform([&](const hdfs::Endpoint& server) -> shuffle::ClientStatus {
    if (is_closed_) return std::monostate{};
    if (const auto written = write_on(server, length()); !written) return written;
    const auto closed = writer_->close();
    is_closed_ = closed.has_value();
    return closed;
  });
}

bool TaskMapOutput::put(std::span<const std::byte> bytes) {
  return perform([&](const hdfs::Endpoint& server) -> shuffle::ClientStatus {
    if (const auto opened = open(server); !opened) return opened;
    if (const auto written = writer_->write(bytes); !written) return written;
    sent_ = static_cast<std::int64_t>(bytes.size());
    const auto closed = writer_->close();
    is_closed_ = closed.has_value();
    return closed;
  });
}

shuffle::ClientStatus TaskMapOutput::open(const hdfs::Endpoint& server) {
  auto writer = shuffle::MapOutputWriter::open(
      server, token_,
      {shuffle_job_of(spec_.work).value(), static_cast<std::uint32_t>(spec_.container)},
      shuffle_connection_options(spec_, server_.interrupt()));
  if (!writer) return writer.error();
  writer_ = *std::move(writer);
  sent_ = 0;
  return std::monostate{};
}

shuffle::ClientStatus TaskMapOutput::write_on(const hdfs::Endpoint& server, std::int64_t bytes) {
  if (!writer_) {
    if (const auto opened = open(server); !opened) return opened;
  }
  const BlockContent content(map_output_content_id(shuffle_job_of(spec_.work).value(),
                                                   static_cast<std::uint32_t>(spec_.container)));
  std::array<std::byte, 32'768> buffer;
  while (sent_ < bytes) {
    const auto count =
        std::min<std::int64_t>(bytes - sent_, static_cast<std::int64_t>(buffer.size()));
    const std::span part = std::span(buffer).first(static_cast<std::size_t>(count));
    content.fill(static_cast<std::uint64_t>(sent_), part);
    if (const auto written = writer_->write(part); !written) return written;
    sent_ += count;
  }
  return std::monostate{};
}

}  // namespace tracebed
