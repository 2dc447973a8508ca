#include "traces/binary/binary_writer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "core/input_error.h"

namespace tracebed {
namespace {

// Small enough for what is read of it to stay in a core's cache.
constexpr std::size_t chunk_bytes = std::size_t{256} << 10;

const std::string& plain_path(const std::string& path) {
  if (path.ends_with(".gz")) {
    throw InputError(fmt::format(
        "{}: expected a name without .gz, since a binary trace is read as memory", path));
  }
  return path;
}

template <class Value>
std::string_view raw(const Value& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

template <class Header>
Header sealed(Header header) {
  header.header_checksum = binary::own_checksum(header);
  return header;
}

}  // namespace

BinaryTraceWriter::BinaryTraceWriter(const std::string& path, const TraceOrigin& origin,
                                     const Names& names)
    : file_(plain_path(path)), encoder_(names) {
  binary::Prologue prologue;
  std::copy(binary::mark.begin(), binary::mark.end(), prologue.mark.begin());
  file_.write(raw(sealed(prologue)));
  write_chunk(binary::ChunkKind::origin, encode_origin(origin));
}

void BinaryTraceWriter::set_machines(std::span<const Machine> machines,
                                     std::span<const MachineChange> changes) {
  write_chunk(binary::ChunkKind::machines, encode_machines(machines, changes));
}

void BinaryTraceWriter::add(const Job& job) {
  encoder_.add(job);
  ++jobs_;
  for (const Stage& stage : job.stages) tasks_ += task_count(stage);
  if (encoder_.bytes() < chunk_bytes) return;
  if (encoder_.bytes() > binary::payload_bytes_max) {
    throw InputError(fmt::format("job {}: expected at most 2 GiB of stages and tasks, got {} bytes",
                                 job.name, encoder_.bytes()));
  }
  write_jobs();
}

void BinaryTraceWriter::write_jobs() {
  write_chunk(binary::ChunkKind::jobs, encoder_.finish_chunk());
}

void BinaryTraceWriter::write_chunk(binary::ChunkKind kind, std::span<const std::byte> payload) {
  file_.write(raw(sealed(binary::ChunkHeader{.kind = kind,
                                             .number = chunks_++,
                                             .bytes = payload.size(),
                                             .payload_checksum = binary::checksum(payload)})));
  file_.write({reinterpret_cast<const char*>(payload.data()), payload.size()});
  constexpr std::array<char, binary::alignment> zeros{};
  file_.write({zeros.data(), binary::padded(payload.size()) - payload.size()});
}

void BinaryTraceWriter::finish() {
  if (!encoder_.is_empty()) write_jobs();
  binary::Epilogue epilogue{.chunks = chunks_,
                            .jobs = jobs_,
                            .tasks = tasks_,
                            .file_bytes = file_.bytes() + sizeof(binary::Epilogue)};
  std::copy(binary::end_mark.begin(), binary::end_mark.end(), epilogue.mark.begin());
  file_.write(raw(sealed(epilogue)));
  file_.finish();
}

}  // namespace tracebed
