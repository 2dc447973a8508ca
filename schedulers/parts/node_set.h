// A set of nodes as a two-level bitmap: the next member in id order is found in a few word reads,
// however sparse the set is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.h"

namespace tracebed {

class NodeSet {
 public:
  // Room for ids below `nodes`; never shrinks.
  void grow(std::size_t nodes) {
    const std::size_t words = (nodes + 63) / 64;
    if (words > words_.size()) words_.resize(words);
    if ((words + 63) / 64 > summary_.size()) summary_.resize((words + 63) / 64);
  }
  // Whether a node has something left cannot be predicted, so there is no branch on it.
  void set(NodeId node, bool member) {
    const std::size_t index = node.index() / 64;
    std::uint64_t& word = words_[index];
    const bool had_some = word != 0;
    set_bit(word, node.index() % 64, member);
    const bool has_some = word != 0;
    if (has_some != had_some) set_bit(summary_[index / 64], index % 64, has_some);
  }
  bool contains(NodeId node) const {
    return ((words_[node.index() / 64] >> (node.index() % 64)) & 1) != 0;
  }
  void clear() {
    std::fill(words_.begin(), words_.end(), 0);
    std::fill(summary_.begin(), summary_.end(), 0);
  }

  // The first id at or after `from` that is in every one of `sets`, which have grown equally; none
  // if there is no such id. There is at least one set.
  static NodeId next_in_all(std::span<const NodeSet* const> sets, NodeId from) {
    const std::size_t words = sets.front()->words_.size();
    std::size_t word = from.index() / 64;
    if (!from.is_valid() || word >= words) return NodeId();
    std::uint64_t mask = ~std::uint64_t{0} << (from.index() % 64);
    for (;;) {
      const std::uint64_t members = intersection(sets, &NodeSet::words_, word) & mask;
      if (members != 0) {
        return NodeId(word * 64 + static_cast<std::size_t>(std::countr_zero(members)));
      }
      // A word that has members in every set may still have none in common; then the loop
      // continues.
      word = next_candidate(sets, word + 1);
      if (word >= words) return NodeId();
      mask = ~std::uint64_t{0};
    }
  }
  // Calls visit(node) for the ids that are in every one of `sets`, in id order, until it returns
  // true. `visit` may take the node it is called with out of the sets, and no other.
  template <class Visitor>
  static void visit_all(std::span<const NodeSet* const> sets, Visitor&& visit) {
    const std::size_t words = sets.front()->words_.size();
    for (std::size_t word = next_candidate(sets, 0); word < words;
         word = next_candidate(sets, word + 1)) {
      std::uint64_t members = intersection(sets, &NodeSet::words_, word);
      for (; members != 0; members &= members - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(members));
        if (visit(NodeId(word * 64 + bit))) return;
      }
    }
  }
  NodeId next(NodeId from) const {
    const NodeSet* const self = this;
    return next_in_all(std::span(&self, 1), from);
  }

 private:
  static void set_bit(std::uint64_t& word, std::size_t index, bool value) {
    word = (word & ~(std::uint64_t{1} << index)) | (std::uint64_t{value} << index);
  }
  static std::uint64_t intersection(std::span<const NodeSet* const> sets,
                                    std::vector<std::uint64_t> NodeSet::*level, std::size_t index) {
    std::uint64_t members = ~std::uint64_t{0};
    for (const NodeSet* set : sets) members &= (set->*level)[index];
    return members;
  }
  // The first word at or after `word` that is not empty in any of the sets.
  static std::size_t next_candidate(std::span<const NodeSet* const> sets, std::size_t word) {
    std::uint64_t mask = ~std::uint64_t{0} << (word % 64);
    const std::size_t summaries = sets.front()->summary_.size();
    for (std::size_t i = word / 64; i < summaries; ++i, mask = ~std::uint64_t{0}) {
      const std::uint64_t candidates = intersection(sets, &NodeSet::summary_, i) & mask;
      if (candidates != 0) {
        return i * 64 + static_cast<std::size_t>(std::countr_zero(candidates));
      }
    }
    return summaries * 64;
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;  // a bit per word that is not zero
};

}  // namespace tracebed
