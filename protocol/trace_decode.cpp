#include <limits>

#include "core/check.h"
#include "protocol/packed_rows.h"
#include "protocol/stage_details.h"
#include "protocol/trace_codec.h"
#include "protocol/trace_rows.h"
#include "protocol/vector_alignment.h"
#include "trace_generated.h"

namespace tracebed {

namespace fb = trace::fb;

namespace {

using Bytes = flatbuffers::Vector<std::uint8_t>;
using Strings = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

constexpr std::size_t first_extra = Resources::memory_dimension + 1;

Error wrong(const std::string& wanted) {
  return Error{"the chunk should have " + wanted};
}

// The chunk's root, or null.
template <class Table>
const Table* root_of(std::span<const std::byte> chunk, const char* identifier) {
  TRACEBED_CHECK(reinterpret_cast<std::uintptr_t>(chunk.data()) % 8 == 0, "chunks are aligned");
  const auto* data = reinterpret_cast<const std::uint8_t*>(chunk.data());
  flatbuffers::Verifier structure(data, chunk.size());
  return structure.VerifyBuffer<Table>(identifier) ? flatbuffers::GetRoot<Table>(data) : nullptr;
}

template <class Row>
bool unpack(const Bytes& column, std::vector<Row>& rows) {
  rows.clear();
  return log::unpack_rows(std::span(column.data(), column.size()), rows);
}

bool is_count(std::int64_t number) {
  return number >= 0 && number <= std::numeric_limits<std::uint32_t>::max();
}

// Texts and amounts, taken one after the other.
struct Cursor {
  const Bytes* text = nullptr;
  std::vector<trace::AmountRow> amounts;
  std::size_t text_at = 0;
  std::size_t amount_at = 0;

  std::string_view take_text(std::int64_t size) {
    const auto* begin = reinterpret_cast<const char*>(text->Data()) + text_at;
    text_at += static_cast<std::size_t>(size);
    return {begin, static_cast<std::size_t>(size)};
  }
  Resources take_resources(std::int64_t milli_vcores, std::int64_t memory_mib, std::int64_t count) {
    Resources resources(milli_vcores, memory_mib);
    for (std::int64_t i = 0; i < count; ++i) {
      const trace::AmountRow& row = amounts[amount_at++];
      resources[static_cast<std::size_t>(row.dimension)] = row.amount;
    }
    return resources;
  }
};

bool are_amounts(const std::vector<trace::AmountRow>& rows, std::size_t dimensions) {
  const auto end = static_cast<std::int64_t>(first_extra + dimensions);
  for (const trace::AmountRow& row : rows) {
    if (row.dimension < static_cast<std::int64_t>(first_extra) || row.dimension >= end ||
        row.amount < 0) {
      return false;
    }
  }
  return true;
}

// ---- jobs ----

struct JobColumns {
  std::vector<trace::JobRow> jobs;
  std::vector<trace::DeadlineRow> deadlines;
  std::vector<trace::StageRow> stages;
  std::vector<trace::TaskRunRow> task_runs;
  Cursor cursor;
};

// Walks the rows of a chunk; verify() completes "the chunk should have …", or is empty.
class JobVerifier {
 public:
  JobVerifier(const fb::Jobs& chunk, const JobColumns& columns) : chunk_(chunk), c_(columns) {}

  std::string verify(std::size_t users, std::size_t queues, std::size_t dimensions,
                     std::int64_t last_submit) {
    if (!are_amounts(c_.cursor.amounts, dimensions)) return "amounts of its own dimensions";
    for (const trace::JobRow& job : c_.jobs) {
      if (job.user < 0 || job.user >= static_cast<std::int64_t>(users) || job.queue < 0 ||
          job.queue >= static_cast<std::int64_t>(queues)) {
        return "users and queues that have names";
      }
      if (job.submit < last_submit) return "jobs in the order of their submit times";
      last_submit = job.submit;
      if (job.requested_time < 0) return "times that are not negative";
      if (job.priority != static_cast<std::int32_t>(job.priority)) return "priorities of 32 bits";
      if (!is_count(job.name_bytes)) return "counts of 32 bits";
      text_bytes_ += static_cast<std::uint64_t>(job.name_bytes);
      if (const std::string problem = verify_shape(job); !problem.empty()) return problem;
    }
    if (stage_ != c_.stages.size() || run_ != c_.task_runs.size() ||
        amounts_ != c_.cursor.amounts.size()) {
      return "as many stages, runs and amounts as their owners count";
    }
    if (!are_deadlines()) return "deadlines of its jobs alone, each after the submission";
    return verify_details();
  }

