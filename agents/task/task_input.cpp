#include "agents/task/task_input.h"

#include <string>

#include "agents/task/task_storage.h"
#include "core/task_client.h"
#include "hdfs_client/file_reader.h"

namespace tracebed {
namespace {

using hdfs::ReadDistance;

// Racks are network locations in HDFS, with a slash before them.
ReadDistance distance_of(const hdfs::pb::DatanodeInfo& datanode, const InputSource& source) {
  if (datanode.id().ip_addr() == source.address) return ReadDistance::same_node;
  const bool is_near =
      datanode.location() == source.rack || datanode.location() == "/" + source.rack;
  return is_near ? ReadDistance::same_rack : ReadDistance::off_rack;
}

}  // namespace

struct TaskInput::Client {
  Client(const hdfs::Endpoint& endpoint, const WorkSpec& spec, int interrupt,
         const kernels::Dataset* data)
      : namenode(endpoint, task_rpc_options(spec.input, interrupt), std::string(task_client_name)) {
    options.connection = datanode_connection_options(namenode.options(), spec.work);
    options.packets.payload_bytes_max = std::size_t{1} << 20;
    if (data == nullptr) {
      options.verifies_generated_content = true;
    } else {
      options.count_right = [data](std::uint64_t offset, hdfs::Bytes bytes) {
        return data->count_matching(offset, bytes);
      };
    }
    options.distance = [&source = spec.input](const hdfs::pb::DatanodeInfo& datanode) {
      return distance_of(datanode, source);
    };
  }

  hdfs::NamenodeClient namenode;
  hdfs::DeadDatanodes dead;
  hdfs::FileReadOptions options;
  std::optional<hdfs::FileReader> reader;
};

bool TaskInput::is_part_of(const TaskWork& work) {
  return work.input_file != 0 && split_of(work).bytes > 0;
}

bool TaskInput::is_moved_by(const TaskWork& work) {
  return work.input_file != 0 && work.input_length > 0;
}

std::uint64_t TaskInput::file_of(const TaskWork& work) {
  return static_cast<std::uint64_t>(work.input_file);
}

kernels::InputSplit TaskInput::split_of(const TaskWork& work) {
  return {static_cast<std::uint64_t>(work.input_offset),
          static_cast<std::uint64_t>(work.input_length + work.input_kept_length)};
}

TaskInput::TaskInput(const WorkSpec& spec, const shuffle::JobToken* token, StopOrder& stop,
                     const kernels::Dataset* data, std::size_t behind)
    : spec_(spec),
      token_(token),
      file_id_(file_of(spec.work)),
      offset_(static_cast<std::uint64_t>(spec.work.input_offset)),
      length_(static_cast<std::int64_t>(split_of(spec.work).bytes + behind)),
      stop_(stop),
      data_(data) {
  if (token != nullptr && takes_kept_input(spec.work)) taken_.emplace(spec, *token, stop);
}

TaskInput::~TaskInput() = default;

ReadBytes TaskInput::read() const {
  if (!client_ || !client_->reader) return {};
  const auto& bytes = client_->reader->statistics().bytes_by_distance;
  const auto at = [&](ReadDistance distance) {
    return static_cast<std::int64_t>(bytes[static_cast<std::size_t>(distance)]);
  };
  return {at(ReadDistance::same_node), at(ReadDistance::same_rack), at(ReadDistance::off_rack)};
}

bool TaskInput::read_to(std::int64_t bytes) {
  if (failure_) return false;
  const Status status = read_on(bytes);
  if (!status && !stop_.has_come()) failure_ = Error{"input: " + status.error().message};
  return !failure_;
}

Status TaskInput::open_file() {
  const auto endpoint = namenode_endpoint(spec_.input);
  if (!endpoint) return endpoint.error();
  client_ = std::make_unique<Client>(*endpoint, spec_, stop_.open_descriptor(), data_);
  auto reader = hdfs::FileReader::open(
      client_->namenode, client_->dead, "/.reserved/.inodes/" + std::to_string(file_id_),
      offset_ + static_cast<std::uint64_t>(position_),
      static_cast<std::uint64_t>(length_ - position_), client_->options);
  if (!reader) return Error{reader.error().message};
  client_->reader = *std::move(reader);
  if (token_ != nullptr && keeps_input(spec_.work) && position_ == 0) {
    kept_.emplace(spec_, *token_, stop_);
  }
  return success();
}

Result<std::span<const std::byte>> TaskInput::next_of_file() {
  if (!client_) {
    if (const Status opened = open_file(); !opened) return opened.error();
  }
  const auto part = client_->reader->next();
  if (!part) return Error{part.error().message};
  if (kept_ && part->empty()) {
    kept_->close();
    kept_.reset();
  }
  if (kept_) kept_->add(*part);
  return std::span<const std::byte>(*part);
}

Result<std::span<const std::byte>> TaskInput::next_part() {
  if (taken_) {
    if (const auto part = taken_->next()) {
      position_ += static_cast<std::int64_t>(part->size());
      return *part;
    }
    taken_.reset();
  }
  auto part = next_of_file();
  if (part) position_ += static_cast<std::int64_t>(part->size());
  return part;
}

Result<std::span<const std::byte>> TaskInput::next() {
  if (failure_) return *failure_;
  if (stop_.has_come()) return std::span<const std::byte>();
  auto part = next_part();
  if (part) return part;
  if (stop_.has_come()) return std::span<const std::byte>();
  failure_ = Error{"input: " + part.error().message};
  return *failure_;
}

// Once all has been read, the reader is asked for more, so that it ends with its datanode in order.
Status TaskInput::read_on(std::int64_t bytes) {
  while (position_ < bytes || (position_ == length_ && bytes == length_)) {
    const auto part = next_part();
    if (!part) return part.error();
    if (part->empty()) {
      if (position_ == length_) break;
      return Error{"the file with inode id " + std::to_string(file_id_) + " ends at byte " +
                   std::to_string(offset_ + static_cast<std::uint64_t>(position_))};
    }
  }
  return success();
}

}  // namespace tracebed
