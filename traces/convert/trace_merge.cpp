#include "traces/convert/trace_merge.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "core/input_error.h"
#include "system/input_witness.h"
#include "traces/binary/binary_file.h"
#include "traces/binary/binary_writer.h"
#include "traces/convert/trace_convert.h"
#include "traces/trace_formats.h"
#include "traces/workload_digest.h"

namespace tracebed {
namespace {

// The names of one reader in the tables of all.
template <class IdType>
class Translation {
 public:
  IdType operator()(IdType id, const NameTable<IdType>& from, NameTable<IdType>& to) {
    while (ids_.size() <= id.index()) ids_.push_back(to.intern(from.name(IdType(ids_.size()))));
    return ids_[id.index()];
  }

 private:
  std::vector<IdType> ids_;
};

// One of the traces, and its next job.
class Input {
 public:
  Input(const std::string& path, const TraceOptions& options)
      : path_(path), reader_(open_trace(path, options, names_)) {}

  bool advance(Names& all) {
    if (!reader_->next(job_)) return false;
    ++jobs_;
    const NamedPredecessors* const named = reader_->predecessors();
    if (named != nullptr && !named->jobs.empty()) ++preceded_;
    job_.user = users_(job_.user, names_.users, all.users);
    job_.queue = queues_(job_.queue, names_.queues, all.queues);
    return true;
  }
  Job& job() { return job_; }
  const TraceReader& reader() const { return *reader_; }
  const std::string& path() const { return path_; }
  MergeInput result() const {
    return {path_, std::string(reader_->format()), jobs_, reader_->bad_rows().total(), preceded_};
  }

 private:
  std::string path_;
  Names names_;
  std::unique_ptr<TraceReader> reader_;
  Job job_;
  std::uint64_t jobs_ = 0;
  std::uint64_t preceded_ = 0;
  Translation<UserId> users_;
  Translation<QueueId> queues_;
};

// The dimensions of all inputs together.
TraceOptions with_all_dimensions(const std::vector<std::string>& inputs, TraceOptions options) {
  std::vector<std::string> names;
  for (const std::string& path : inputs) {
    const ResourceDimensions own = with_own_dimensions(path, options).dimensions;
    for (std::size_t i = Resources::memory_dimension + 1; i < own.size(); ++i) {
      if (std::find(names.begin(), names.end(), own.name(i)) == names.end()) {
        names.push_back(own.name(i));
      }
    }
  }
  constexpr std::size_t names_max = Resources::dimensions_max - Resources::memory_dimension - 1;
  if (names.size() > names_max) {
    throw InputError(
        fmt::format("merge: expected at most {} dimensions beyond vcores and memory "
                    "in all traces together, got {}: {}",
                    names_max, names.size(), fmt::join(names, ", ")));
  }
  options.dimensions = ResourceDimensions(names);
  return options;
}

TraceOrigin origin_of(const std::vector<std::unique_ptr<Input>>& inputs,
                      const TraceOptions& options) {
  TraceOrigin origin;
  origin.format = "merged";
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i > 0) origin.source += ", ";
    origin.source += inputs[i]->path();
    for (const auto& [name, value] : rules_of(inputs[i]->reader(), options.rules)) {
      origin.rules.emplace_back(fmt::format("input {}: {}", i + 1, name), value);
    }
  }
  for (std::size_t i = Resources::memory_dimension + 1; i < options.dimensions.size(); ++i) {
    origin.dimensions.push_back(options.dimensions.name(i));
  }
  return origin;
}

void write_machines(const std::vector<std::unique_ptr<Input>>& inputs, const TraceOptions& options,
                    BinaryTraceWriter& writer) {
  std::string having;
  for (const auto& input : inputs) {
    if (input->reader().format() != "binary") continue;
    const BinaryTraceFile file(input->path(), options.witness);
    if (file.machines().empty()) continue;
    if (!having.empty()) {
      throw InputError(fmt::format("merge: expected machines in one trace, got them in {} and {}",
                                   having, input->path()));
    }
    having = input->path();
    std::vector<Machine> machines = file.machines();
    for (Machine& machine : machines) {
      machine.capacity = translated(machine.capacity, file.origin().dimensions, options.dimensions);
    }
    writer.set_machines(machines, file.changes());
  }
}

}  // namespace

MergeResult merge_traces(const std::vector<std::string>& paths, const std::string& output,
                         const TraceOptions& options) {
  if (paths.size() < 2) throw InputError("merge: expected two traces or more");
  std::vector<std::string> read;
  for (const std::string& path : paths) {
    for (std::string& file : files_of_trace(path)) read.push_back(std::move(file));
  }
  expect_other_file(output, read);
  if (std::count(paths.begin(), paths.end(), standard_stream) > 1) {
    throw InputError("merge: expected standard input once, got it for several traces");
  }
  InputWitness witness;
  const TraceOptions full = with_all_dimensions(paths, options.witnessed_by(witness));
  std::vector<std::unique_ptr<Input>> inputs;
  for (const std::string& path : paths) inputs.push_back(std::make_unique<Input>(path, full));
  Names names;
  BinaryTraceWriter writer(output, origin_of(inputs, full), names);
  write_machines(inputs, full, writer);
  std::vector<Input*> waiting;  // those that have a job
  for (const auto& input : inputs) {
    if (input->advance(names)) waiting.push_back(input.get());
  }
  WorkloadDigest digest(names);
  while (!waiting.empty()) {
    const auto next = std::min_element(waiting.begin(), waiting.end(), [](Input* a, Input* b) {
      return a->job().submit < b->job().submit;
    });
    Job& job = (*next)->job();
    job.id = JobId(static_cast<std::size_t>(writer.jobs()));
    digest.add(job);
    writer.add(job);
    if (!(*next)->advance(names)) waiting.erase(next);
  }
  writer.finish();
  MergeResult result{{}, writer.jobs(), writer.tasks(), writer.bytes(), digest.to_string()};
  for (const auto& input : inputs) result.inputs.push_back(input->result());
  return result;
}

}  // namespace tracebed
