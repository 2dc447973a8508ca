#include "agents/task/kept_input.h"

#include <algorithm>

#include "agents/task/own_shuffle_server.h"
#include "agents/task/task_input.h"
#include "agents/task/task_storage.h"
#include "core/shuffle_work.h"

namespace tracebed {
namespace {

// What the task reads, without what is behind it.
shuffle::InputBlock block_of(const TaskWork& work) {
  const kernels::InputSplit split = TaskInput::split_of(work);
  return {TaskInput::file_of(work), split.offset, split.bytes};
}

}  // namespace

bool KeptInput::open() {
  const int interrupt = stop_.open_descriptor();
  const auto server = find_shuffle_server(spec_.input, interrupt, machine_with_input(spec_.work));
  if (!server) return false;
  auto reader = shuffle::KeptBlockReader::open(
      *server, token_, {shuffle_job_of(spec_.work).value(), block_of(spec_.work)},
      shuffle_connection_options(spec_, interrupt));
  if (!reader) return false;
  reader_.emplace(std::move(*reader));
  return true;
}

std::optional<std::span<const std::byte>> KeptInput::next() {
  if (!has_begun_) {
    has_begun_ = true;
    if (!open()) return std::nullopt;
  }
  if (!reader_) return std::nullopt;
  const auto part = reader_->next();
  if (part) return *part;
  reader_.reset();
  return std::nullopt;
}

InputKeeper::InputKeeper(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop) {
  const int interrupt = stop.open_descriptor();
  const auto server = find_shuffle_server(spec.input, interrupt, own_machine);
  if (!server) return;
  const auto executor_bytes = std::min(static_cast<std::uint64_t>(spec.work.input_executor_bytes),
                                       shuffle::output_bytes_max);
  auto writer = shuffle::MapOutputWriter::open_block(
      *server, token,
      {shuffle_job_of(spec.work).value(), static_cast<std::uint32_t>(spec.work.input_executor),
       executor_bytes, block_of(spec.work)},
      shuffle_connection_options(spec, interrupt));
  if (writer) writer_.emplace(std::move(*writer));
}

void InputKeeper::add(std::span<const std::byte> bytes) {
  if (writer_ && !writer_->write(bytes)) writer_.reset();
}

void InputKeeper::close() {
  if (writer_) (void)writer_->close();
  writer_.reset();
}

}  // namespace tracebed
