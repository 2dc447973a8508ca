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
  const auto server = own_shuffle_server(spec_.input, interrupt_);
  if (!server) return server.error();
  auto writer = shuffle::MapOutputWriter::open(
      *server, token_,
      {shuffle_job_of(spec_.work).value(), static_cast<std::uint32_t>(spec_.container)},
      shuffle_connection_options(spec_.input, interrupt_));
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
