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
#include "hdfs_client/rpc_channel.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/task_umbilical.h"
#include "task_umbilical.pb.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;

}  // namespace

TaskMapOutput::TaskMapOutput(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop)
    : spec_(spec), token_(token), stop_(stop), interrupt_(stop.open_descriptor()) {
  if (length() > static_cast<std::int64_t>(shuffle::output_bytes_max)) {
    failure_ = Error{"map output: " + std::to_string(length()) + " bytes, at most " +
                     std::to_string(shuffle::output_bytes_max) + " can be kept"};
  }
}

template <class Step>
bool TaskMapOutput::persist(Step&& step) {
  const hdfs::Deadline ends = hdfs::Deadline::after(shuffle_failing_max);
  while (!failure_ && !stop_.has_come()) {
    const Status status = step();
    if (status) return true;
    writer_.reset();
    if (ends.has_passed()) {
      failure_ = Error{"map output: " + status.error().message};
    } else if (!hdfs::pause(shuffle_pause, interrupt_)) {
      break;  // ordered to stop
    }
  }
  return !failure_;
}

bool TaskMapOutput::write_to(std::int64_t bytes) {
  return persist([&] { return write_on(bytes); });
}

bool TaskMapOutput::close() {
  return persist([&]() -> Status {
    if (is_closed_) return success();
    if (const Status written = write_on(length()); !written) return written;
    const auto closed = writer_->close();
    if (!closed) return Error{closed.error().message};
    is_closed_ = true;
    return success();
  });
}

bool TaskMapOutput::put(std::span<const std::byte> bytes) {
  return persist([&]() -> Status {
    if (const Status opened = open(); !opened) return opened;
    if (const auto written = writer_->write(bytes); !written) {
      return Error{written.error().message};
    }
    sent_ = static_cast<std::int64_t>(bytes.size());
    const auto closed = writer_->close();
    if (!closed) return Error{closed.error().message};
    is_closed_ = true;
    return success();
  });
}

Status TaskMapOutput::open() {
  const auto coordinator = namenode_endpoint(spec_.input);
  if (!coordinator) return coordinator.error();
  hdfs::RpcChannel channel(*coordinator, std::string(hdfs::task_umbilical_protocol),
                           task_rpc_options(spec_.input, interrupt_));
  const auto answer = channel.call(hdfs::get_shuffle_server_method, pb::GetShuffleServerRequest());
  if (!answer) return Error{answer.error().message};
  pb::GetShuffleServerResponse server;
  if (!hdfs::parse_message(*answer, server)) return Error{"a malformed answer"};
  if (server.port() == 0 || server.port() > UINT16_MAX) {
    return Error{"there is no shuffle server at " + spec_.input.address};
  }
  hdfs::ConnectionOptions options;
  options.local_address = spec_.input.address;
  options.interrupt = interrupt_;
  auto writer = shuffle::MapOutputWriter::open(
      {spec_.input.address, static_cast<std::uint16_t>(server.port())}, token_,
      shuffle_job_of(spec_.work).value(), static_cast<std::uint32_t>(spec_.container), options);
  if (!writer) return Error{writer.error().message};
  writer_ = *std::move(writer);
  sent_ = 0;
  return success();
}

Status TaskMapOutput::write_on(std::int64_t bytes) {
  if (!writer_) {
    if (const Status opened = open(); !opened) return opened;
  }
  const BlockContent content(map_output_content_id(shuffle_job_of(spec_.work).value(),
                                                   static_cast<std::uint32_t>(spec_.container)));
  std::array<std::byte, 32'768> buffer;
  while (sent_ < bytes) {
    const auto count =
        std::min<std::int64_t>(bytes - sent_, static_cast<std::int64_t>(buffer.size()));
    const std::span part = std::span(buffer).first(static_cast<std::size_t>(count));
    content.fill(static_cast<std::uint64_t>(sent_), part);
    if (const auto written = writer_->write(part); !written) {
      return Error{written.error().message};
    }
    sent_ += count;
  }
  return success();
}

}  // namespace tracebed
