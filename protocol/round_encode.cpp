#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "core/check.h"
#include "core/visit.h"
#include "log_generated.h"
#include "protocol/packed_rows.h"
#include "protocol/piece_rows.h"
#include "protocol/round_codec.h"
#include "protocol/stage_details.h"
#include "protocol/storage_columns.h"

namespace tracebed {

namespace fb = log::fb;

namespace {

using Builder = flatbuffers::FlatBufferBuilder;
using Kind = fb::ArrivalKind;

std::uint32_t size_of(std::size_t size) {
  TRACEBED_CHECK(size <= std::numeric_limits<std::uint32_t>::max(), "a piece counts in 32 bits");
  return static_cast<std::uint32_t>(size);
}

fb::Amounts amounts(const Resources& resources) {
  std::array<std::int64_t, Resources::dimensions_max> values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = resources[i];
  return fb::Amounts(flatbuffers::span<const std::int64_t, values.size()>(values));
}

bool is_plain_end(const ContainerEnded& ended) {
  const ContainerAccount& account = ended.account;
  return ended.end == ContainerEnd::succeeded && account.bytes_read == 0 &&
         account.bytes_written == 0 && static_cast<const TaskAccount&>(account) == TaskAccount() &&
         account.exit_code == 0 && account.signal == 0 && account.progress == 0;
}

// The names with the ids from `first` on.
template <class IdType>
auto new_names(Builder& builder, const NameTable<IdType>& table, std::size_t& first) {
  std::vector<flatbuffers::Offset<flatbuffers::String>> strings;
  for (; first < table.size(); ++first) {
    strings.push_back(builder.CreateString(table.name(IdType(first))));
  }
  return builder.CreateVector(strings);
}

flatbuffers::Offset<fb::Refresh> refresh(Builder& builder, const SchedulerConfiguration& given) {
  const auto strings = [&](const auto& entries, auto part) {
    std::vector<std::string> texts;
    for (const auto& entry : entries) texts.push_back(part(entry));
    return builder.CreateVectorOfStrings(texts);
  };
  const auto name = [](const auto& entry) { return entry.first; };
  const auto text = [](const auto& entry) { return entry.second; };
  const auto setting_names = strings(given.settings, name);
  const auto setting_values = strings(given.settings, text);
  const auto document_names = strings(given.documents, name);
  const auto document_texts = strings(given.documents, text);
  return fb::CreateRefresh(builder, setting_names, setting_values, document_names, document_texts);
}

}  // namespace

struct RoundEncoder::Columns {
  explicit Columns(const Names& run_names) : names(run_names) {}

  const Names& names;
  Builder builder{std::size_t{256} << 10};
  std::uint64_t next_piece = 0;
  std::size_t users_written = 0;
  std::size_t queues_written = 0;
  std::size_t racks_written = 0;

  log::RowPacker<log::RoundRow> rounds;
  std::vector<std::uint8_t> kinds;
  log::RowPacker<log::RigidJobRow> rigid_jobs;
  std::vector<fb::Job> jobs;
  log::RowPacker<log::DeadlineRow> deadlines;
  std::vector<fb::Stage> stages;
  std::vector<fb::TaskRun> task_runs;
  log::StageDetailColumns stage_details;
  std::vector<fb::NodeJoined> nodes_joined;
  std::vector<std::uint32_t> label_bytes;
  std::vector<std::uint32_t> nodes_lost;
  log::RowPacker<log::ContainerDoneRow> containers_done;
  log::RowPacker<log::GangDoneRow> gangs_done;
  std::vector<fb::ContainerEnded> containers_ended;
  std::vector<fb::Heartbeat> heartbeats;
  std::vector<fb::FullHeartbeat> full_heartbeats;
  std::vector<std::uint8_t> cancellations;
  std::vector<std::uint8_t> text;
  std::vector<SchedulerConfiguration> refreshes;
  log::RowPacker<log::MasterCallRow> master_calls;
  calls::ActionWriter actions;
  log::RowPacker<log::AdministratorCommandRow> administrator_commands;
  log::RowPacker<log::TaskAccountRow> task_accounts;
  log::RowPacker<log::AttemptProgressRow> progress_reports;
  log::RowPacker<log::DecisionMadeRow> decisions_made;
  log::StorageInputWriter storage;

  void kind(Kind kind) { kinds.push_back(static_cast<std::uint8_t>(kind)); }
  std::uint32_t add_text(std::string_view words) {
    text.insert(text.end(), words.begin(), words.end());
    return size_of(words.size());
  }

