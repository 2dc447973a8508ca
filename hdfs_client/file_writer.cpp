#include "hdfs_client/file_writer.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed::hdfs {
namespace {

constexpr std::chrono::minutes exclusion{10};  // dfs.client.write.exclude.nodes.cache.expiry…
constexpr std::string_view not_replicated_yet =
    "org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException";

WrittenFile written_file(const std::string& path, const pb::HdfsFileStatus& status) {
  return {path, status.file_id(), status.block_replication(), status.blocksize()};
}

ClientFailure odd_block_size(const WrittenFile& file, const ChunkChecksums& checksums) {
  return {ClientFailureKind::protocol,
          file.path + ": a block size of " + std::to_string(file.block_size) +
              " is no positive multiple of " + std::to_string(checksums.bytes_per_checksum) +
              " bytes per checksum",
          {}};
}

// org.apache.hadoop.hdfs.DFSOutputStream: the block size is a multiple of the checksum's chunk.
bool has_whole_chunks(const WrittenFile& file, const ChunkChecksums& checksums) {
  return file.block_size > 0 && file.block_size % checksums.bytes_per_checksum == 0;
}

}  // namespace

ClientResult<FileWriter> FileWriter::create(NamenodeClient& namenode, const std::string& path,
                                            const CreateOptions& creation,
                                            FileWriteOptions options) {
  WrittenFile file{path, 0, creation.replication, creation.block_size};
  if (!has_whole_chunks(file, options.checksums)) return odd_block_size(file, options.checksums);
  pb::CreateRequest request;
  request.set_src(path);
  request.mutable_masked()->set_perm(creation.permission);
  request.set_client_name(namenode.client_name());
  std::uint32_t flags = pb::CREATE_FLAG_CREATE;
  if (creation.overwrites) flags |= pb::CREATE_FLAG_OVERWRITE;
  request.set_create_flag(flags);
  request.set_create_parent(creation.creates_parents);
  request.set_replication(creation.replication);
  request.set_block_size(creation.block_size);
  const auto response = namenode.call(request);
  if (!response) return response.error();
  file.file_id = response->fs().file_id();
  return FileWriter(namenode, std::move(file), std::move(options));
}

ClientResult<FileWriter> FileWriter::append(NamenodeClient& namenode, const std::string& path,
                                            FileWriteOptions options) {
  pb::AppendRequest request;
  request.set_src(path);
  request.set_client_name(namenode.client_name());
  request.set_flag(pb::CREATE_FLAG_APPEND);
  const auto response = namenode.call(request);
  if (!response) return response.error();
  FileWriter writer(namenode, written_file(path, response->stat()), std::move(options));
  writer.length_ = response->stat().length();
  if (!response->has_stat() || !has_whole_chunks(writer.file_, writer.options_.checksums)) {
    return odd_block_size(writer.file_, writer.options_.checksums);
  }
  if (!response->has_block() || response->block().b().num_bytes() >= writer.file_.block_size) {
    return writer;
  }
  ClientResult<BlockWriter> block =
      BlockWriter::append(namenode, writer.file_, writer.options_, response->block());
  if (!block) return block.error();
  writer.block_ = *std::move(block);
  writer.sent_end_ = response->block().b().num_bytes();
  writer.begin_packet(writer.sent_end_);
  return writer;
}

ClientStatus FileWriter::kept(ClientStatus status) {
  if (!status && !failure_) failure_ = status.error();
  return status;
}

ClientStatus FileWriter::write(Bytes bytes) {
  if (failure_) return *failure_;
  TRACEBED_CHECK(!is_closed_, "nothing is written to a file that is closed");
  return kept(write_pieces(bytes));
}

ClientStatus FileWriter::write_pieces(Bytes bytes) {
  while (!bytes.empty()) {
    if (!block_) {
      if (const ClientStatus begun = begin_block(); !begun) return begun;
    }
    const std::size_t taken = packet_->append(bytes);
    bytes = bytes.subspan(taken);
    length_ += taken;
    if (!packet_->is_full()) continue;
    if (const ClientStatus sent = send_packet(false); !sent) return sent;
    if (sent_end_ < file_.block_size) {
      begin_packet(sent_end_);
    } else if (const ClientStatus ended = end_block(); !ended) {
      return ended;
    }
  }
  return client_success();
}

void FileWriter::begin_packet(std::uint64_t offset_in_block) {
  packet_ = block_->take_packet();
  packet_->begin(offset_in_block, file_.block_size);
}

ClientStatus FileWriter::send_packet(bool syncs) {
  sent_end_ = packet_->end();
  const ClientStatus written = block_->write(*std::move(packet_), syncs);
  packet_.reset();
  return written;
}

ClientStatus FileWriter::hflush() {
  if (failure_) return *failure_;
  return kept(flush(false, SyncLength::as_it_is));
}

ClientStatus FileWriter::hsync(SyncLength length) {
  if (failure_) return *failure_;
  return kept(flush(true, length));
}

