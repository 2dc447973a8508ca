#include "traces/binary/binary_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

#include "core/input_error.h"
#include "traces/parts/byte_source.h"
#include "traces/parts/streams.h"

namespace tracebed {
namespace {

bool is_whole(const auto& header) {
  return header.header_checksum == binary::own_checksum(header);
}

}  // namespace

bool is_binary_trace(std::string_view head) {
  return head.starts_with(binary::mark);
}

BinaryTraceFile::BinaryTraceFile(const std::string& path, InputWitness* witness)
    : name_(path), file_(std::in_place, path, witness), size_(file_->size()) {
  open();
}

BinaryTraceFile::BinaryTraceFile(std::string name, std::span<const std::byte> bytes)
    : name_(std::move(name)), memory_(bytes), size_(bytes.size()) {
  open();
}

bool is_binary_trace_file(const std::string& path) {
  if (is_stream(path)) return false;  // which could not be mapped, nor looked at without loss
  std::array<char, binary::mark.size()> head{};
  const std::size_t size = open_file(path)->read(head);
  return is_binary_trace({head.data(), size});
}

Resources translated(const Resources& amounts, const std::vector<std::string>& file_dimensions,
                     const ResourceDimensions& run_dimensions) {
  Resources result(amounts.milli_vcores(), amounts.memory_mib());
  for (std::size_t i = 0; i < file_dimensions.size(); ++i) {
    const std::size_t dimension = run_dimensions.find(file_dimensions[i]);
    const std::int64_t amount = amounts[Resources::memory_dimension + 1 + i];
    if (amount != 0 && dimension < run_dimensions.size()) result[dimension] = amount;
  }
  return result;
}

void BinaryTraceFile::refuse(std::string_view why) const {
  throw InputError(fmt::format("{}: {}", name_, why));
}

void BinaryTraceFile::refuse_chunk(std::string_view why) const {
  refuse(fmt::format("chunk {} at byte {} is damaged: {}", chunks_read_ - 1, chunk_at_, why));
}

std::span<const std::byte> BinaryTraceFile::bytes(std::uint64_t position, std::size_t count) {
  return file_ ? file_->bytes(position, count)
               : memory_.subspan(static_cast<std::size_t>(position), count);
}

// The caller has looked that there are enough bytes.
template <class Header>
Header BinaryTraceFile::header_at(std::uint64_t position) {
  Header header;
  std::memcpy(&header, bytes(position, sizeof(header)).data(), sizeof(header));
  return header;
}

void BinaryTraceFile::open() {
  read_prologue();
  read_epilogue();
  if (position_ == end_of_chunks() || peek_header().kind != binary::ChunkKind::origin) {
    refuse(fmt::format("expected the origin of the trace in the chunk at byte {}", position_));
  }
  if (const Status status = decode_origin(take_chunk(), origin_); !status) {
    refuse_chunk(status.error().message);
  }
  if (position_ == end_of_chunks() || peek_header().kind != binary::ChunkKind::machines) {
    return;
  }
  const Status status =
      decode_machines(take_chunk(), origin_.dimensions.size(), machines_, changes_);
  if (!status) refuse_chunk(status.error().message);
}

void BinaryTraceFile::read_prologue() {
  const auto head =
      bytes(0, static_cast<std::size_t>(std::min<std::uint64_t>(size_, binary::mark.size())));
  if (!is_binary_trace({reinterpret_cast<const char*>(head.data()), head.size()})) {
    refuse("expected a binary trace of Tracebed, got a file that does not begin with its mark");
  }
  if (size_ < sizeof(binary::Prologue)) refuse("the file is cut off in its first bytes");
  const auto prologue = header_at<binary::Prologue>(0);
  if (!is_whole(prologue)) refuse("the file is damaged in its first bytes: wrong checksum");
  if (prologue.version < binary::oldest_readable_version ||
      prologue.version > binary::format_version) {
    refuse(fmt::format("expected format version {} to {}, got {}{}",
                       binary::oldest_readable_version, binary::format_version, prologue.version,
                       prologue.version > binary::format_version
                           ? ": the file was written by a newer Tracebed"
                           : ""));
  }
  position_ = sizeof(prologue);
}

void BinaryTraceFile::read_epilogue() {
  if (size_ < sizeof(binary::Prologue) + sizeof(binary::Epilogue)) {
    refuse(fmt::format("the file is cut off: it has {} bytes and no end", size_));
  }
  epilogue_ = header_at<binary::Epilogue>(end_of_chunks());
  if (!std::equal(binary::end_mark.begin(), binary::end_mark.end(), epilogue_.mark.begin())) {
    refuse(
        fmt::format("the file is cut off: its {} bytes do not end in the mark of the end", size_));
  }
  if (!is_whole(epilogue_)) refuse("the file is damaged in its last bytes: wrong checksum");
  if (epilogue_.file_bytes != size_) {
    refuse(
        fmt::format("the file is damaged: expected {} bytes, got {}", epilogue_.file_bytes, size_));
  }
}

binary::ChunkHeader BinaryTraceFile::peek_header() {
  const std::uint64_t end = end_of_chunks();
  if (end - position_ < sizeof(binary::ChunkHeader)) {
    refuse(
        fmt::format("the file is damaged at byte {}: expected the header of a chunk", position_));
  }
  const auto header = header_at<binary::ChunkHeader>(position_);
  if (!is_whole(header)) {
    refuse(fmt::format("the header of the chunk at byte {} is damaged: wrong checksum", position_));
  }
  if (header.number != chunks_read_) {
    refuse(fmt::format("expected chunk {} at byte {}, got chunk {}", chunks_read_, position_,
                       header.number));
  }
  if (header.bytes > binary::payload_bytes_max ||
      binary::padded(header.bytes) > end - position_ - sizeof(header)) {
    refuse(fmt::format("the chunk at byte {} is longer than the file", position_));
  }
  return header;
}

std::span<const std::byte> BinaryTraceFile::take_chunk() {
  const binary::ChunkHeader header = peek_header();
  chunk_at_ = position_;
  ++chunks_read_;
  const auto with_zeros = bytes(position_ + sizeof(header), binary::padded(header.bytes));
  const auto payload = with_zeros.first(header.bytes);
  if (binary::checksum(payload) != header.payload_checksum) refuse_chunk("wrong checksum");
  const auto padding = with_zeros.subspan(header.bytes);
  if (std::any_of(padding.begin(), padding.end(), [](std::byte b) { return b != std::byte{}; })) {
    refuse_chunk("expected zeros behind its payload");
  }
  position_ += sizeof(header) + binary::padded(header.bytes);
  return payload;
}

std::optional<std::span<const std::byte>> BinaryTraceFile::next_jobs() {
  if (position_ == end_of_chunks()) {
    if (chunks_read_ != epilogue_.chunks) {
      refuse(fmt::format("expected {} chunks, got {}", epilogue_.chunks, chunks_read_));
    }
    return std::nullopt;
  }
  if (peek_header().kind != binary::ChunkKind::jobs) {
    refuse(fmt::format("expected jobs in the chunk at byte {}", position_));
  }
  return take_chunk();
}

void BinaryTraceFile::check_counts(std::uint64_t jobs, std::uint64_t tasks) const {
  if (jobs == epilogue_.jobs && tasks == epilogue_.tasks) return;
  refuse(fmt::format("expected {} jobs of {} tasks, got {} of {}", epilogue_.jobs, epilogue_.tasks,
                     jobs, tasks));
}

}  // namespace tracebed