  void add_rigid(const Job& job) {
    const Stage& stage = job.stages.front();
    const TaskRun& run = stage.runs.front();
    kind(Kind::rigid_job);
    rigid_jobs.add({.id = job.id.value(),
                    .submit = to_microseconds(job.submit),
                    .requested_time = job.requested_time.count(),
                    .duration = run.work.duration.count(),
                    .cpu_time = run.work.cpu_time.count(),
                    .milli_vcores = stage.demand.milli_vcores(),
                    .memory_mib = stage.demand.memory_mib(),
                    .work_memory_mib = run.work.memory_mib,
                    .user = job.user.value(),
                    .queue = job.queue.value(),
                    .priority = job.priority,
                    .tasks = run.count,
                    .name_bytes = add_text(job.name)});
  }
  void add_job(const Job& job) {
    kind(Kind::job);
    if (job.deadline > Duration::zero()) {
      deadlines.add(
          {.job = static_cast<std::int64_t>(jobs.size()), .deadline = job.deadline.count()});
    }
    jobs.emplace_back(to_microseconds(job.submit), job.requested_time.count(), job.id.value(),
                      job.user.value(), job.queue.value(), job.priority, size_of(job.stages.size()),
                      add_text(job.name), static_cast<std::uint8_t>(job.kind));
    for (const Stage& stage : job.stages) {
      stages.emplace_back(amounts(stage.demand), size_of(stage.runs.size()),
                          add_text(stage.input_path), static_cast<std::uint8_t>(stage.kind));
      if (log::has_details(stage)) {
        stage_details.add(stage, stages.size() - 1,
                          [this](std::string_view words) { return add_text(words); });
      }
      for (const TaskRun& run : stage.runs) {
        const Work& work = run.work;
        task_runs.emplace_back(work.duration.count(), work.cpu_time.count(), work.memory_mib,
                               work.input_bytes, work.shuffle_bytes, work.output_bytes, run.count);
      }
    }
  }

  void add(const Round& round, const JobSubmitted& submitted) {
    const Job& job = round.jobs()[submitted.job];
    TRACEBED_CHECK(job.user.index() < names.users.size() && job.queue.index() < names.queues.size(),
                   "a logged job's user and queue have names");
    if (log::is_plain_rigid(job)) {
      add_rigid(job);
    } else {
      add_job(job);
    }
  }
  void add(const Round& round, const NodeJoined& joined) {
    const Machine& machine = round.machines[joined.machine];
    kind(Kind::node_joined);
    const std::uint32_t name_bytes = add_text(machine.name);
    const std::uint32_t rack_bytes = add_text(machine.rack);
    for (const std::string& label : machine.labels) label_bytes.push_back(add_text(label));
    nodes_joined.emplace_back(amounts(machine.capacity), joined.node.value(), name_bytes,
                              rack_bytes, size_of(machine.labels.size()), machine.speed);
  }
  void add(const Round&, const NodeLost& lost) {
    kind(Kind::node_lost);
    nodes_lost.push_back(lost.node.value());
  }
  void add_plain_end(const ContainerEnded& ended) {
    const ContainerAccount& account = ended.account;
    kind(Kind::container_done);
    containers_done.add({.container = ended.container.value(),
                         .node = ended.node.value(),
                         .started = to_microseconds(account.started),
                         .ended = to_microseconds(account.ended),
                         .cpu_time = account.cpu_time.count(),
                         .memory_peak_mib = account.memory_peak_mib});
  }
  void add(const Round&, const GangEnded& ended) {
    const ContainerAccount& account = ended.account;
    kind(Kind::gang_done);
    gangs_done.add({.first = ended.first.value(),
                    .containers = ended.containers,
                    .started = to_microseconds(account.started),
                    .ended = to_microseconds(account.ended),
                    .cpu_time = account.cpu_time.count(),
                    .memory_peak_mib = account.memory_peak_mib,
                    .bytes_read = account.bytes_read,
                    .bytes_written = account.bytes_written});
  }
  void add(const Round&, const ContainerEnded& ended) {
    const ContainerAccount& account = ended.account;
    if (is_plain_end(ended)) {
      add_plain_end(ended);
    } else {
      kind(Kind::container_ended);
      if (const TaskAccount& moved = account; moved != TaskAccount()) {
        task_accounts.add(
            {.ended = static_cast<std::int64_t>(containers_ended.size()), .account = moved});
      }
      containers_ended.emplace_back(
          to_microseconds(account.started), to_microseconds(account.ended),
          account.cpu_time.count(), account.memory_peak_mib, account.bytes_read,
          account.bytes_written, ended.container.value(), ended.node.value(), account.exit_code,
          account.signal, account.progress, static_cast<std::uint8_t>(ended.end));
    }
  }
  void add(const Round&, const NodeHeartbeat& heartbeat) {
    const Resources& used = heartbeat.used;
    if (log::has_only_vcores_and_memory(used)) {
      kind(Kind::heartbeat);
      heartbeats.emplace_back(used.milli_vcores(), used.memory_mib(), heartbeat.node.value(),
                              heartbeat.io_pressure);
    } else {
      kind(Kind::full_heartbeat);
      full_heartbeats.emplace_back(amounts(used), heartbeat.node.value(), heartbeat.io_pressure);
    }
  }
  void add(const Round&, const RunCancelled& cancelled) {
    kind(Kind::run_cancelled);
    cancellations.push_back(static_cast<std::uint8_t>(cancelled.reason));
  }
  void add(const Round& round, const SchedulerRefreshed& refreshed) {
    kind(Kind::scheduler_refreshed);
    refreshes.push_back(round.configurations[refreshed.configuration]);
  }

