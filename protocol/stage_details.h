// The columns of a log's piece, and of a binary trace's chunk, for what only some stages have:
// needs, delays, labels and places of their input. Private to those codecs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/workload.h"
#include "stage_details_generated.h"

namespace tracebed::log {

bool has_details(const Stage& stage);
bool has_only_vcores_and_memory(const Resources& resources);
// Whether the job fits the short form of a log: one gang stage whose tasks are equal, of vcores and
// memory only, without a deadline.
bool is_plain_rigid(const Job& job);

class StageDetailColumns {
 public:
  // `stage` has details; `position` is that of its row. `add_text` keeps a text and returns its
  // size.
  void add(const Stage& stage, std::size_t position,
           const std::function<std::uint32_t(std::string_view)>& add_text);

  bool is_empty() const { return rows_.empty(); }
  std::size_t bytes() const;
  void clear();
  // A null offset if there are no details.
  flatbuffers::Offset<fb::StageDetails> write(flatbuffers::FlatBufferBuilder& builder) const;

 private:
  std::vector<fb::StageDetail> rows_;
  std::vector<std::uint16_t> needs_;
  std::vector<std::uint32_t> text_bytes_;
  std::vector<std::uint32_t> place_ends_;
  std::vector<std::uint32_t> places_;
};

// Reads the details of stages in order.
class StageDetailReader {
 public:
  StageDetailReader() = default;
  // `details` was verified, and may be null.
  explicit StageDetailReader(const fb::StageDetails* details) : details_(details) {}

  // Fills what `stage`, at `position`, has beyond its row. `take_text` returns the next text of the
  // given size.
  void read(std::size_t position, Stage& stage,
            const std::function<std::string_view(std::uint32_t)>& take_text);

 private:
  const fb::StageDetails* details_ = nullptr;
  flatbuffers::uoffset_t row_ = 0, need_ = 0, text_ = 0, end_ = 0, place_ = 0;
};

// Completes the sentence "the piece should have …", or is empty. `stage_tasks` are the numbers of
// tasks of the piece's stages, `stage_indices` the stages' positions in their jobs. The sizes of
// the texts are added to `text_bytes`.
std::string verify_stage_details(const fb::StageDetails* details,
                                 const std::vector<std::uint64_t>& stage_tasks,
                                 const std::vector<std::uint32_t>& stage_indices,
                                 std::uint64_t& text_bytes);

}  // namespace tracebed::log