// org.apache.hadoop.hdfs.DFSOutputStream.flushOrSync. A chunk that is not full is sent again with
// what follows, from its first byte on that this writer has, so that the datanodes get a checksum
// of the whole chunk.
ClientStatus FileWriter::flush(bool syncs, SyncLength length) {
  if (!block_) return namenode_->renew_lease_if_due();
  const std::uint64_t end = packet_->end();
  if (end > sent_end_ || syncs) {
    const std::uint64_t chunk =
        std::max(packet_->offset(), end - end % options_.checksums.bytes_per_checksum);
    const Bytes kept_bytes = packet_->data().last(end - chunk);
    const std::vector<std::byte> tail(kept_bytes.begin(), kept_bytes.end());
    if (const ClientStatus sent = send_packet(syncs); !sent) return sent;
    begin_packet(chunk);
    packet_->append(tail);
  }
  if (const ClientStatus flushed = block_->flush(); !flushed) return flushed;
  if (is_persisted_ && length == SyncLength::as_it_is) return client_success();
  pb::FsyncRequest request;
  request.set_src(file_.path);
  request.set_client(namenode_->client_name());
  request.set_file_id(file_.file_id);
  if (length == SyncLength::updated) {
    request.set_last_block_length(static_cast<std::int64_t>(end));
  }
  const auto persisted = namenode_->call(request);
  if (!persisted) return persisted.error();
  is_persisted_ = true;
  return client_success();
}

// org.apache.hadoop.hdfs.DataStreamer.nextBlockOutputStream
ClientStatus FileWriter::begin_block() {
  std::string failures;
  for (unsigned attempt = 0; attempt <= options_.block_write_retries; ++attempt) {
    const ClientResult<pb::LocatedBlock> located = add_block();
    if (!located) return located.error();
    PipelineResult<BlockWriter> block = BlockWriter::create(*namenode_, file_, options_, *located);
    if (block) {
      block_ = *std::move(block);
      sent_end_ = 0;
      is_persisted_ = false;
      begin_packet(0);
      return client_success();
    }
    const PipelineFailure& failure = block.error();
    if (failure.failure.kind == ClientFailureKind::interrupted) return failure.failure;
    abandon(located->b());
    exclude(located->locs(static_cast<int>(failure.bad_datanode)));
    failures += "; " + failure.failure.message;
  }
  return ClientFailure{ClientFailureKind::exhausted,
                       file_.path + ": no pipeline for a block can be set up" + failures,
                       {}};
}

ClientResult<pb::LocatedBlock> FileWriter::add_block() {
  pb::AddBlockRequest request;
  request.set_src(file_.path);
  request.set_client_name(namenode_->client_name());
  request.set_file_id(file_.file_id);
  if (previous_) *request.mutable_previous() = *previous_;
  std::erase_if(excluded_, [](const Excluded& entry) { return entry.until.has_passed(); });
  for (const Excluded& entry : excluded_) *request.add_exclude_nodes() = entry.datanode;
  for (unsigned attempt = 0;; ++attempt) {
    auto response = namenode_->call(request);
    if (response && response->block().locs_size() > 0 && response->block().b().num_bytes() == 0) {
      return std::move(*response->mutable_block());
    }
    if (response) {
      return ClientFailure{
          ClientFailureKind::protocol,
          namenode_->endpoint().text() + ": a new block has no datanode or has bytes",
          {}};
    }
    if (response.error().exception_class != not_replicated_yet ||
        attempt == options_.locate_following_block_retries) {
      return response.error();
    }
    const ClientStatus paused =
        pause(options_.locate_following_block.before(attempt, namenode_->random()),
              options_.connection.interrupt);
    if (!paused) return paused.error();
  }
}

// A block that stays is one without a replica, which the namenode drops when the file is recovered.
void FileWriter::abandon(const pb::ExtendedBlock& block) {
  pb::AbandonBlockRequest request;
  *request.mutable_b() = block;
  request.set_src(file_.path);
  request.set_holder(namenode_->client_name());
  request.set_file_id(file_.file_id);
  static_cast<void>(namenode_->call(request));
}

void FileWriter::exclude(const pb::DatanodeInfo& datanode) {
  std::erase_if(excluded_, [&](const Excluded& entry) {
    return entry.datanode.id().datanode_uuid() == datanode.id().datanode_uuid();
  });
  excluded_.push_back({datanode, Deadline::after(exclusion)});
}

ClientStatus FileWriter::end_block() {
  if (packet_ && packet_->end() > sent_end_) {
    if (const ClientStatus sent = send_packet(false); !sent) return sent;
  }
  packet_.reset();
  if (const ClientStatus finished = block_->finish(); !finished) return finished;
  for (const pb::DatanodeInfo& datanode : block_->failed_datanodes()) exclude(datanode);
  previous_ = block_->block();
  block_.reset();
  return client_success();
}

ClientStatus FileWriter::close() {
  if (failure_) return *failure_;
  if (is_closed_) return client_success();
  if (block_) {
    if (const ClientStatus ended = kept(end_block()); !ended) return ended;
  }
  return kept(complete());
}

// org.apache.hadoop.hdfs.DFSOutputStream.completeFile
ClientStatus FileWriter::complete() {
  pb::CompleteRequest request;
  request.set_src(file_.path);
  request.set_client_name(namenode_->client_name());
  request.set_file_id(file_.file_id);
  if (previous_) *request.mutable_last() = *previous_;
  for (unsigned attempt = 0; attempt <= options_.locate_following_block_retries; ++attempt) {
    const auto response = namenode_->call(request);
    if (!response) return response.error();
    is_closed_ = response->result();
    if (is_closed_) return client_success();
    const ClientStatus paused =
        pause(options_.locate_following_block.before(attempt, namenode_->random()),
              options_.connection.interrupt);
    if (!paused) return paused;
  }
  return ClientFailure{ClientFailureKind::exhausted,
                       file_.path +
                           ": the file cannot be closed because its last block does not have "
                           "enough replicas",
                       {}};
}

}  // namespace tracebed::hdfs
