#include "protocol/piece_rows.h"

#include <map>
#include <span>

#include "log_generated.h"
#include "protocol/packed_rows.h"

namespace tracebed::log {
namespace {

using Column = flatbuffers::Vector<std::uint8_t>;

// Unpacks columns and remembers the first thing that is wrong.
class Unpacking {
 public:
  Unpacking(const fb::Piece& piece, PieceRows& rows) : piece_(piece), rows_(rows) {}

  Status run() {
    unpack(piece_.rounds(), rows_.rounds);
    unpack(piece_.rigid_jobs(), rows_.rigid_jobs);
    unpack(piece_.containers_done(), rows_.containers_done);
    unpack(piece_.gangs_done(), rows_.gangs_done);
    unpack(piece_.master_calls(), rows_.master_calls);
    unpack(piece_.administrator_commands(), rows_.administrator_commands);
    unpack(piece_.progress_reports(), rows_.progress_reports);
    unpack(piece_.deadlines(), rows_.deadlines);
    unpack(piece_.decisions_made(), rows_.decisions_made);
    if (piece_.task_accounts() != nullptr) {
      unpack_task_accounts();
    } else {
      unpack_older_accounts();
    }
    if (status_ && piece_.master_actions() != nullptr) {
      status_ = rows_.actions.load(*piece_.master_actions());
    }
    if (status_ && piece_.storage_inputs() != nullptr) {
      status_ = rows_.storage.load(*piece_.storage_inputs());
    }
    return status_;
  }

 private:
  void require(bool condition, const char* wanted) {
    if (!condition && status_) status_ = Error{wanted};
  }

  // A column that is absent has no rows.
  template <class Row>
  void unpack(const Column* column, std::vector<Row>& rows) {
    if (column == nullptr) return;
    require(unpack_rows(std::span(column->data(), column->size()), rows),
            "whole rows in its packed columns");
  }

  // A log that was written before the latest fields were added to the list has none of them.
  void unpack_task_accounts() {
    const std::size_t fields = piece_.task_account_fields();
    const std::span bytes(piece_.task_accounts()->data(), piece_.task_accounts()->size());
    require(fields > 0 && fields <= task_account_fields.size() &&
                unpack_shorter_rows(bytes, rows_.task_accounts, 1 + fields),
            "whole rows of known fields in its accounts of tasks");
  }

  // Up to version 16 the parts of an account had columns of their own.
  void unpack_older_accounts() {
    struct ReadRow {
      std::int64_t ended = 0;
      ReadBytes bytes;
    };
    struct WrittenRow {
      std::int64_t ended = 0;
      std::int64_t bytes = 0;
    };
    std::map<std::int64_t, TaskAccount> accounts;
    const auto take = [&]<class Row>(const Column* column, std::vector<Row> rows,
                                     auto TaskAccount::*to) {
      unpack(column, rows);
      std::int64_t next_ended = 0;
      for (const Row& row : rows) {
        require(row.ended >= next_ended, "bytes of containers each once and in their order");
        next_ended = row.ended + 1;
        accounts[row.ended].*to = row.bytes;
      }
    };
    take(piece_.input_reads(), std::vector<ReadRow>(), &TaskAccount::input);
    take(piece_.shuffle_reads(), std::vector<ReadRow>(), &TaskAccount::shuffled);
    take(piece_.outputs_written(), std::vector<WrittenRow>(), &TaskAccount::output);
    for (const auto& [ended, account] : accounts) {
      rows_.task_accounts.push_back({.ended = ended, .account = account});
    }
  }

  const fb::Piece& piece_;
  PieceRows& rows_;
  Status status_ = success();
};

}  // namespace

Status unpack(const fb::Piece& piece, PieceRows& rows) {
  return Unpacking(piece, rows).run();
}

}  // namespace tracebed::log
