#include <limits>

#include "core/check.h"
#include "protocol/packed_rows.h"
#include "protocol/stage_details.h"
#include "protocol/trace_codec.h"
#include "protocol/trace_rows.h"
#include "trace_generated.h"

namespace tracebed {

namespace fb = trace::fb;

namespace {

using Builder = flatbuffers::FlatBufferBuilder;

std::int64_t whole(std::size_t size) {
  return static_cast<std::int64_t>(size);
}

template <class Row>
auto packed(Builder& builder, const log::RowPacker<Row>& rows) {
  return builder.CreateVector(rows.bytes().data(), rows.bytes().size());
}

std::vector<std::byte> bytes_of(const Builder& builder) {
  const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  return {bytes.begin(), bytes.end()};
}

// Texts one after the other, and amounts beyond vcores and memory.
struct Shared {
  std::vector<std::uint8_t> text;
  log::RowPacker<trace::AmountRow> amounts;

  std::uint32_t add_text(std::string_view words) {
    text.insert(text.end(), words.begin(), words.end());
    TRACEBED_CHECK(text.size() <= std::numeric_limits<std::uint32_t>::max(),
                   "a chunk's text is under 4 GiB");
    return static_cast<std::uint32_t>(words.size());
  }
  // Returns how many there are.
  std::int64_t add_amounts(const Resources& resources) {
    std::int64_t count = 0;
    for (std::size_t i = Resources::memory_dimension + 1; i < resources.dimensions_used(); ++i) {
      if (resources[i] == 0) continue;
      amounts.add({.dimension = whole(i), .amount = resources[i]});
      ++count;
    }
    return count;
  }
};

// The names with the ids from `first` on.
template <class IdType>
auto new_names(Builder& builder, const NameTable<IdType>& table, std::size_t& first) {
  std::vector<std::string> names;
  for (; first < table.size(); ++first) names.push_back(table.name(IdType(first)));
  return builder.CreateVectorOfStrings(names);
}

}  // namespace

std::vector<std::byte> encode_origin(const TraceOrigin& origin) {
  Builder builder;
  std::vector<std::string> names;
  std::vector<std::string> values;
  for (const auto& [name, value] : origin.rules) {
    names.push_back(name);
    values.push_back(value);
  }
  const auto source = builder.CreateString(origin.source);
  const auto format = builder.CreateString(origin.format);
  const auto dimensions = builder.CreateVectorOfStrings(origin.dimensions);
  const auto rule_names = builder.CreateVectorOfStrings(names);
  const auto rule_values = builder.CreateVectorOfStrings(values);
  builder.Finish(fb::CreateOrigin(builder, source, format, dimensions, rule_names, rule_values),
                 trace::origin_identifier);
  return bytes_of(builder);
}

std::vector<std::byte> encode_machines(std::span<const Machine> machines,
                                       std::span<const MachineChange> changes) {
  Shared shared;
  log::RowPacker<trace::MachineRow> machine_rows;
  std::vector<std::uint32_t> label_bytes;
  for (const Machine& machine : machines) {
    machine_rows.add({.milli_vcores = machine.capacity.milli_vcores(),
                      .memory_mib = machine.capacity.memory_mib(),
                      .amounts = shared.add_amounts(machine.capacity),
                      .labels = whole(machine.labels.size()),
                      .name_bytes = shared.add_text(machine.name),
                      .rack_bytes = shared.add_text(machine.rack)});
    for (const std::string& label : machine.labels) label_bytes.push_back(shared.add_text(label));
  }
  log::RowPacker<trace::ChangeRow> change_rows;
  for (const MachineChange& change : changes) {
    change_rows.add({.at = to_microseconds(change.at),
                     .machine = change.node.value(),
                     .up = change.up ? 1 : 0});
  }
  Builder builder;
  const auto machine_bytes = packed(builder, machine_rows);
  const auto amounts = packed(builder, shared.amounts);
  const auto labels = builder.CreateVector(label_bytes);
  const auto change_bytes = packed(builder, change_rows);
  const auto text = builder.CreateVector(shared.text);
  builder.Finish(fb::CreateMachines(builder, machine_bytes, amounts, labels, change_bytes, text),
                 trace::machines_identifier);
  return bytes_of(builder);
}

struct JobChunkEncoder::Columns {
  explicit Columns(const Names& workload_names) : names(workload_names) {}

