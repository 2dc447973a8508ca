#include "kernels/page_rank.h"

#include <optional>
#include <string>
#include <vector>

#include "kernels/adjacency.h"

namespace tracebed::kernels {
namespace {

constexpr std::uint32_t dangling_key = 0;

std::uint32_t vertex_key(std::uint32_t vertex) {
  return swap_bytes(vertex + 1);
}

class PageRankMapper final : public Mapper {
 public:
  explicit PageRankMapper(const PageRankState& state) : state_(state) {}

  Status map(const InputRecord& record, MapOutputBuffer& output) override {
    const Adjacency adjacency = load_adjacency(record.bytes);
    if (Status checked = check(adjacency, record.offset); !checked) return checked;
    // Every vertex has a new rank, also one without edges to it.
    if (Status emitted = emit(output, adjacency.vertex, 0); !emitted) return emitted;
    const std::uint64_t rank = state_.ranks[adjacency.vertex];
    if (adjacency.out_degree == 0) {
      dangling_ += rank;
      return success();
    }
    const std::uint64_t share = rank / adjacency.out_degree;
    const std::uint64_t left_over = rank % adjacency.out_degree;
    for (std::uint32_t edge = 0; edge < adjacency.out_degree; ++edge) {
      const std::uint64_t part = share + (edge < left_over ? 1 : 0);
      if (Status emitted = emit(output, adjacency.targets[edge], part); !emitted) return emitted;
    }
    return success();
  }

  Status close(MapOutputBuffer& output) override {
    for (std::uint32_t partition = 0; partition < output.partitions(); ++partition) {
      Status emitted = output.emit_to(partition, std::as_bytes(std::span(&dangling_key, 1)),
                                      std::as_bytes(std::span(&dangling_, 1)));
      if (!emitted) return emitted;
    }
    return success();
  }

 private:
  static Status emit(MapOutputBuffer& output, std::uint32_t vertex, std::uint64_t rank) {
    const std::uint32_t key = vertex_key(vertex);
    return output.emit(std::as_bytes(std::span(&key, 1)), std::as_bytes(std::span(&rank, 1)));
  }

  Status check(const Adjacency& adjacency, std::uint64_t offset) const {
    if (adjacency.vertex != offset / adjacency_bytes || adjacency.vertex >= state_.vertices()) {
      return wrong(offset, "is of vertex " + std::to_string(adjacency.vertex));
    }
    if (adjacency.out_degree > out_degree_max) {
      return wrong(offset, "has " + std::to_string(adjacency.out_degree) + " edges");
    }
    for (std::uint32_t edge = 0; edge < adjacency.out_degree; ++edge) {
      const std::uint32_t target = adjacency.targets[edge];
      if (target < state_.vertices()) continue;
      return wrong(offset, "has an edge to vertex " + std::to_string(target));
    }
    return success();
  }

  static Error wrong(std::uint64_t offset, const std::string& what) {
    return {"page rank: the record at byte " + std::to_string(offset) + " " + what};
  }

  const PageRankState& state_;
  std::uint64_t dangling_ = 0;
};

class PageRankReducer final : public Reducer {
 public:
  explicit PageRankReducer(std::uint32_t vertices) : vertices_(vertices) {}

  Status reduce(Bytes key, Bytes value, Buffer& output) override {
    if (key.size() != sizeof(std::uint32_t)) {
      return Error{"page rank: a key of " + std::to_string(key.size()) + " bytes instead of 4"};
    }
    const auto number = swap_bytes(load<std::uint32_t>(key.data()));
    const auto sum = load<std::uint64_t>(value.data());
    if (number > vertices_ || sum > rank_total) {
      return Error{"page rank: a rank of " + std::to_string(sum) + " for key " +
                   std::to_string(number)};
    }
    if (number == dangling_key) {
      const std::uint64_t spread = rank_total * (100 - damping_percent) + sum * damping_percent;
      share_ = spread / 100 / vertices_;
      return success();
    }
    if (!share_) return Error{"page rank: no map output has the rank of dangling vertices"};
    VertexRank{number - 1, *share_ + sum * damping_percent / 100}.append_to(output);
    return success();
  }

 private:
  std::uint32_t vertices_;
  std::optional<std::uint64_t> share_;  // of each vertex, whatever its edges
};

}  // namespace

Result<std::unique_ptr<Kernel>> PageRank::parse(Bytes state) {
  Result<PageRankState> parsed = PageRankState::parse(state);
  if (!parsed) return parsed.error();
  return std::unique_ptr<Kernel>(std::make_unique<PageRank>(*std::move(parsed)));
}

RecordFormat PageRank::input_format() const {
  return {adjacency_bytes};
}

std::unique_ptr<Mapper> PageRank::mapper() const {
  return std::make_unique<PageRankMapper>(state_);
}

std::unique_ptr<Reducer> PageRank::reducer() const {
  return std::make_unique<PageRankReducer>(state_.vertices());
}

Result<Buffer> PageRank::next_state(std::span<const Bytes> parts) const {
  constexpr std::uint64_t none = rank_total + 1;
  PageRankState next;
  next.ranks.assign(state_.vertices(), none);
  std::size_t found = 0;
  for (Bytes part : parts) {
    if (part.size() % VertexRank::encoded_bytes != 0) {
      return Error{"page rank: a part of " + std::to_string(part.size()) +
                   " bytes, which is no multiple of " + std::to_string(VertexRank::encoded_bytes)};
    }
    for (; !part.empty(); part = part.subspan(VertexRank::encoded_bytes)) {
      const VertexRank record = VertexRank::load_from(part);
      if (record.vertex >= next.ranks.size() || next.ranks[record.vertex] != none) {
        return Error{"page rank: vertex " + std::to_string(record.vertex) +
                     " is unknown or occurs twice"};
      }
      next.ranks[record.vertex] = std::min(record.rank, rank_total);
      ++found;
    }
  }
  if (found != next.ranks.size()) {
    return Error{"page rank: the parts have " + std::to_string(found) + " vertices of " +
                 std::to_string(next.ranks.size())};
  }
  Buffer encoded = next.encode();
  if (const Result<PageRankState> checked = PageRankState::parse(encoded); !checked) {
    return checked.error();
  }
  return encoded;
}

}  // namespace tracebed::kernels
