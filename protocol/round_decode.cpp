#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/check.h"
#include "protocol/piece_verifier.h"
#include "protocol/round_codec.h"
#include "protocol/stage_details.h"

namespace tracebed {

namespace fb = log::fb;

namespace {

template <class IdType>
void intern_all(NameTable<IdType>& table, const log::NameVector& names) {
  for (const flatbuffers::String* name : names) table.intern(name->string_view());
}

SchedulerConfiguration configuration(const fb::Refresh& row) {
  const auto paired = [](const log::NameVector& names, const log::NameVector& texts) {
    std::map<std::string, std::string, std::less<>> pairs;
    for (flatbuffers::uoffset_t i = 0; i < names.size(); ++i) {
      pairs.emplace(names.Get(i)->str(), texts.Get(i)->str());
    }
    return pairs;
  };
  return {paired(*row.settings(), *row.values()), paired(*row.documents(), *row.texts())};
}

Resources resources(const fb::Amounts& amounts) {
  Resources result;
  for (std::size_t i = 0; i < Resources::dimensions_max; ++i) {
    const std::int64_t value = amounts.values()->Get(static_cast<flatbuffers::uoffset_t>(i));
    // A dimension that was never written stays cheap (core/resources.h).
    if (value != 0) result[i] = value;
  }
  return result;
}

// Of a number that was verified to be one.
template <class IdType>
IdType id(std::int64_t number) {
  return IdType(static_cast<std::uint32_t>(number));
}

}  // namespace

struct RoundDecoder::State {
  explicit State(Names& run_names) : names(run_names) {}

  Names& names;
  std::vector<std::uint64_t> buffer;  // keeps the piece aligned
  const fb::Piece* piece = nullptr;
  log::PieceRows rows;
  log::PiecePosition position;
  log::StageDetailReader stage_details;

  // How much of each column was read.
  struct Cursors {
    std::size_t task_account = 0;
    std::size_t round = 0, rigid_job = 0, container_done = 0, gang_done = 0, text = 0;
    std::uint32_t kind = 0, job = 0, stage = 0, task_run = 0, node_joined = 0, label = 0;
    std::uint32_t node_lost = 0, container_ended = 0, heartbeat = 0, full_heartbeat = 0;
    std::uint32_t cancellation = 0;
    std::uint32_t refresh = 0;
    std::size_t master_call = 0;
    std::size_t administrator_command = 0;
    std::size_t progress_report = 0;
    std::size_t decision_made = 0;
    std::size_t deadline = 0;
  } at;

  std::string_view take_text(std::uint32_t size) {
    const auto* begin = reinterpret_cast<const char*>(piece->text()->Data()) + at.text;
    at.text += size;
    return {begin, size};
  }

  void read_rigid_job(Job& job) {
    const log::RigidJobRow& row = rows.rigid_jobs[at.rigid_job++];
    job.id = id<JobId>(row.id);
    job.name = take_text(static_cast<std::uint32_t>(row.name_bytes));
    job.submit = trace_time(row.submit);
    job.user = id<UserId>(row.user);
    job.queue = id<QueueId>(row.queue);
    job.priority = static_cast<std::int32_t>(row.priority);
    job.kind = JobKind::rigid;
    job.requested_time = Duration(row.requested_time);
    job.deadline = Duration{};
    job.stages.resize(1);
    Stage& stage = job.stages.front();
    stage.kind = StageKind::gang;
    stage.demand = Resources(row.milli_vcores, row.memory_mib);
    stage.input_path.clear();
    stage.places.clear();
    stage.input = {};
    stage.needs.clear();
    stage.delay = Duration{};
    stage.node_labels.clear();
    stage.runs.resize(1);
    stage.runs.front() =
        TaskRun{static_cast<std::uint32_t>(row.tasks),
                Work{Duration(row.duration), Duration(row.cpu_time), row.work_memory_mib, 0, 0, 0}};
  }

  // Of the job at `at.job`.
  Duration read_deadline() {
    if (at.deadline == rows.deadlines.size()) return Duration{};
    const log::DeadlineRow& row = rows.deadlines[at.deadline];
    if (row.job != at.job) return Duration{};
    ++at.deadline;
    return Duration(row.deadline);
  }

  void read_job(Job& job) {
    job.deadline = read_deadline();
    const fb::Job& row = *piece->jobs()->Get(at.job++);
    job.id = JobId(row.id());
    job.name = take_text(row.name_bytes());
    job.submit = trace_time(row.submit());
    job.user = UserId(row.user());
    job.queue = QueueId(row.queue());
    job.priority = row.priority();
    job.kind = static_cast<JobKind>(row.kind());
    job.requested_time = Duration(row.requested_time());
    job.stages.resize(row.stages());
    for (Stage& stage : job.stages) read_stage(stage);
  }
  void read_stage(Stage& stage) {
    const fb::Stage& row = *piece->stages()->Get(at.stage++);
    stage.kind = static_cast<StageKind>(row.kind());
    stage.demand = resources(row.demand());
    stage.input_path = take_text(row.input_path_bytes());
    stage.input = {};
    stage_details.read(at.stage - 1, stage, [this](std::uint32_t size) { return take_text(size); });
    stage.runs.clear();
    stage.runs.reserve(row.runs());
    for (std::uint32_t i = 0; i < row.runs(); ++i) {
      const fb::TaskRun& run = *piece->task_runs()->Get(at.task_run++);
      stage.runs.push_back(TaskRun{
          run.count(), Work{Duration(run.duration()), Duration(run.cpu_time()), run.memory_mib(),
                            run.input_bytes(), run.shuffle_bytes(), run.output_bytes()}});
    }
  }