 private:
  bool are_deadlines() const {
    std::int64_t next = 0;
    for (const trace::DeadlineRow& row : c_.deadlines) {
      if (row.job < next || row.job >= static_cast<std::int64_t>(c_.jobs.size())) return false;
      if (row.deadline < 1 || row.deadline > deadline_max.count()) return false;
      next = row.job + 1;
    }
    return true;
  }

  std::string verify_shape(const trace::JobRow& job) {
    if (job.kind < 0 || job.kind > static_cast<std::int64_t>(JobKind::service)) {
      return "known kinds of jobs";
    }
    if (job.stages < 1 || job.stages > static_cast<std::int64_t>(stages_max) ||
        static_cast<std::uint64_t>(job.stages) > c_.stages.size() - stage_) {
      return "stages in every job";
    }
    const auto kind = static_cast<JobKind>(job.kind);
    if ((kind == JobKind::rigid && job.stages != 1) ||
        (kind == JobKind::map_reduce && job.stages > 2)) {
      return "as many stages as a job of its kind has";
    }
    for (std::int64_t i = 0; i < job.stages; ++i) {
      if (const std::string problem = verify_stage(kind, i); !problem.empty()) return problem;
    }
    return {};
  }

  static bool fits(JobKind job, std::int64_t index, std::int64_t kind) {
    if (kind < 0 || kind > static_cast<std::int64_t>(StageKind::gang)) return false;
    const auto stage = static_cast<StageKind>(kind);
    if (job == JobKind::rigid) return stage == StageKind::gang;
    if (job != JobKind::map_reduce) return stage == StageKind::map;
    return stage == StageKind::map ? index == 0 : stage == StageKind::reduce;
  }

  std::string verify_stage(JobKind job, std::int64_t index) {
    const trace::StageRow& row = c_.stages[stage_++];
    if (!fits(job, index, row.kind)) return "stages of the kinds that its job has";
    if (row.milli_vcores < 0 || row.memory_mib < 0) return "resources that are not negative";
    if (!is_count(row.input_path_bytes) || !is_count(row.amounts)) return "counts of 32 bits";
    text_bytes_ += static_cast<std::uint64_t>(row.input_path_bytes);
    amounts_ += static_cast<std::size_t>(row.amounts);
    if (row.runs < 1 || static_cast<std::uint64_t>(row.runs) > c_.task_runs.size() - run_) {
      return "runs of tasks in every stage";
    }
    std::int64_t tasks = 0;
    for (std::int64_t i = 0; i < row.runs; ++i) {
      const trace::TaskRunRow& run = c_.task_runs[run_++];
      if (run.count < 1 || !is_count(run.count)) return "a positive count of tasks in every run";
      if (run.duration < 0 || run.cpu_time < 0 || run.memory_mib < 0 || run.input_bytes < 0 ||
          run.shuffle_bytes < 0 || run.output_bytes < 0) {
        return "work that is not negative";
      }
      tasks += run.count;
      if (!is_count(tasks)) return "stages of at most 4294967295 tasks";
    }
    stage_tasks_.push_back(static_cast<std::uint64_t>(tasks));
    stage_indices_.push_back(static_cast<std::uint32_t>(index));
    stage_jobs_.push_back(job);
    return {};
  }

  std::string verify_details() {
    const log::fb::StageDetails* details = chunk_.stage_details();
    std::string problem =
        log::verify_stage_details(details, stage_tasks_, stage_indices_, text_bytes_);
    if (!problem.empty()) return problem;
    if (text_bytes_ != chunk_.text()->size()) return "as much text as its rows use";
    if (details == nullptr) return {};
    for (const log::fb::StageDetail* row : *details->rows()) {
      const JobKind job = stage_jobs_[row->stage()];
      if (job != JobKind::dag && (row->needs() > 0 || row->delay() > 0)) {
        return "stages that need others, or wait, in DAGs alone";
      }
      if (row->node_labels() > 0 && job != JobKind::dag && job != JobKind::service) {
        return "labels of nodes in DAGs and services alone";
      }
      const auto kind = static_cast<StageKind>(c_.stages[row->stage()].kind);
      if (row->place_ends() > 0 && kind != StageKind::map) return "places of map stages alone";
    }
    return {};
  }

