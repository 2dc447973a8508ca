#include "agents/datanode/generated_rows.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mix.h"

namespace tracebed {
namespace {

using Words = std::array<std::uint64_t, 6>;
constexpr std::size_t row_bytes = sizeof(Words);
// Fewer are not worth a new file.
constexpr std::size_t rows_kept_min = 1'000;

std::uint64_t checksum_of(const Words& words) {
  std::uint64_t checksum = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) checksum = mix(checksum + 1) ^ words[i];
  return mix(checksum);
}

Words words_of(const GeneratedRow& row) {
  Words words = {static_cast<std::uint64_t>(row.change),
                 row.block_id,
                 row.generation_stamp,
                 row.offset,
                 row.bytes,
                 0};
  words.back() = checksum_of(words);
  return words;
}

std::optional<GeneratedRow> parse_row(const Words& words) {
  using Change = GeneratedRow::Change;
  if (words.back() != checksum_of(words)) return std::nullopt;
  const bool is_known = words[0] >= static_cast<std::uint64_t>(Change::added) &&
                        words[0] <= static_cast<std::uint64_t>(Change::of_dataset);
  if (!is_known) return std::nullopt;
  return GeneratedRow{Change(words[0]), words[1], words[2], words[3], words[4]};
}

void apply(const GeneratedRow& row, std::map<std::uint64_t, GeneratedReplica>& replicas) {
  switch (row.change) {
    case GeneratedRow::Change::added:
      replicas[row.block_id] = {row.generation_stamp, row.bytes};
      return;
    case GeneratedRow::Change::removed:
      replicas.erase(row.block_id);
      return;
    case GeneratedRow::Change::damaged:
      if (const auto found = replicas.find(row.block_id); found != replicas.end()) {
        found->second.damages.push_back({row.offset, row.bytes});
      }
      return;
    case GeneratedRow::Change::of_dataset:
      if (const auto found = replicas.find(row.block_id); found != replicas.end()) {
        found->second.dataset = {static_cast<std::uint8_t>(row.generation_stamp), row.bytes,
                                 row.offset};
      }
      return;
  }
}

std::vector<GeneratedRow> rows_of(const std::map<std::uint64_t, GeneratedReplica>& replicas) {
  std::vector<GeneratedRow> rows;
  for (const auto& [id, replica] : replicas) {
    rows.push_back({GeneratedRow::Change::added, id, replica.generation_stamp, 0, replica.length});
    if (replica.dataset.kernel != 0) rows.push_back(dataset_row(id, replica.dataset));
    for (const DamagedRange& damage : replica.damages) {
      rows.push_back({GeneratedRow::Change::damaged, id, replica.generation_stamp, damage.offset,
                      damage.bytes});
    }
  }
  return rows;
}

}  // namespace

GeneratedRow dataset_row(std::uint64_t block_id, const BlockDataset& dataset) {
  return {GeneratedRow::Change::of_dataset, block_id, dataset.kernel, dataset.offset, dataset.seed};
}

StoreResult<GeneratedRows> GeneratedRows::open(const ReplicaFolder& folder) {
  StoreResult<FileDescriptor> file = folder.open_generated(false);
  if (!file) return file.error();
  struct stat status = {};
  if (fstat(file->number(), &status) != 0) return store_error(errno, "generated");
  std::map<std::uint64_t, GeneratedReplica> replicas;
  std::uint64_t row_count = 0;
  const auto rows_max = static_cast<std::uint64_t>(status.st_size) / row_bytes;
  for (Words words{}; row_count < rows_max; ++row_count) {
    const StoreStatus read =
        read_at(*file, row_count * row_bytes, std::as_writable_bytes(std::span(words)));
    if (!read) return read.error();
    const std::optional<GeneratedRow> row = parse_row(words);
    if (!row) break;
    apply(*row, replicas);
  }
  const std::uint64_t bytes = row_count * row_bytes;
  if (ftruncate(file->number(), static_cast<off_t>(bytes)) != 0) {
    return store_error(errno, "generated");
  }
  const std::vector<GeneratedRow> rows = rows_of(replicas);
  if (row_count < rows_kept_min || row_count / 2 < rows.size()) {
    return GeneratedRows(std::move(*file), std::move(replicas), bytes);
  }
  StoreResult<FileDescriptor> compact = folder.open_generated(true);
  if (!compact) return compact.error();
  GeneratedRows renewed(std::move(*compact), std::move(replicas), 0);
  if (StoreStatus written = renewed.append(rows); !written) return written.error();
  if (fsync(renewed.file_.number()) != 0) return store_error(errno, "generated");
  if (StoreStatus replaced = folder.replace_generated(); !replaced) return replaced.error();
  return renewed;
}

StoreStatus GeneratedRows::append(std::span<const GeneratedRow> rows) {
  std::vector<Words> words;
  words.reserve(rows.size());
  for (const GeneratedRow& row : rows) words.push_back(words_of(row));
  const auto bytes = std::as_bytes(std::span(words));
  const StoreStatus written = write_at(file_, bytes_, bytes);
  if (!written) {
    // What was written of them is overwritten by the next rows, unless the datanode ends before.
    if (ftruncate(file_.number(), static_cast<off_t>(bytes_)) != 0) {
      return store_error(errno, "generated");
    }
    return written.error();
  }
  bytes_ += bytes.size();
  return stored();
}

}  // namespace tracebed