  void read_master_call(MasterCall& call) {
    const log::MasterCallRow& row = rows.master_calls[at.master_call++];
    call.application = id<ApplicationId>(row.application);
    call.attempt = static_cast<std::uint32_t>(row.attempt);
    call.sequence = static_cast<std::uint64_t>(row.sequence);
    call.kind = static_cast<MasterCallKind>(row.kind);
    rows.actions.take(static_cast<std::size_t>(row.actions), call.actions);
  }

  AdministratorCommand read_administrator_command() {
    const log::AdministratorCommandRow& row =
        rows.administrator_commands[at.administrator_command++];
    return {static_cast<AdministratorCommandKind>(row.kind), id<ContainerId>(row.container),
            id<NodeId>(row.node), Duration(row.grace)};
  }

  void read_node_joined(Round& round) {
    const fb::NodeJoined& row = *piece->nodes_joined()->Get(at.node_joined++);
    Machine machine;
    machine.name = take_text(row.name_bytes());
    machine.rack = take_text(row.rack_bytes());
    machine.capacity = resources(row.capacity());
    machine.speed = row.speed();
    for (std::uint32_t i = 0; i < row.labels(); ++i) {
      machine.labels.emplace_back(take_text(piece->label_bytes()->Get(at.label++)));
    }
    round.arrivals.push_back(
        NodeJoined{NodeId(row.node()), static_cast<std::uint32_t>(round.machines.size())});
    round.machines.push_back(std::move(machine));
  }

  ContainerEnded read_container_done() {
    const log::ContainerDoneRow& row = rows.containers_done[at.container_done++];
    ContainerEnded ended;
    ended.container = id<ContainerId>(row.container);
    ended.node = id<NodeId>(row.node);
    ended.account.started = trace_time(row.started);
    ended.account.ended = trace_time(row.ended);
    ended.account.cpu_time = Duration(row.cpu_time);
    ended.account.memory_peak_mib = row.memory_peak_mib;
    return ended;
  }
  GangEnded read_gang_done() {
    const log::GangDoneRow& row = rows.gangs_done[at.gang_done++];
    GangEnded ended;
    ended.first = id<ContainerId>(row.first);
    ended.containers = static_cast<std::uint32_t>(row.containers);
    ended.account.started = trace_time(row.started);
    ended.account.ended = trace_time(row.ended);
    ended.account.cpu_time = Duration(row.cpu_time);
    ended.account.memory_peak_mib = row.memory_peak_mib;
    ended.account.bytes_read = row.bytes_read;
    ended.account.bytes_written = row.bytes_written;
    return ended;
  }
  ContainerEnded read_container_ended() {
    const std::uint32_t row_number = at.container_ended++;
    const fb::ContainerEnded& row = *piece->containers_ended()->Get(row_number);
    ContainerEnded ended;
    ended.container = ContainerId(row.container());
    ended.node = NodeId(row.node());
    ended.end = static_cast<ContainerEnd>(row.end());
    ended.account.started = trace_time(row.started());
    ended.account.ended = trace_time(row.ended());
    ended.account.cpu_time = Duration(row.cpu_time());
    ended.account.memory_peak_mib = row.memory_peak_mib();
    ended.account.bytes_read = row.bytes_read();
    ended.account.bytes_written = row.bytes_written();
    const bool has_account = at.task_account < rows.task_accounts.size() &&
                             rows.task_accounts[at.task_account].ended == row_number;
    if (has_account) {
      static_cast<TaskAccount&>(ended.account) = rows.task_accounts[at.task_account++].account;
    }
    ended.account.exit_code = row.exit_code();
    ended.account.signal = row.signal();
    ended.account.progress = row.progress();
    return ended;
  }

  NodeHeartbeat read_heartbeat() {
    const fb::Heartbeat& row = *piece->heartbeats()->Get(at.heartbeat++);
    return {NodeId(row.node()), Resources(row.milli_vcores(), row.memory_mib()), row.io_pressure()};
  }

  NodeHeartbeat read_full_heartbeat() {
    const fb::FullHeartbeat& row = *piece->full_heartbeats()->Get(at.full_heartbeat++);
    return {NodeId(row.node()), resources(row.used()), row.io_pressure()};
  }

  AttemptProgress read_attempt_progress() {
    const log::AttemptProgressRow& row = rows.progress_reports[at.progress_report++];
    return {id<ContainerId>(row.container), static_cast<std::uint32_t>(row.progress)};
  }

