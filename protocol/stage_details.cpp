#include "protocol/stage_details.h"

#include <limits>

#include "core/check.h"
#include "protocol/vector_alignment.h"

namespace tracebed::log {
namespace {

std::uint32_t size_of(std::size_t size) {
  TRACEBED_CHECK(size <= std::numeric_limits<std::uint32_t>::max(), "a piece counts in 32 bits");
  return static_cast<std::uint32_t>(size);
}

// Walks the rows, and remembers how much of every column they account for.
class DetailVerifier {
 public:
  DetailVerifier(const fb::StageDetails& details, const std::vector<std::uint64_t>& stage_tasks,
                 const std::vector<std::uint32_t>& stage_indices)
      : details_(details), stage_tasks_(stage_tasks), stage_indices_(stage_indices) {}

  std::string run(std::uint64_t& text_bytes) {
    if (!has_aligned_elements(*details_.rows()) || !has_aligned_elements(*details_.needs()) ||
        !has_aligned_elements(*details_.text_bytes()) ||
        !has_aligned_elements(*details_.place_ends()) ||
        !has_aligned_elements(*details_.places())) {
      return "columns that are aligned";
    }
    std::int64_t last_stage = -1;
    for (const fb::StageDetail* row : *details_.rows()) {
      if (row->stage() <= last_stage || row->stage() >= stage_tasks_.size()) {
        return "details of its own stages, in their order";
      }
      last_stage = row->stage();
      if (row->delay() < 0) return "delays that are not negative";
      if (!has_enough(*row)) break;
      if (!verify_needs(*row)) return "stages that need only those before them, in order";
      if (!verify_places(*row)) return "places of its tasks that are among its hosts";
    }
    if (needs_ != details_.needs()->size() || texts_ != details_.text_bytes()->size() ||
        ends_ != details_.place_ends()->size() || places_ != details_.places()->size()) {
      return "as many details as its stages count";
    }
    for (const std::uint32_t bytes : *details_.text_bytes()) text_bytes += bytes;
    return {};
  }

 private:
  bool has_enough(const fb::StageDetail& row) {
    need_begin_ = needs_;
    end_begin_ = ends_;
    place_begin_ = places_;
    needs_ += row.needs();
    texts_ += std::uint64_t{row.node_labels()} + row.hosts();
    ends_ += row.place_ends();
    places_ += row.places();
    return needs_ <= details_.needs()->size() && ends_ <= details_.place_ends()->size() &&
           places_ <= details_.places()->size();
  }
  bool verify_needs(const fb::StageDetail& row) const {
    std::int64_t last = -1;
    for (std::uint64_t i = need_begin_; i < needs_; ++i) {
      const std::uint16_t need = details_.needs()->Get(static_cast<flatbuffers::uoffset_t>(i));
      if (need <= last || need >= stage_indices_[row.stage()]) return false;
      last = need;
    }
    return true;
  }
  bool verify_places(const fb::StageDetail& row) const {
    if (row.place_ends() == 0) return row.places() == 0 && row.hosts() == 0;
    if (row.place_ends() != stage_tasks_[row.stage()]) return false;
    std::uint32_t last = 0;
    for (std::uint64_t i = end_begin_; i < ends_; ++i) {
      const std::uint32_t end = details_.place_ends()->Get(static_cast<flatbuffers::uoffset_t>(i));
      if (end < last) return false;
      last = end;
    }
    if (last != row.places()) return false;
    for (std::uint64_t i = place_begin_; i < places_; ++i) {
      if (details_.places()->Get(static_cast<flatbuffers::uoffset_t>(i)) >= row.hosts()) {
        return false;
      }
    }
    return true;
  }

