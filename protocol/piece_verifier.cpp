#include "protocol/piece_verifier.h"

#include <array>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/fleet.h"
#include "protocol/stage_details.h"
#include "protocol/vector_alignment.h"

namespace tracebed::log {

namespace {

using Kind = fb::ArrivalKind;
constexpr std::size_t kind_count = static_cast<std::size_t>(Kind::MAX) + 1;
constexpr std::uint32_t no_id = std::numeric_limits<std::uint32_t>::max();

bool is_id(std::int64_t number) {
  return number >= 0 && number < no_id;
}
bool is_count(std::int64_t number) {
  return number >= 0 && number <= std::numeric_limits<std::uint32_t>::max();
}

// Walks the columns and remembers the first thing that is wrong.
class Verifier {
 public:
  Verifier(const fb::Piece& piece, const Names& names, PieceRows& rows)
      : piece_(piece), rows_(rows) {
    users_ = static_cast<std::int64_t>(names.users.size() + piece.users()->size());
    queues_ = static_cast<std::int64_t>(names.queues.size() + piece.queues()->size());
  }

  std::string run(const Names& names, PiecePosition& position) {
    if (!verify_alignment() || !unpack()) return problem_;
    verify_order(position);
    verify_names(names.users, *piece_.users(), "user");
    verify_names(names.queues, *piece_.queues(), "queue");
    verify_names(names.racks, *piece_.racks(), "rack");
    verify_kinds();
    verify_jobs();
    verify_nodes();
    verify_containers();
    verify_refreshes();
    verify_master_calls();
    verify_administrator_commands();
    require(text_bytes_ == piece_.text()->size(), "as much text as its rows use");
    return problem_;
  }

 private:
  // `wanted` completes the sentence "the piece should have …".
  void require(bool condition, const char* wanted) {
    if (!condition && problem_.empty()) problem_ = wanted;
  }

  bool verify_alignment() {
    const auto require_aligned = [&](const auto*... columns) {
      require((has_aligned_elements(*columns) && ...), "columns that are aligned");
    };
    require_aligned(piece_.jobs(), piece_.stages(), piece_.task_runs(), piece_.nodes_joined(),
                    piece_.label_bytes(), piece_.nodes_lost(), piece_.containers_ended(),
                    piece_.heartbeats(), piece_.full_heartbeats());
    return problem_.empty();
  }

  bool unpack() {
    if (const Status status = log::unpack(piece_, rows_); !status) {
      problem_ = status.error().message;
    }
    return problem_.empty();
  }

  void verify_order(PiecePosition& position) {
    require(!position.saw_last, "come before the last one");
    require(piece_.number() == position.next_piece, "the number after the one before");
    for (const RoundRow& row : rows_.rounds) {
      require(row.time >= position.last_round_time, "rounds in ascending order of time");
      position.last_round_time = row.time;
    }
    ++position.next_piece;
    position.saw_last = piece_.is_last();
  }

  template <class IdType>
  void verify_names(const NameTable<IdType>& known, const NameVector& names, const char* what) {
    std::unordered_set<std::string_view> seen;  // looked up, never iterated
    for (const flatbuffers::String* name : names) {
      const bool is_new =
          !known.find(name->string_view()) && seen.insert(name->string_view()).second;
      if (!is_new && problem_.empty()) {
        problem_ = std::string("each ") + what + "'s name only once in the log";
      }
    }
  }

  void verify_kinds() {
    std::uint64_t arrivals = 0;
    for (const RoundRow& row : rows_.rounds) {
      require(is_count(row.arrivals), "counts of 32 bits");
      arrivals += static_cast<std::uint64_t>(row.arrivals);
    }
    require(arrivals == piece_.kinds()->size(), "as many arrivals as its rounds count");
    std::array<std::size_t, kind_count> counts{};
    for (const std::uint8_t kind : *piece_.kinds()) {
      if (kind < kind_count) {
        ++counts[kind];
      } else {
        require(false, "only known kinds of arrivals");
      }
    }
    const auto has_rows = [&](Kind kind, std::size_t rows) {
      require(counts[static_cast<std::size_t>(kind)] == rows,
              "one row for every arrival of a kind");
    };
    const auto matches = [&](Kind kind, const auto* column) { has_rows(kind, column->size()); };
    has_rows(Kind::rigid_job, rows_.rigid_jobs.size());
    has_rows(Kind::container_done, rows_.containers_done.size());
    has_rows(Kind::gang_done, rows_.gangs_done.size());
    has_rows(Kind::master_called, rows_.master_calls.size());
    has_rows(Kind::administrator_command, rows_.administrator_commands.size());
    has_rows(Kind::attempt_progress, rows_.progress_reports.size());
    has_rows(Kind::decision_made, rows_.decisions_made.size());
    const StorageInputReader::Counts storage = rows_.storage.counts();
    has_rows(Kind::datanode_registered, storage.registered);
    has_rows(Kind::datanode_gone, storage.gone);
    has_rows(Kind::datanode_heartbeat, storage.heartbeats);
    has_rows(Kind::full_block_report, storage.full_reports);
    has_rows(Kind::incremental_block_report, storage.incremental_reports);
    has_rows(Kind::storage_called, storage.calls);
    has_rows(Kind::file_preloaded, storage.files);
    matches(Kind::job, piece_.jobs());
    matches(Kind::node_joined, piece_.nodes_joined());
    matches(Kind::node_lost, piece_.nodes_lost());
    matches(Kind::container_ended, piece_.containers_ended());
    matches(Kind::heartbeat, piece_.heartbeats());
    matches(Kind::full_heartbeat, piece_.full_heartbeats());
    matches(Kind::run_cancelled, piece_.cancellations());
    has_rows(Kind::scheduler_refreshed,
             piece_.refreshes() == nullptr ? 0 : piece_.refreshes()->size());
  }