  void add(const Round& round, const MasterCalled& called) {
    const MasterCall& call = round.master_calls[called.call];
    kind(Kind::master_called);
    master_calls.add({.application = call.application.value(),
                      .attempt = call.attempt,
                      .sequence = static_cast<std::int64_t>(call.sequence),
                      .kind = static_cast<std::int64_t>(call.kind),
                      .actions = static_cast<std::int64_t>(call.actions.size())});
    for (const MasterAction& action : call.actions) actions.add(action);
  }
  void add(const Round&, const AdministratorCommand& order) {
    kind(Kind::administrator_command);
    administrator_commands.add({.kind = static_cast<std::int64_t>(order.kind),
                                .container = order.container.value(),
                                .node = order.node.value(),
                                .grace = order.grace.count()});
  }

  void add(const Round&, const AttemptProgress& report) {
    kind(Kind::attempt_progress);
    progress_reports.add({.container = report.container.value(), .progress = report.progress});
  }
  void add(const Round&, const DecisionMade& made) {
    kind(Kind::decision_made);
    decisions_made.add(
        {.scheduler = made.scheduler, .decision = static_cast<std::int64_t>(made.decision)});
  }
  void add(const Round& round, const StorageArrived& arrived) {
    const StorageInput& input = round.storage[arrived.input];
    kind(visit_all(
        input, [](const DatanodeRegistered&) { return Kind::datanode_registered; },
        [](const DatanodeHeartbeat&) { return Kind::datanode_heartbeat; },
        [](const FullBlockReport&) { return Kind::full_block_report; },
        [](const IncrementalBlockReport&) { return Kind::incremental_block_report; },
        [](const DatanodeGone&) { return Kind::datanode_gone; },
        [](const StorageCalled&) { return Kind::storage_called; },
        [](const PreloadedFile&) { return Kind::file_preloaded; }));
    visit_all(input, [this](const auto& each) { storage.add(each); });
  }

