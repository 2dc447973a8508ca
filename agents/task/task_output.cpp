#include "agents/task/task_output.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <string>

#include "agents/task/task_storage.h"
#include "core/block_content.h"
#include "core/output_files.h"
#include "core/storage_failure.h"
#include "core/task_client.h"
#include "hdfs_client/file_writer.h"

namespace tracebed {
namespace {

using hdfs::ClientFailure;

constexpr std::chrono::milliseconds safe_mode_pause{200};
constexpr std::chrono::minutes safe_mode_wait{5};

Error error_of(const ClientFailure& failure) {
  return Error{failure.message};
}

hdfs::FileWriteOptions write_options(const hdfs::NamenodeClient& namenode, const TaskWork& work) {
  hdfs::FileWriteOptions options;
  options.connection = datanode_connection_options(namenode.options(), work);
  // Half a megabyte: containers may be small.
  options.packets_in_flight_max = 8;
  return options;
}

}  // namespace

struct TaskOutput::Client {
  Client(const hdfs::Endpoint& endpoint, const InputSource& source, std::uint32_t container)
      : namenode(endpoint, task_rpc_options(source, -1),
                 std::string(task_client_name) + "-" + std::to_string(container)) {}

  hdfs::NamenodeClient namenode;
  std::optional<hdfs::FileWriter> writer;
  hdfs::Deadline silence_ends = hdfs::Deadline::after(output_silence_max);
};

TaskOutput::TaskOutput(const InputSource& source, const TaskWork& work, std::uint32_t container,
                       StopOrder& stop)
    : source_(source), work_(work), container_(container), stop_(stop) {}

TaskOutput::~TaskOutput() = default;

std::int64_t TaskOutput::length() const {
  return work_.output_length;
}

bool TaskOutput::kept(const Status& status) {
  if (!status) failure_ = Error{"output: " + status.error().message};
  return !failure_;
}

bool TaskOutput::write_to(std::int64_t bytes) {
  if (failure_) return false;
  if (bytes > position_) return kept(write_on(bytes));
  return kept(stay_alive());
}

Status TaskOutput::open() {
  const auto endpoint = namenode_endpoint(source_);
  if (!endpoint) return endpoint.error();
  client_ = std::make_unique<Client>(*endpoint, source_, container_);
  hdfs::NamenodeClient& namenode = client_->namenode;
  const auto defaults = namenode.call(hdfs::pb::GetServerDefaultsRequest());
  if (!defaults) return error_of(defaults.error());
  hdfs::CreateOptions creation;
  creation.replication = static_cast<std::uint32_t>(work_.output_replication);
  creation.block_size = defaults->server_defaults().block_size();
  const int interrupt = stop_.open_descriptor();
  const auto waits_until = hdfs::Deadline::after(safe_mode_wait);
  for (;;) {
    auto writer =
        hdfs::FileWriter::create(namenode, attempt_output_path(work_, ContainerId(container_)),
                                 creation, write_options(namenode, work_));
    if (writer) {
      client_->writer = *std::move(writer);
      return success();
    }
    const bool is_safe =
        writer.error().exception_class == exception_class(StorageFailureKind::safe_mode);
    if (!is_safe || waits_until.has_passed()) return error_of(writer.error());
    if (!hdfs::pause(safe_mode_pause, interrupt)) return success();
  }
}

bool TaskOutput::write(std::span<const std::byte> bytes) {
  if (failure_) return false;
  return kept(write_next(bytes));
}

Status TaskOutput::write_next(std::span<const std::byte> bytes) {
  if (!client_ || !client_->writer) {
    if (const Status opened = open(); !opened) return opened;
    if (!client_->writer) return success();  // ordered to stop
  }
  if (const auto written = client_->writer->write(bytes); !written) {
    return error_of(written.error());
  }
  position_ += static_cast<std::int64_t>(bytes.size());
  return stay_alive();
}

Status TaskOutput::write_on(std::int64_t bytes) {
  if (!client_ || !client_->writer) {
    if (const Status opened = open(); !opened) return opened;
    if (!client_->writer) return success();
  }
  const BlockContent content(output_content_id(work_));
  std::array<std::byte, 32'768> buffer;
  while (position_ < bytes) {
    const auto count =
        std::min<std::int64_t>(bytes - position_, static_cast<std::int64_t>(buffer.size()));
    const std::span part = std::span(buffer).first(static_cast<std::size_t>(count));
    content.fill(static_cast<std::uint64_t>(work_.output_offset + position_), part);
    if (const auto written = client_->writer->write(part); !written) {
      return error_of(written.error());
    }
    position_ += count;
  }
  return stay_alive();
}

// The lease is renewed, and datanodes get a packet at least now and then.
Status TaskOutput::stay_alive() {
  if (!client_ || !client_->writer) return success();
  if (const auto renewed = client_->namenode.renew_lease_if_due(); !renewed) {
    return error_of(renewed.error());
  }
  if (!client_->silence_ends.has_passed()) return success();
  client_->silence_ends = hdfs::Deadline::after(output_silence_max);
  const auto synced = client_->writer->hsync();
  return synced ? success() : Status(error_of(synced.error()));
}

bool TaskOutput::close() {
  if (failure_) return false;
  if (!client_ || !client_->writer) return true;
  const auto closed = client_->writer->close();
  return kept(closed ? success() : Status(error_of(closed.error())));
}

}  // namespace tracebed