  void verify_job(std::int64_t id, std::int64_t user, std::int64_t queue) {
    require(is_id(id), "job ids that are valid");
    require(user >= 0 && user < users_, "users that are named");
    require(queue >= 0 && queue < queues_, "queues that are named");
  }
  void verify_times(std::int64_t submit, std::int64_t requested_time) {
    require(submit >= 0 && requested_time >= 0, "job times that are not negative");
  }
  void verify_work(std::int64_t count, std::int64_t duration, std::int64_t cpu_time,
                   std::int64_t memory_mib) {
    require(count > 0, "a positive count of tasks in every run");
    require(duration >= 0 && cpu_time >= 0 && memory_mib >= 0, "work that is not negative");
  }
  void verify_amounts(const fb::Amounts& amounts) {
    for (std::size_t i = 0; i < Resources::dimensions_max; ++i) {
      require(amounts.values()->Get(static_cast<flatbuffers::uoffset_t>(i)) >= 0,
              "resources that are not negative");
    }
  }

  void verify_jobs() {
    for (const RigidJobRow& row : rows_.rigid_jobs) {
      verify_job(row.id, row.user, row.queue);
      verify_times(row.submit, row.requested_time);
      require(row.priority == static_cast<std::int32_t>(row.priority), "priorities of 32 bits");
      require(row.milli_vcores >= 0 && row.memory_mib >= 0, "resources that are not negative");
      verify_work(row.tasks, row.duration, row.cpu_time, row.work_memory_mib);
      require(is_count(row.tasks) && is_count(row.name_bytes), "counts of 32 bits");
      text_bytes_ += static_cast<std::uint64_t>(row.name_bytes);
    }
    std::uint64_t stages = 0;
    for (const fb::Job* row : *piece_.jobs()) {
      verify_job(row->id(), row->user(), row->queue());
      verify_times(row->submit(), row->requested_time());
      text_bytes_ += row->name_bytes();
      require(row->kind() <= static_cast<std::uint8_t>(JobKind::service), "known kinds of jobs");
      stages += row->stages();
    }
    require(stages == piece_.stages()->size(), "as many stages as its jobs count");
    std::int64_t next = 0;
    for (const DeadlineRow& row : rows_.deadlines) {
      require(row.job >= next && row.job < piece_.jobs()->size(),
              "deadlines of its jobs, each once and in their order");
      require(row.deadline > 0 && row.deadline <= deadline_max.count(),
              "deadlines after the submission");
      next = row.job + 1;
    }
    std::uint64_t runs = 0;
    for (const fb::Stage* row : *piece_.stages()) {
      verify_amounts(row->demand());
      require(row->kind() <= static_cast<std::uint8_t>(StageKind::gang), "known kinds of stages");
      text_bytes_ += row->input_path_bytes();
      runs += row->runs();
    }
    require(runs == piece_.task_runs()->size(), "as many task runs as its stages count");
    for (const fb::TaskRun* row : *piece_.task_runs()) {
      verify_work(row->count(), row->duration(), row->cpu_time(), row->memory_mib());
      require(row->input_bytes() >= 0 && row->shuffle_bytes() >= 0 && row->output_bytes() >= 0,
              "work that is not negative");
    }
    if (problem_.empty()) verify_details();
  }

  // After it is known that there are as many stages and runs as their owners count.
  void verify_details() {
    std::vector<std::uint32_t> indices;
    for (const fb::Job* row : *piece_.jobs()) {
      for (std::uint32_t i = 0; i < row->stages(); ++i) indices.push_back(i);
    }
    std::vector<std::uint64_t> tasks;
    flatbuffers::uoffset_t run = 0;
    for (const fb::Stage* row : *piece_.stages()) {
      std::uint64_t count = 0;
      for (std::uint32_t i = 0; i < row->runs(); ++i) {
        count += piece_.task_runs()->Get(run++)->count();
      }
      tasks.push_back(count);
    }
    problem_ = verify_stage_details(piece_.stage_details(), tasks, indices, text_bytes_);
  }

