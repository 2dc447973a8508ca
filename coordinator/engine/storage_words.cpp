#include "coordinator/engine/storage_words.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/visit.h"

namespace tracebed {
namespace {

// Appends each of its arguments as one word, or as a list with its length.
class Words {
 public:
  explicit Words(Digest& digest) : digest_(digest) {}

  void add(std::uint64_t number) { digest_.add(number); }
  void add(std::uint32_t number) { digest_.add(std::uint64_t{number}); }
  void add(std::uint16_t number) { digest_.add(std::uint64_t{number}); }
  void add(bool flag) { digest_.add(std::uint64_t{flag}); }
  void add(std::int64_t number) { digest_.add(number); }
  void add(TraceTime time) { digest_.add(time); }
  void add(NodeId node) { digest_.add(node); }
  // Eight bytes a word.
  void add(std::string_view text) {
    digest_.add(std::uint64_t{text.size()});
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      word = (word << 8) | static_cast<unsigned char>(text[i]);
      if (i % 8 == 7 || i + 1 == text.size()) digest_.add(std::exchange(word, 0));
    }
  }
  template <class Element>
  void add(const std::vector<Element>& list) {
    digest_.add(std::uint64_t{list.size()});
    for (const Element& element : list) add(element);
  }

  void add(const BlockName& block) { add_all(block.id, block.generation_stamp, block.length); }
  void add(const TransferOrder& order) { add_all(order.block, order.targets); }
  void add(const DeletionOrder& order) { add_all(order.block_id, order.generation_stamp); }
  void add(const RecoveryOrder& order) {
    add_all(order.block, order.new_generation_stamp, order.nodes,
            order.truncated_length.has_value(), order.truncated_length.value_or(0));
  }
  void add(const HeartbeatReply& reply) {
    add_all(reply.must_register, reply.transfers, reply.deletions, reply.recoveries);
  }
  void add(const ReportReply& reply) { add_all(reply.must_register, reply.unknown); }
  void add(const StorageFailure& failure) {
    add_all(static_cast<std::uint64_t>(failure.kind), std::string_view(failure.message));
  }
  void add(const Done&) {}
  void add(const Answer& answer) { add(answer.is_true); }
  void add(const FileStatus& status) {
    add_all(std::string_view(status.name), status.file_id, status.is_directory, status.length,
            status.replication, status.block_size, status.permission,
            std::string_view(status.owner), std::string_view(status.group), status.modified,
            status.accessed, status.children);
  }
  void add(const LocatedBlock& located) {
    add_all(located.block, located.offset, located.nodes, located.is_corrupt);
  }
  void add(const BlockDataset& dataset) {
    add_all(std::uint64_t{dataset.kernel}, dataset.seed, dataset.offset);
  }
  void add(const AppendedFile& file) {
    add_all(file.status, file.last.has_value());
    if (file.last) add(*file.last);
  }
  template <class... Alternatives>
  void add_alternative(const std::variant<Alternatives...>& variant) {
    add(std::uint64_t{variant.index()});
    visit_all(variant, [this](const auto& alternative) { add(alternative); });
  }

 private:
  template <class... Values>
  void add_all(const Values&... values) {
    (add(values), ...);
  }

  Digest& digest_;
};

}  // namespace

void add_words(Digest& digest, const AnswerDatanode& answer) {
  Words words(digest);
  words.add(answer.node);
  words.add_alternative(answer.reply);
}

void add_words(Digest& digest, const StoreReplicas& order) {
  Words words(digest);
  words.add(order.node);
  words.add(order.blocks);
  for (const BlockDataset& dataset : order.datasets) words.add(dataset);
}

void add_words(Digest& digest, const AnswerStorageCall& answer) {
  Words words(digest);
  words.add(answer.ticket);
  words.add_alternative(answer.reply);
}

}  // namespace tracebed