  void clear() {
    rounds.clear();
    kinds.clear();
    rigid_jobs.clear();
    jobs.clear();
    deadlines.clear();
    stages.clear();
    task_runs.clear();
    stage_details.clear();
    nodes_joined.clear();
    label_bytes.clear();
    nodes_lost.clear();
    containers_done.clear();
    gangs_done.clear();
    containers_ended.clear();
    heartbeats.clear();
    full_heartbeats.clear();
    cancellations.clear();
    text.clear();
    refreshes.clear();
    master_calls.clear();
    actions.clear();
    administrator_commands.clear();
    task_accounts.clear();
    progress_reports.clear();
    decisions_made.clear();
    storage.clear();
  }
};

RoundEncoder::RoundEncoder(const Names& names) : columns_(std::make_unique<Columns>(names)) {}
RoundEncoder::~RoundEncoder() = default;

void RoundEncoder::add(const Round& round) {
  Columns& columns = *columns_;
  columns.rounds.add(
      {.time = to_microseconds(round.now), .arrivals = size_of(round.arrivals.size())});
  for (const Arrival& arrival : round.arrivals) {
    std::visit([&](const auto& a) { columns.add(round, a); }, arrival);
  }
}

bool RoundEncoder::is_empty() const {
  return columns_->rounds.is_empty();
}

std::size_t RoundEncoder::bytes() const {
  const Columns& c = *columns_;
  const auto size = [](const auto& column) { return column.size() * sizeof(column[0]); };
  return c.rounds.bytes().size() + size(c.kinds) + c.rigid_jobs.bytes().size() + size(c.jobs) +
         size(c.stages) + size(c.task_runs) + c.stage_details.bytes() + size(c.nodes_joined) +
         c.containers_done.bytes().size() + c.gangs_done.bytes().size() + size(c.containers_ended) +
         size(c.heartbeats) + size(c.full_heartbeats) + size(c.text) +
         c.master_calls.bytes().size() + c.actions.bytes() +
         c.administrator_commands.bytes().size() + c.storage.bytes() +
         c.task_accounts.bytes().size() + c.progress_reports.bytes().size() +
         c.deadlines.bytes().size() + c.decisions_made.bytes().size();
}

std::span<const std::byte> RoundEncoder::finish_piece(bool is_last) {
  Columns& c = *columns_;
  Builder& builder = c.builder;
  builder.Clear();
  const auto users = new_names(builder, c.names.users, c.users_written);
  const auto queues = new_names(builder, c.names.queues, c.queues_written);
  const auto racks = new_names(builder, c.names.racks, c.racks_written);
  const auto packed = [&](const auto& rows) {
    return builder.CreateVector(rows.bytes().data(), rows.bytes().size());
  };
  // Of few pieces.
  const auto packed_if_any = [&](const auto& rows) {
    return rows.is_empty() ? decltype(packed(rows))() : packed(rows);
  };
  const auto rounds = packed(c.rounds);
  const auto kinds = builder.CreateVector(c.kinds);
  const auto rigid_jobs = packed(c.rigid_jobs);
  const auto jobs = builder.CreateVectorOfStructs(c.jobs);
  const auto stages = builder.CreateVectorOfStructs(c.stages);
  const auto task_runs = builder.CreateVectorOfStructs(c.task_runs);
  const auto nodes_joined = builder.CreateVectorOfStructs(c.nodes_joined);
  const auto label_bytes = builder.CreateVector(c.label_bytes);
  const auto nodes_lost = builder.CreateVector(c.nodes_lost);
  const auto containers_done = packed(c.containers_done);
  const auto containers_ended = builder.CreateVectorOfStructs(c.containers_ended);
  const auto heartbeats = builder.CreateVectorOfStructs(c.heartbeats);
  const auto full_heartbeats = builder.CreateVectorOfStructs(c.full_heartbeats);
  const auto cancellations = builder.CreateVector(c.cancellations);
  const auto text = builder.CreateVector(c.text);
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::Refresh>>> refreshes;
  if (!c.refreshes.empty()) {
    std::vector<flatbuffers::Offset<fb::Refresh>> rows;
    for (const SchedulerConfiguration& given : c.refreshes) rows.push_back(refresh(builder, given));
    refreshes = builder.CreateVector(rows);
  }
  const auto gangs_done = packed(c.gangs_done);
  const auto stage_details = c.stage_details.write(builder);
  const auto master_calls = packed_if_any(c.master_calls);
  const auto administrator_commands = packed_if_any(c.administrator_commands);
  flatbuffers::Offset<calls::fb::Actions> actions;
  if (!c.actions.is_empty()) actions = c.actions.finish(builder);
  flatbuffers::Offset<fb::StorageInputs> storage;
  if (!c.storage.is_empty()) storage = c.storage.finish(builder);
  const auto progress_reports = packed_if_any(c.progress_reports);
  const auto deadlines = packed_if_any(c.deadlines);
  const auto decisions_made = packed_if_any(c.decisions_made);
  const auto task_accounts = packed_if_any(c.task_accounts);
  const auto task_account_count =
      static_cast<std::uint8_t>(c.task_accounts.is_empty() ? 0 : task_account_fields.size());
  const flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> no_older_column;
  fb::FinishPieceBuffer(
      builder, fb::CreatePiece(
                   builder, c.next_piece, is_last, users, queues, racks, rounds, kinds, rigid_jobs,
                   jobs, stages, task_runs, nodes_joined, label_bytes, nodes_lost, containers_done,
                   containers_ended, heartbeats, full_heartbeats, cancellations, text, refreshes,
                   gangs_done, stage_details, master_calls, actions, administrator_commands,
                   storage, no_older_column, no_older_column, no_older_column, progress_reports,
                   deadlines, decisions_made, task_accounts, task_account_count));
  ++c.next_piece;
  c.clear();
  return std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
}

}  // namespace tracebed
