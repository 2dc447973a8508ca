#include "agents/task/task_spill.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "core/shuffle.h"
#include "core/shuffle_work.h"

namespace tracebed {
namespace {

constexpr std::size_t part_bytes = 32 * 1024;

}  // namespace

TaskSpill::TaskSpill(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop)
    : spilled_(spilled_by(spec.work)),
      content_(map_output_content_id(shuffle_job_of(spec.work).value(),
                                     static_cast<std::uint32_t>(spec.container))),
      stop_(stop),
      runs_(spec, token, stop) {
  if (spilled_ > static_cast<std::int64_t>(shuffle::output_bytes_max)) {
    failure_ = Error{"spill: " + std::to_string(spilled_) + " bytes, at most " +
                     std::to_string(shuffle::output_bytes_max) + " can be kept"};
  }
}

bool TaskSpill::move_to(std::int64_t bytes) {
  if (failure_) return false;
  Status status = write(std::min(bytes, spilled_));
  if (status && position_ >= spilled_) status = read(bytes - spilled_);
  if (!status && !stop_.has_come()) failure_ = status.error();
  return !failure_;
}

Status TaskSpill::write(std::int64_t bytes) {
  std::array<std::byte, part_bytes> buffer;
  while (position_ < bytes) {
    if (stop_.has_come()) return success();
    const auto count = std::min<std::int64_t>(bytes - position_, std::ssize(buffer));
    const std::span part = std::span(buffer).first(static_cast<std::size_t>(count));
    content_.fill(static_cast<std::uint64_t>(position_), part);
    if (const Status written = runs_.append(run, part); !written) return written;
    position_ += count;
    if (position_ == spilled_) return runs_.finish(run);
  }
  return success();
}

Status TaskSpill::read(std::int64_t bytes) {
  const std::int64_t request = (spilled_ + requests_max - 1) / requests_max;
  while (position_ < length() && !stop_.has_come()) {
    const std::int64_t offset = position_ - spilled_;
    const std::int64_t count = std::min(request, spilled_ - offset);
    if (offset + count > bytes) break;
    const Status done =
        runs_.skim(run, static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(count));
    if (!done) return done;
    position_ += count;
  }
  return success();
}

}  // namespace tracebed