  void verify_nodes() {
    std::uint64_t labels = 0;
    for (const fb::NodeJoined* row : *piece_.nodes_joined()) {
      require(row->node() != no_id, "node ids that are valid");
      require(row->speed() > 0, "speeds above 0");
      verify_amounts(row->capacity());
      text_bytes_ += std::uint64_t{row->name_bytes()} + row->rack_bytes();
      labels += row->labels();
    }
    require(labels == piece_.label_bytes()->size(), "as many labels as its nodes count");
    for (const std::uint32_t bytes : *piece_.label_bytes()) text_bytes_ += bytes;
    for (const std::uint32_t node : *piece_.nodes_lost()) {
      require(node != no_id, "node ids that are valid");
    }
    for (const fb::Heartbeat* row : *piece_.heartbeats()) {
      require(row->node() != no_id, "node ids that are valid");
    }
    for (const fb::FullHeartbeat* row : *piece_.full_heartbeats()) {
      require(row->node() != no_id, "node ids that are valid");
    }
  }

  void verify_end(std::int64_t container, std::int64_t node, std::int64_t started,
                  std::int64_t ended) {
    require(is_id(container) && is_id(node), "container ids that are valid");
    require(started >= 0 && ended >= started, "containers that end after they start");
  }
  void verify_containers() {
    for (const ContainerDoneRow& row : rows_.containers_done) {
      verify_end(row.container, row.node, row.started, row.ended);
    }
    for (const GangDoneRow& row : rows_.gangs_done) {
      require(row.containers > 0 && is_count(row.containers), "gangs of containers");
      verify_end(row.first, 0, row.started, row.ended);
      require(is_id(row.first + row.containers - 1), "container ids that are valid");
    }
    for (const fb::ContainerEnded* row : *piece_.containers_ended()) {
      verify_end(row->container(), row->node(), row->started(), row->ended());
      require(row->end() < container_end_count, "known ends of containers");
      const bool is_kept = row->end() == static_cast<std::uint8_t>(ContainerEnd::checkpointed);
      require(row->progress() <= (is_kept ? whole_work : 0),
              "progress of checkpointed containers alone, in millionths");
    }
    std::int64_t next_ended = 0;
    for (const TaskAccountRow& row : rows_.task_accounts) {
      require(row.ended >= next_ended && row.ended < piece_.containers_ended()->size(),
              "accounts of containers that ended, each once and in their order");
      require(is_possible(row.account), "accounts of at least no bytes");
      next_ended = row.ended + 1;
    }
    for (const AttemptProgressRow& row : rows_.progress_reports) {
      require(is_id(row.container), "container ids that are valid");
      require(row.progress >= 0 && row.progress <= whole_work, "progress in millionths");
    }
    for (const DecisionMadeRow& row : rows_.decisions_made) {
      require(row.scheduler >= 0 && row.scheduler <= std::numeric_limits<std::uint32_t>::max(),
              "schedulers with an index");
      require(row.decision >= 0, "decisions with a number");
    }
    for (const std::uint8_t reason : *piece_.cancellations()) {
      require(reason <= static_cast<std::uint8_t>(CancelReason::livelocked),
              "known reasons of cancellation");
    }
  }

  void verify_refreshes() {
    if (piece_.refreshes() == nullptr) return;
    for (const fb::Refresh* row : *piece_.refreshes()) {
      require(row->settings()->size() == row->values()->size() &&
                  row->documents()->size() == row->texts()->size(),
              "a value for every setting and a text for every file");
    }
  }

  void verify_master_calls() {
    std::uint64_t actions = 0;
    for (const MasterCallRow& row : rows_.master_calls) {
      require(is_id(row.application), "application ids that are valid");
      require(is_count(row.attempt) && is_count(row.actions) && row.sequence >= 0,
              "counts of 32 bits");
      require(
          row.kind >= 0 && row.kind <= static_cast<std::int64_t>(MasterCallKind::unregistration),
          "known kinds of calls");
      actions += static_cast<std::uint64_t>(row.actions);
    }
    require(actions == rows_.actions.left(), "as many actions as its masters' calls count");
  }

  void verify_administrator_commands() {
    for (const AdministratorCommandRow& row : rows_.administrator_commands) {
      require(
          row.kind >= 0 && row.kind <= static_cast<std::int64_t>(AdministratorCommandKind::undrain),
          "known kinds of orders");
      require(is_count(row.container) && is_count(row.node) && row.grace >= 0,
              "orders whose numbers are in their ranges");
      const bool is_move = row.kind == static_cast<std::int64_t>(AdministratorCommandKind::move);
      require(is_id(is_move ? row.container : row.node), "orders that name what they are about");
    }
  }

  const fb::Piece& piece_;
  PieceRows& rows_;
  std::int64_t users_ = 0;
  std::int64_t queues_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::string problem_;
};

}  // namespace

Status verify_piece(std::span<const std::uint8_t> bytes, const Names& names,
                    PiecePosition& position, PieceRows& rows) {
  flatbuffers::Verifier structure(bytes.data(), bytes.size());
  if (!fb::VerifyPieceBuffer(structure)) {
    return Error{"a piece of " + std::to_string(bytes.size()) + " bytes is not of Tracebed's log"};
  }
  const fb::Piece& piece = *fb::GetPiece(bytes.data());
  const std::string number = std::to_string(piece.number());
  const std::string wanted = Verifier(piece, names, rows).run(names, position);
  if (!wanted.empty()) return Error{"piece " + number + " of the log should have " + wanted};
  return success();
}

}  // namespace tracebed::log