  const Names& names;
  Builder builder{std::size_t{256} << 10};
  std::size_t users_written = 0;
  std::size_t queues_written = 0;
  std::size_t stage_count = 0;
  Shared shared;
  std::int64_t job_count = 0;
  log::RowPacker<trace::JobRow> jobs;
  log::RowPacker<trace::DeadlineRow> deadlines;
  log::RowPacker<trace::StageRow> stages;
  log::RowPacker<trace::TaskRunRow> task_runs;
  log::StageDetailColumns details;

  void add_stage(const Stage& stage) {
    stages.add({.kind = static_cast<std::int64_t>(stage.kind),
                .milli_vcores = stage.demand.milli_vcores(),
                .memory_mib = stage.demand.memory_mib(),
                .amounts = shared.add_amounts(stage.demand),
                .runs = whole(stage.runs.size()),
                .input_path_bytes = shared.add_text(stage.input_path)});
    if (log::has_details(stage)) {
      details.add(stage, stage_count,
                  [this](std::string_view words) { return shared.add_text(words); });
    }
    ++stage_count;
    for (const TaskRun& run : stage.runs) {
      const Work& work = run.work;
      task_runs.add({.count = run.count,
                     .duration = work.duration.count(),
                     .cpu_time = work.cpu_time.count(),
                     .memory_mib = work.memory_mib,
                     .input_bytes = work.input_bytes,
                     .shuffle_bytes = work.shuffle_bytes,
                     .output_bytes = work.output_bytes});
    }
  }

  void clear() {
    job_count = 0;
    stage_count = 0;
    shared.text.clear();
    shared.amounts.clear();
    jobs.clear();
    deadlines.clear();
    stages.clear();
    task_runs.clear();
    details.clear();
  }
};

JobChunkEncoder::JobChunkEncoder(const Names& names) : columns_(std::make_unique<Columns>(names)) {}
JobChunkEncoder::~JobChunkEncoder() = default;

void JobChunkEncoder::add(const Job& job) {
  Columns& c = *columns_;
  TRACEBED_CHECK(
      job.user.index() < c.names.users.size() && job.queue.index() < c.names.queues.size(),
      "a job's user and queue have names");
  c.jobs.add({.submit = to_microseconds(job.submit),
              .requested_time = job.requested_time.count(),
              .user = job.user.value(),
              .queue = job.queue.value(),
              .priority = job.priority,
              .kind = static_cast<std::int64_t>(job.kind),
              .stages = whole(job.stages.size()),
              .name_bytes = c.shared.add_text(job.name)});
  if (job.deadline > Duration::zero()) {
    c.deadlines.add({.job = c.job_count, .deadline = job.deadline.count()});
  }
  ++c.job_count;
  for (const Stage& stage : job.stages) c.add_stage(stage);
}

bool JobChunkEncoder::is_empty() const {
  return columns_->jobs.is_empty();
}

std::size_t JobChunkEncoder::bytes() const {
  const Columns& c = *columns_;
  return c.shared.text.size() + c.shared.amounts.bytes().size() + c.jobs.bytes().size() +
         c.deadlines.bytes().size() + c.stages.bytes().size() + c.task_runs.bytes().size() +
         c.details.bytes();
}

std::span<const std::byte> JobChunkEncoder::finish_chunk() {
  Columns& c = *columns_;
  Builder& builder = c.builder;
  builder.Clear();
  const auto users = new_names(builder, c.names.users, c.users_written);
  const auto queues = new_names(builder, c.names.queues, c.queues_written);
  const auto jobs = packed(builder, c.jobs);
  const auto stages = packed(builder, c.stages);
  const auto amounts = packed(builder, c.shared.amounts);
  const auto task_runs = packed(builder, c.task_runs);
  const auto text = builder.CreateVector(c.shared.text);
  const auto details = c.details.write(builder);
  const auto deadlines = c.deadlines.is_empty() ? decltype(jobs)() : packed(builder, c.deadlines);
  builder.Finish(fb::CreateJobs(builder, users, queues, jobs, stages, amounts, task_runs, text,
                                details, deadlines),
                 trace::jobs_identifier);
  c.clear();
  return std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
}

}  // namespace tracebed
