#include "hdfs_client/file_reader.h"

#include <algorithm>
#include <utility>

#include "core/block_content.h"

namespace tracebed::hdfs {
namespace {

// Adds the time of its life.
class Waiting {
 public:
  explicit Waiting(std::chrono::nanoseconds& total) : total_(total) {}
  ~Waiting() { total_ += elapsed(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  std::chrono::nanoseconds elapsed() const { return Deadline::Clock::now() - begin_; }

 private:
  std::chrono::nanoseconds& total_;
  Deadline::Clock::time_point begin_ = Deadline::Clock::now();
};

bool is_of_datanode(ClientFailureKind kind) {
  switch (kind) {
    case ClientFailureKind::connection:
    case ClientFailureKind::timeout:
    case ClientFailureKind::slow:
      return true;
    case ClientFailureKind::interrupted:
    case ClientFailureKind::protocol:
    case ClientFailureKind::remote:
    case ClientFailureKind::corrupt:
    case ClientFailureKind::exhausted:
      return false;
  }
  return false;
}

}  // namespace

FileReader::FileReader(NamenodeClient& namenode, DeadDatanodes& dead, LocatedFile file,
                       FileReadOptions options)
    : namenode_(&namenode),
      dead_(&dead),
      file_(std::move(file)),
      options_(std::move(options)),
      rate_(options_.minimum_rate) {}

ClientResult<FileReader> FileReader::open(NamenodeClient& namenode, DeadDatanodes& dead,
                                          const std::string& path, std::uint64_t offset,
                                          std::uint64_t length, FileReadOptions options) {
  std::chrono::nanoseconds waited{};
  ClientResult<LocatedFile> file = [&] {
    const Waiting waiting(waited);
    return LocatedFile::open(namenode, path, offset, length);
  }();
  if (!file) return file.error();
  FileReader reader(namenode, dead, *std::move(file), std::move(options));
  reader.statistics_.waited = waited;
  const std::uint64_t file_length = reader.file_.length();
  reader.position_ = std::min(offset, file_length);
  reader.end_ = reader.position_ + std::min(length, file_length - reader.position_);
  return reader;
}

std::uint64_t FileReader::block_end() const {
  return std::min(end_, block_->offset() + block_->b().num_bytes());
}

ClientResult<Bytes> FileReader::next() {
  while (position_ < end_ || block_) {
    if (!block_) {
      if (const ClientStatus begun = begin_block(); !begun) return begun.error();
    }
    if (!replica_) {
      if (const ClientStatus opened = open_replica(); !opened) return opened.error();
    }
    const ClientResult<Bytes> bytes = next_of_replica();
    if (bytes && !bytes->empty()) return bytes;
    if (!bytes && bytes.error().kind == ClientFailureKind::interrupted) return bytes;
    if (position_ == block_end()) {
      // All of it has been verified; how the connection ends does not matter.
      if (const ClientStatus ended = end_block(); !ended) return ended.error();
    } else {
      give_up_replica(bytes.error());
    }
  }
  return Bytes();
}

ClientStatus FileReader::begin_block() {
  const Waiting waiting(statistics_.waited);
  const ClientResult<const pb::LocatedBlock*> block = file_.block_at(position_);
  if (!block) return block.error();
  block_ = **block;
  attempts_ = {};
  acquire_failures_ = 0;
  return client_success();
}

// org.apache.hadoop.hdfs.DFSInputStream.chooseDataNode
ClientStatus FileReader::open_replica() {
  const Waiting waiting(statistics_.waited);
  while (!replica_) {
    const pb::DatanodeInfo* chosen = attempts_.choose(*block_, *dead_);
    if (chosen == nullptr) {
      if (const ClientStatus found = find_other_locations(); !found) return found.error();
      continue;
    }
    datanode_ = *chosen;
    BlockReadOptions options{options_.connection, namenode_->client_name(),
                             options_.verifies_checksums, options_.packets};
    if (options_.minimum_rate.is_set() && attempts_.untried(*block_) > 1) {
      auto& timeout = options.connection.read_timeout;
      timeout = std::min(timeout, options_.minimum_rate.measured);
      options.connection.connect_timeout = std::min(options.connection.connect_timeout, timeout);
    }
    BlockRange range{block_->b(), block_->block_token(), position_ - block_->offset(),
                     block_end() - position_};
    ClientResult<BlockReader> opened = BlockReader::open(datanode_.id(), std::move(range), options);
    if (opened) {
      replica_ = *std::move(opened);
      rate_ = ReceiveRate(options_.minimum_rate);
      is_too_slow_ = false;
    } else if (opened.error().kind == ClientFailureKind::interrupted) {
      return opened.error();
    } else {
      give_up_replica(opened.error());
    }
  }
  return client_success();
}

// org.apache.hadoop.hdfs.DFSInputStream.refetchLocations
ClientStatus FileReader::find_other_locations() {
  if (const ClientStatus reported = report_corrupt_replicas(); !reported) return reported;
  if (++acquire_failures_ >= options_.acquire_failures_max) {
    return ClientFailure{ClientFailureKind::exhausted,
                         file_.path() + ": no replica of " + block_text(block_->b()) +
                             " can be read from byte " +
                             std::to_string(position_ - block_->offset()) + " on" +
                             (block_->locs_size() == 0 ? "; it has none" : attempts_.text()),
                         {}};
  }
  const auto window = options_.retry_window.count();
  const unsigned waits = acquire_failures_ - 1;
  const std::chrono::milliseconds wait(window * waits +
                                       namenode_->random().between(0, window * (waits + 1)));
  if (const ClientStatus paused = pause(wait, options_.connection.interrupt); !paused) {
    return paused;
  }
  if (const ClientStatus refreshed = file_.refresh(position_); !refreshed) return refreshed;
  const ClientResult<const pb::LocatedBlock*> block = file_.block_at(position_);
  if (!block) return block.error();
  block_ = **block;
  attempts_.begin_again();
  return client_success();
}

ClientResult<Bytes> FileReader::next_of_replica() {
  if (is_too_slow_) {
    return ClientFailure{ClientFailureKind::slow,
                         transfer_address(datanode_.id()) + ": sends less than " +
                             std::to_string(options_.minimum_rate.bytes_per_second) + " bytes/s",
                         {}};
  }
  std::chrono::nanoseconds waited{};
  const ClientResult<Bytes> bytes = [&] {
    const Waiting waiting(waited);
    return replica_->next();
  }();
  statistics_.waited += waited;
  if (!bytes || bytes->empty()) return bytes;
  if (const ClientStatus checked = check_content(*bytes); !checked) return checked.error();
  count(bytes->size());
  is_too_slow_ = rate_.add(bytes->size(), waited) && attempts_.untried(*block_) > 1;
  return bytes;
}

ClientStatus FileReader::check_content(Bytes bytes) const {
  if (!options_.verifies_generated_content && !options_.count_right) return client_success();
  const std::uint64_t offset = position_ - block_->offset();
  const std::size_t right =
      options_.count_right ? options_.count_right(position_, bytes)
                           : BlockContent(block_->b().block_id()).count_matching(offset, bytes);
  if (right == bytes.size()) return client_success();
  return ClientFailure{ClientFailureKind::corrupt,
                       transfer_address(datanode_.id()) + ": byte " +
                           std::to_string(offset + right) + " of " + block_text(block_->b()) +
                           " is not that of generated content",
                       {}};
}

void FileReader::count(std::size_t bytes) {
  position_ += bytes;
  const ReadDistance distance =
      options_.distance ? options_.distance(datanode_) : ReadDistance::off_rack;
  statistics_.bytes_by_distance[static_cast<std::size_t>(distance)] += bytes;
  statistics_.bytes_by_datanode[transfer_address(datanode_.id())] += bytes;
}

void FileReader::give_up_replica(const ClientFailure& failure) {
  replica_.reset();
  ++statistics_.replica_failures;
  statistics_.corrupt_replicas += failure.kind == ClientFailureKind::corrupt;
  if (is_of_datanode(failure.kind)) dead_->mark(datanode_.id().datanode_uuid());
  attempts_.give_up(datanode_, failure);
}

ClientStatus FileReader::end_block() {
  dead_->forgive(datanode_.id().datanode_uuid());
  const ClientStatus reported = report_corrupt_replicas();
  replica_.reset();
  block_.reset();
  return reported;
}

// The reader has its bytes, or says why not: a report that fails is no failure to read.
ClientStatus FileReader::report_corrupt_replicas() {
  const std::vector<pb::DatanodeInfo> corrupt = attempts_.corrupt_replicas(*block_);
  if (corrupt.empty()) return client_success();
  pb::ReportBadBlocksRequest request;
  pb::LocatedBlock& block = *request.add_blocks();
  block = *block_;
  block.clear_locs();
  block.clear_storage_ids();
  block.clear_storage_types();
  block.clear_is_cached();
  for (const pb::DatanodeInfo& datanode : corrupt) *block.add_locs() = datanode;
  const auto reported = namenode_->call(request);
  if (!reported && reported.error().kind == ClientFailureKind::interrupted) return reported.error();
  return client_success();
}

}  // namespace tracebed::hdfs
