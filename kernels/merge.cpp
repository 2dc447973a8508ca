#include "kernels/merge.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/check.h"

namespace tracebed::kernels {
namespace {

constexpr std::size_t run_buffer_bytes_max = 262'144;

}  // namespace

std::size_t runs_at_a_time(std::size_t budget_bytes) {
  return budget_bytes / run_buffer_bytes_min;
}

Merge::Merge(Sources sources, std::size_t budget_bytes, const Combiner* combiner)
    : combiner_(combiner) {
  TRACEBED_CHECK(sources.size() <= runs_at_a_time(budget_bytes), "all runs have a buffer");
  if (sources.empty()) return;
  const std::size_t buffer_bytes = std::min(run_buffer_bytes_max, budget_bytes / sources.size());
  readers_.reserve(sources.size());
  for (auto& source : sources) readers_.emplace_back(std::move(source), buffer_bytes);
}

// Readers of equal pairs are in the order of the sources.
bool Merge::is_before(const Head& left, const Head& right) const {
  if (left.prefix != right.prefix) return left.prefix < right.prefix;
  const RunReader& left_reader = readers_[left.reader];
  const RunReader& right_reader = readers_[right.reader];
  const auto by_key = compare_bytes(left_reader.key(), right_reader.key());
  if (by_key != 0) return by_key < 0;
  const auto by_value = compare_bytes(left_reader.value(), right_reader.value());
  if (by_value != 0) return by_value < 0;
  return left.reader < right.reader;
}

void Merge::sift_down(std::size_t index) {
  const Head head = heap_[index];
  for (std::size_t child = 2 * index + 1; child < heap_.size(); child = 2 * index + 1) {
    if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
    if (!is_before(heap_[child], head)) break;
    heap_[index] = heap_[child];
    index = child;
  }
  heap_[index] = head;
}

Status Merge::open() {
  is_open_ = true;
  for (std::uint32_t reader = 0; reader < readers_.size(); ++reader) {
    if (Status advanced = readers_[reader].advance(); !advanced) return advanced;
    if (readers_[reader].has_pair()) heap_.push_back({readers_[reader].prefix(), reader});
  }
  for (std::size_t index = heap_.size() / 2; index-- > 0;) sift_down(index);
  return success();
}

Status Merge::advance_top() {
  Head& head = heap_.front();
  RunReader& reader = readers_[head.reader];
  if (Status advanced = reader.advance(); !advanced) return advanced;
  if (reader.has_pair()) {
    head.prefix = reader.prefix();
  } else {
    head = heap_.back();
    heap_.pop_back();
  }
  if (!heap_.empty()) sift_down(0);
  return success();
}

Status Merge::advance() {
  if (!is_open_) {
    if (Status opened = open(); !opened) return opened;
  } else if (combiner_ == nullptr && has_pair_) {
    if (Status advanced = advance_top(); !advanced) return advanced;
  }
  has_pair_ = !heap_.empty();
  return has_pair_ && combiner_ != nullptr ? combine() : success();
}

Status Merge::combine() {
  key_.assign(top().key().begin(), top().key().end());
  value_.assign(combiner_->value_bytes(), std::byte{0});
  while (!heap_.empty() && compare_bytes(top().key(), key_) == 0) {
    const Bytes value = top().value();
    if (value.size() != combiner_->value_bytes()) {
      return Error{top().name() + ": a value of " + std::to_string(value.size()) +
                   " bytes instead of " + std::to_string(combiner_->value_bytes())};
    }
    combiner_->combine(value_, value);
    if (Status advanced = advance_top(); !advanced) return advanced;
  }
  return success();
}

Status write_run(Merge& merge, RunWriter& writer) {
  while (true) {
    if (Status advanced = merge.advance(); !advanced) return advanced;
    if (!merge.has_pair()) break;
    if (Status added = writer.add(merge.key(), merge.value()); !added) return added;
  }
  writer.end_run();
  return success();
}

Result<Merge> merge_runs(Merge::Sources sources, std::size_t budget_bytes, const Combiner* combiner,
                         Spills& spills) {
  const std::size_t runs_max = runs_at_a_time(budget_bytes);
  TRACEBED_CHECK(runs_max >= 2, "two runs can be merged at a time");
  while (sources.size() > runs_max) {
    const std::size_t count = std::min(runs_max, sources.size() - runs_max + 1);
    const auto end = sources.begin() + static_cast<std::ptrdiff_t>(count);
    Merge::Sources first(std::move_iterator(sources.begin()), std::move_iterator(end));
    sources.erase(sources.begin(), end);
    Merge merge(std::move(first), budget_bytes, combiner);
    const std::size_t spill = spills.begin();
    const auto sink = spills.sink(spill);
    RunWriter writer(*sink);
    if (const Status written = write_run(merge, writer); !written) return written.error();
    if (const Status flushed = writer.flush(); !flushed) return flushed.error();
    if (const Status finished = spills.finish(spill); !finished) return finished.error();
    sources.push_back(spills.source(spill, {0, writer.bytes()}));
  }
  return Merge(std::move(sources), budget_bytes, combiner);
}

}  // namespace tracebed::kernels