  const fb::Jobs& chunk_;
  const JobColumns& c_;
  std::size_t stage_ = 0;
  std::size_t run_ = 0;
  std::size_t amounts_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::vector<std::uint64_t> stage_tasks_;
  std::vector<std::uint32_t> stage_indices_;
  std::vector<JobKind> stage_jobs_;
};

template <class IdType>
void intern_all(const Strings& strings, NameTable<IdType>& table, std::vector<IdType>& ids) {
  for (const flatbuffers::String* name : strings) ids.push_back(table.intern(name->string_view()));
}

}  // namespace

Status decode_origin(std::span<const std::byte> chunk, TraceOrigin& origin) {
  const auto* root = root_of<fb::Origin>(chunk, trace::origin_identifier);
  if (root == nullptr) return wrong("the origin of a trace");
  if (root->rule_names()->size() != root->rule_values()->size()) {
    return wrong("a value for every rule");
  }
  if (root->dimensions()->size() > Resources::dimensions_max - first_extra) {
    return wrong("at most " + std::to_string(Resources::dimensions_max - first_extra) +
                 " dimensions beyond vcores and memory");
  }
  origin = {root->source()->str(), root->format()->str(), {}, {}};
  for (const flatbuffers::String* name : *root->dimensions()) {
    origin.dimensions.push_back(name->str());
  }
  for (flatbuffers::uoffset_t i = 0; i < root->rule_names()->size(); ++i) {
    origin.rules.emplace_back(root->rule_names()->Get(i)->str(),
                              root->rule_values()->Get(i)->str());
  }
  return success();
}

Status decode_machines(std::span<const std::byte> chunk, std::size_t dimensions,
                       std::vector<Machine>& machines, std::vector<MachineChange>& changes) {
  const auto* root = root_of<fb::Machines>(chunk, trace::machines_identifier);
  if (root == nullptr) return wrong("machines");
  std::vector<trace::MachineRow> rows;
  std::vector<trace::ChangeRow> change_rows;
  Cursor cursor;
  cursor.text = root->text();
  if (!unpack(*root->machines(), rows) || !unpack(*root->changes(), change_rows) ||
      !unpack(*root->amounts(), cursor.amounts) || !has_aligned_elements(*root->label_bytes())) {
    return wrong("whole rows in its columns");
  }
  if (!are_amounts(cursor.amounts, dimensions)) return wrong("amounts of its own dimensions");
  std::uint64_t text_bytes = 0;
  std::uint64_t labels = 0;
  std::uint64_t amounts = 0;
  for (const trace::MachineRow& row : rows) {
    if (row.milli_vcores < 0 || row.memory_mib < 0)
      return wrong("capacities that are not negative");
    if (!is_count(row.amounts) || !is_count(row.labels) || !is_count(row.name_bytes) ||
        !is_count(row.rack_bytes)) {
      return wrong("counts of 32 bits");
    }
    amounts += static_cast<std::uint64_t>(row.amounts);
    labels += static_cast<std::uint64_t>(row.labels);
    text_bytes += static_cast<std::uint64_t>(row.name_bytes + row.rack_bytes);
  }
  for (const std::uint32_t bytes : *root->label_bytes()) text_bytes += bytes;
  if (amounts != cursor.amounts.size() || labels != root->label_bytes()->size() ||
      text_bytes != root->text()->size()) {
    return wrong("as many amounts, labels and texts as its machines count");
  }
  std::int64_t last = 0;
  for (const trace::ChangeRow& row : change_rows) {
    if (row.at < last || (row.up != 0 && row.up != 1)) return wrong("changes in order of time");
    last = row.at;
    if (row.machine < 0 || row.machine >= static_cast<std::int64_t>(rows.size())) {
      return wrong("changes of its own machines");
    }
  }
  flatbuffers::uoffset_t label = 0;
  for (const trace::MachineRow& row : rows) {
    Machine& machine = machines.emplace_back();
    machine.capacity = cursor.take_resources(row.milli_vcores, row.memory_mib, row.amounts);
    machine.name = cursor.take_text(row.name_bytes);
    machine.rack = cursor.take_text(row.rack_bytes);
    for (std::int64_t i = 0; i < row.labels; ++i) {
      machine.labels.emplace_back(cursor.take_text(root->label_bytes()->Get(label++)));
    }
  }
  for (const trace::ChangeRow& row : change_rows) {
    changes.push_back(
        {trace_time(row.at), NodeId(static_cast<std::uint32_t>(row.machine)), row.up == 1});
  }
  return success();
}

struct JobChunkDecoder::State {
  Names& names;
  std::size_t dimensions;
  std::vector<UserId> users;  // by their number in the file
  std::vector<QueueId> queues;
  std::int64_t last_submit = 0;
  std::uint32_t jobs_read = 0;
  JobColumns columns;
  log::StageDetailReader details;
  std::size_t job_at = 0, deadline_at = 0, stage_at = 0, run_at = 0;