  DecisionMade read_decision_made() {
    const log::DecisionMadeRow& row = rows.decisions_made[at.decision_made++];
    return {static_cast<std::uint32_t>(row.scheduler), static_cast<std::uint64_t>(row.decision)};
  }

  void read_arrival(Round& round) {
    const auto submitted = static_cast<std::uint32_t>(round.jobs().size());
    switch (static_cast<fb::ArrivalKind>(piece->kinds()->Get(at.kind++))) {
      case fb::ArrivalKind::rigid_job:
        read_rigid_job(round.add_job());
        return round.submit(submitted);
      case fb::ArrivalKind::job:
        read_job(round.add_job());
        return round.submit(submitted);
      case fb::ArrivalKind::node_joined:
        return read_node_joined(round);
      case fb::ArrivalKind::node_lost:
        round.arrivals.push_back(NodeLost{NodeId(piece->nodes_lost()->Get(at.node_lost++))});
        return;
      case fb::ArrivalKind::container_done:
        round.arrivals.push_back(read_container_done());
        return;
      case fb::ArrivalKind::gang_done:
        round.arrivals.push_back(read_gang_done());
        return;
      case fb::ArrivalKind::container_ended:
        round.arrivals.push_back(read_container_ended());
        return;
      case fb::ArrivalKind::heartbeat:
        round.arrivals.push_back(read_heartbeat());
        return;
      case fb::ArrivalKind::full_heartbeat:
        round.arrivals.push_back(read_full_heartbeat());
        return;
      case fb::ArrivalKind::run_cancelled:
        round.arrivals.push_back(RunCancelled{
            static_cast<CancelReason>(piece->cancellations()->Get(at.cancellation++))});
        return;
      case fb::ArrivalKind::scheduler_refreshed:
        round.arrivals.push_back(
            SchedulerRefreshed{static_cast<std::uint32_t>(round.configurations.size())});
        round.configurations.push_back(configuration(*piece->refreshes()->Get(at.refresh++)));
        return;
      case fb::ArrivalKind::master_called:
        read_master_call(round.add_call());
        return;
      case fb::ArrivalKind::administrator_command:
        round.arrivals.push_back(read_administrator_command());
        return;
      case fb::ArrivalKind::attempt_progress:
        round.arrivals.push_back(read_attempt_progress());
        return;
      case fb::ArrivalKind::decision_made:
        round.arrivals.push_back(read_decision_made());
        return;
      case fb::ArrivalKind::datanode_registered:
        return round.add_storage(rows.storage.take_registered());
      case fb::ArrivalKind::datanode_gone:
        return round.add_storage(rows.storage.take_gone());
      case fb::ArrivalKind::datanode_heartbeat:
        return round.add_storage(rows.storage.take_heartbeat());
      case fb::ArrivalKind::full_block_report:
        return round.add_storage(rows.storage.take_full_report());
      case fb::ArrivalKind::incremental_block_report:
        return round.add_storage(rows.storage.take_incremental_report());
      case fb::ArrivalKind::storage_called:
        return round.add_storage(rows.storage.take_call());
      case fb::ArrivalKind::file_preloaded:
        return round.add_storage(rows.storage.take_file());
    }
    TRACEBED_CHECK(false, "a verified piece has only known kinds of arrivals");
  }
};

RoundDecoder::RoundDecoder(Names& names) : state_(std::make_unique<State>(names)) {}
RoundDecoder::~RoundDecoder() = default;

Status RoundDecoder::load(std::span<const std::byte> piece) {
  State& state = *state_;
  TRACEBED_CHECK(state.piece == nullptr || state.at.round == state.rows.rounds.size(),
                 "a piece is loaded when the one before was read to its end");
  std::vector<std::uint64_t> buffer(piece.size() / sizeof(std::uint64_t) + 1);
  if (!piece.empty()) std::memcpy(buffer.data(), piece.data(), piece.size());
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(buffer.data()), piece.size());
  log::PiecePosition position = state.position;
  log::PieceRows rows;
  if (Status verified = log::verify_piece(bytes, state.names, position, rows); !verified) {
    return verified;
  }
  state.buffer = std::move(buffer);
  state.piece = fb::GetPiece(state.buffer.data());
  state.rows = std::move(rows);
  state.position = position;
  state.at = {};
  state.stage_details = log::StageDetailReader(state.piece->stage_details());
  intern_all(state.names.users, *state.piece->users());
  intern_all(state.names.queues, *state.piece->queues());
  intern_all(state.names.racks, *state.piece->racks());
  return success();
}

bool RoundDecoder::next(Round& round) {
  State& state = *state_;
  round.clear();
  if (state.piece == nullptr || state.at.round == state.rows.rounds.size()) return false;
  const log::RoundRow& row = state.rows.rounds[state.at.round++];
  round.now = trace_time(row.time);
  for (std::int64_t i = 0; i < row.arrivals; ++i) state.read_arrival(round);
  return true;
}

bool RoundDecoder::saw_last() const {
  return state_->position.saw_last;
}

}  // namespace tracebed