  const fb::StageDetails& details_;
  const std::vector<std::uint64_t>& stage_tasks_;
  const std::vector<std::uint32_t>& stage_indices_;
  std::uint64_t needs_ = 0, texts_ = 0, ends_ = 0, places_ = 0;
  std::uint64_t need_begin_ = 0, end_begin_ = 0, place_begin_ = 0;
};

}  // namespace

bool has_details(const Stage& stage) {
  return !stage.needs.empty() || stage.delay != Duration{} || !stage.node_labels.empty() ||
         !stage.places.is_empty();
}

bool has_only_vcores_and_memory(const Resources& resources) {
  std::int64_t others = 0;
  for (std::size_t i = Resources::memory_dimension + 1; i < resources.dimensions_used(); ++i) {
    others |= resources[i];
  }
  return others == 0;
}

bool is_plain_rigid(const Job& job) {
  if (job.kind != JobKind::rigid || job.stages.size() != 1 || job.deadline > Duration::zero()) {
    return false;
  }
  const Stage& stage = job.stages.front();
  if (stage.kind != StageKind::gang || stage.runs.size() != 1 || !stage.input_path.empty() ||
      has_details(stage)) {
    return false;
  }
  const Work& work = stage.runs.front().work;
  return has_only_vcores_and_memory(stage.demand) && work.input_bytes == 0 &&
         work.shuffle_bytes == 0 && work.output_bytes == 0;
}

void StageDetailColumns::add(const Stage& stage, std::size_t position,
                             const std::function<std::uint32_t(std::string_view)>& add_text) {
  rows_.emplace_back(stage.delay.count(), size_of(position), size_of(stage.needs.size()),
                     size_of(stage.node_labels.size()), size_of(stage.places.hosts.size()),
                     size_of(stage.places.ends.size()), size_of(stage.places.entries.size()));
  needs_.insert(needs_.end(), stage.needs.begin(), stage.needs.end());
  for (const std::string& label : stage.node_labels) text_bytes_.push_back(add_text(label));
  for (const std::string& host : stage.places.hosts) text_bytes_.push_back(add_text(host));
  place_ends_.insert(place_ends_.end(), stage.places.ends.begin(), stage.places.ends.end());
  places_.insert(places_.end(), stage.places.entries.begin(), stage.places.entries.end());
}

std::size_t StageDetailColumns::bytes() const {
  return rows_.size() * sizeof(fb::StageDetail) + needs_.size() * sizeof(std::uint16_t) +
         (text_bytes_.size() + place_ends_.size() + places_.size()) * sizeof(std::uint32_t);
}

void StageDetailColumns::clear() {
  rows_.clear();
  needs_.clear();
  text_bytes_.clear();
  place_ends_.clear();
  places_.clear();
}

flatbuffers::Offset<fb::StageDetails> StageDetailColumns::write(
    flatbuffers::FlatBufferBuilder& builder) const {
  if (is_empty()) return {};
  const auto rows = builder.CreateVectorOfStructs(rows_);
  const auto needs = builder.CreateVector(needs_);
  const auto text_bytes = builder.CreateVector(text_bytes_);
  const auto place_ends = builder.CreateVector(place_ends_);
  const auto places = builder.CreateVector(places_);
  return fb::CreateStageDetails(builder, rows, needs, text_bytes, place_ends, places);
}

void StageDetailReader::read(std::size_t position, Stage& stage,
                             const std::function<std::string_view(std::uint32_t)>& take_text) {
  stage.needs.clear();
  stage.delay = Duration{};
  stage.node_labels.clear();
  stage.places.clear();
  if (details_ == nullptr || row_ == details_->rows()->size()) return;
  const fb::StageDetail& row = *details_->rows()->Get(row_);
  if (row.stage() != position) return;
  ++row_;
  stage.delay = Duration(row.delay());
  for (std::uint32_t i = 0; i < row.needs(); ++i) {
    stage.needs.push_back(details_->needs()->Get(need_++));
  }
  const auto next_text = [&] { return take_text(details_->text_bytes()->Get(text_++)); };
  for (std::uint32_t i = 0; i < row.node_labels(); ++i) stage.node_labels.emplace_back(next_text());
  for (std::uint32_t i = 0; i < row.hosts(); ++i) stage.places.hosts.emplace_back(next_text());
  for (std::uint32_t i = 0; i < row.place_ends(); ++i) {
    stage.places.ends.push_back(details_->place_ends()->Get(end_++));
  }
  for (std::uint32_t i = 0; i < row.places(); ++i) {
    stage.places.entries.push_back(details_->places()->Get(place_++));
  }
}

std::string verify_stage_details(const fb::StageDetails* details,
                                 const std::vector<std::uint64_t>& stage_tasks,
                                 const std::vector<std::uint32_t>& stage_indices,
                                 std::uint64_t& text_bytes) {
  if (details == nullptr) return {};
  return DetailVerifier(*details, stage_tasks, stage_indices).run(text_bytes);
}

}  // namespace tracebed::log