  // Of the job at `job_at`.
  Duration read_deadline() {
    if (deadline_at == columns.deadlines.size()) return Duration{};
    const trace::DeadlineRow& row = columns.deadlines[deadline_at];
    if (static_cast<std::size_t>(row.job) != job_at) return Duration{};
    ++deadline_at;
    return Duration(row.deadline);
  }

  void read_stage(Stage& stage) {
    const trace::StageRow& row = columns.stages[stage_at];
    Cursor& cursor = columns.cursor;
    stage.kind = static_cast<StageKind>(row.kind);
    stage.demand = cursor.take_resources(row.milli_vcores, row.memory_mib, row.amounts);
    stage.input_path = cursor.take_text(row.input_path_bytes);
    details.read(stage_at++, stage,
                 [&cursor](std::uint32_t size) { return cursor.take_text(size); });
    stage.runs.resize(static_cast<std::size_t>(row.runs));
    for (TaskRun& run : stage.runs) {
      const trace::TaskRunRow& source = columns.task_runs[run_at++];
      run.count = static_cast<std::uint32_t>(source.count);
      run.work = {Duration(source.duration), Duration(source.cpu_time), source.memory_mib,
                  source.input_bytes,        source.shuffle_bytes,      source.output_bytes};
    }
  }
};

JobChunkDecoder::JobChunkDecoder(Names& names, std::size_t dimensions)
    : state_(new State{names, dimensions, {}, {}, 0, 0, {}, {}, 0, 0, 0, 0}) {}
JobChunkDecoder::~JobChunkDecoder() = default;

Status JobChunkDecoder::load(std::span<const std::byte> chunk) {
  State& state = *state_;
  TRACEBED_CHECK(state.job_at == state.columns.jobs.size(),
                 "a chunk is loaded when the one before was read to its end");
  const auto* root = root_of<fb::Jobs>(chunk, trace::jobs_identifier);
  if (root == nullptr) return wrong("jobs");
  JobColumns& columns = state.columns;
  state.job_at = 0;
  const auto refuse = [&columns](const std::string& wanted) {
    columns.jobs.clear();  // there is none to read
    return wrong(wanted);
  };
  columns.deadlines.clear();
  if (!unpack(*root->jobs(), columns.jobs) || !unpack(*root->stages(), columns.stages) ||
      !unpack(*root->task_runs(), columns.task_runs) ||
      !unpack(*root->amounts(), columns.cursor.amounts) ||
      (root->deadlines() != nullptr && !unpack(*root->deadlines(), columns.deadlines))) {
    return refuse("whole rows in its packed columns");
  }
  const std::string wanted = JobVerifier(*root, columns)
                                 .verify(state.users.size() + root->users()->size(),
                                         state.queues.size() + root->queues()->size(),
                                         state.dimensions, state.last_submit);
  if (!wanted.empty()) return refuse(wanted);
  if (!columns.jobs.empty()) state.last_submit = columns.jobs.back().submit;
  if (columns.jobs.size() > std::numeric_limits<std::uint32_t>::max() - 1 - state.jobs_read) {
    return refuse("jobs whose numbers fit in 32 bits");
  }
  intern_all(*root->users(), state.names.users, state.users);
  intern_all(*root->queues(), state.names.queues, state.queues);
  columns.cursor.text = root->text();
  columns.cursor.text_at = 0;
  columns.cursor.amount_at = 0;
  state.deadline_at = 0;
  state.stage_at = 0;
  state.run_at = 0;
  state.details = log::StageDetailReader(root->stage_details());
  return success();
}

bool JobChunkDecoder::next(Job& job) {
  State& state = *state_;
  if (state.job_at == state.columns.jobs.size()) return false;
  job.deadline = state.read_deadline();
  const trace::JobRow& row = state.columns.jobs[state.job_at++];
  job.id = JobId(state.jobs_read++);
  job.name = state.columns.cursor.take_text(row.name_bytes);
  job.submit = trace_time(row.submit);
  job.user = state.users[static_cast<std::size_t>(row.user)];
  job.queue = state.queues[static_cast<std::size_t>(row.queue)];
  job.priority = static_cast<std::int32_t>(row.priority);
  job.kind = static_cast<JobKind>(row.kind);
  job.requested_time = Duration(row.requested_time);
  job.stages.resize(static_cast<std::size_t>(row.stages));
  for (Stage& stage : job.stages) state.read_stage(stage);
  return true;
}

}  // namespace tracebed
