// Tracebed's own binary traces from anywhere: whole files, and the payloads of their chunks, which
// a change would otherwise hardly ever reach through the checksums.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_error.h"
#include "fuzz/check_job.h"
#include "fuzz/fuzz_target.h"
#include "support/temporary_folder.h"
#include "traces/binary/binary_reader.h"
#include "traces/binary/binary_writer.h"

namespace tracebed::fuzz {
namespace {

constexpr std::size_t dimensions = 1;

std::vector<Job> some_jobs(Names& names) {
  Job job;
  job.name = "j";
  job.user = names.users.intern("u");
  job.queue = names.queues.intern("q");
  job.kind = JobKind::rigid;
  job.stages.resize(1);
  job.stages[0].kind = StageKind::gang;
  job.stages[0].demand = Resources(1000, 1024);
  job.stages[0].demand[2] = 7;
  job.stages[0].runs = {{3, {seconds(9), seconds(8), 5, 4, 3, 2}}};
  Job dag = job;
  dag.submit = trace_time(5);
  dag.kind = JobKind::dag;
  dag.stages[0].kind = StageKind::map;
  dag.stages[0].places = {{"a", "b"}, {1, 2, 2}, {1, 0}};
  dag.stages[0].input_path = "/in";
  dag.stages.push_back(dag.stages[0]);
  dag.stages[1].needs = {0};
  dag.stages[1].delay = seconds(1);
  dag.stages[1].node_labels = {"gpu"};
  return {job, dag};
}

std::vector<Machine> some_machines() {
  return {{"m0", "/r0", Resources(4000, 8192), {"gpu"}}, {"m1", "/r1", Resources(1, 2), {}}};
}
std::vector<MachineChange> some_changes() {
  return {{trace_time(4), NodeId(1u), false}, {trace_time(9), NodeId(1u), true}};
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void drain(JobChunkDecoder& decoder) {
  Job job;
  TraceTime last{};
  while (decoder.next(job)) {
    check_job(job, last);
    last = job.submit;
  }
}

void read_payload(std::span<const std::byte> bytes) {
  TraceOrigin origin;
  static_cast<void>(decode_origin(bytes, origin).has_value());
  std::vector<Machine> machines;
  std::vector<MachineChange> changes;
  if (decode_machines(bytes, dimensions, machines, changes)) {
    for (const MachineChange& change : changes) {
      TRACEBED_CHECK(change.node.index() < machines.size(), "a change is of a machine");
    }
  }
  Names names;
  JobChunkDecoder decoder(names, dimensions);
  if (decoder.load(bytes)) drain(decoder);
}

void read_file(std::span<const std::byte> bytes) {
  Names names;
  try {
    BinaryReader reader(std::make_unique<BinaryTraceFile>("fuzz", bytes), {}, names);
    Job job;
    TraceTime last{};
    while (reader.next(job)) {
      check_job(job, last);
      last = job.submit;
    }
  } catch (const InputError&) {
    // The documented refusal.
  }
}

}  // namespace

std::vector<std::string> seeds() {
  const TraceOrigin origin{"s", "swf", {"gpu_milli"}, {{"trace.origin", "file"}}};
  const TemporaryFolder folder;
  const std::string path = folder.file("seed");
  Names names;
  const std::vector<Job> jobs = some_jobs(names);
  BinaryTraceWriter writer(path, origin, names);
  writer.set_machines(some_machines(), some_changes());
  JobChunkEncoder encoder(names);
  for (const Job& job : jobs) {
    writer.add(job);
    encoder.add(job);
  }
  writer.finish();
  return {contents(path), text_of(encode_origin(origin)),
          text_of(encode_machines(some_machines(), some_changes())),
          text_of(encoder.finish_chunk())};
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint64_t> aligned(size / sizeof(std::uint64_t) + 1);
  if (size > 0) std::memcpy(aligned.data(), data, size);
  const auto bytes = std::as_bytes(std::span(aligned)).first(size);
  tracebed::fuzz::read_file(bytes);
  tracebed::fuzz::read_payload(bytes);
  return 0;
}
