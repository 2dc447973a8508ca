#include "core/output_files.h"

#include "core/mix.h"

namespace tracebed {
namespace {

constexpr int task_bits = 32;

std::string padded(std::int64_t number) {
  constexpr std::size_t digits = 5;
  const std::string text = std::to_string(number);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

JobId job_of(const TaskWork& work) {
  return JobId(static_cast<std::size_t>(work.output_job));
}

std::string name_of(const TaskWork& work) {
  const std::int64_t task = work.output_part & ((std::int64_t{1} << task_bits) - 1);
  std::string name = "part-" + padded(work.output_part >> task_bits) + '-' + padded(task);
  if (work.output_offset > 0) name += "-from-" + std::to_string(work.output_offset);
  return name;
}

}  // namespace

std::string output_directory_of(JobId job) {
  return "/tracebed/" + std::to_string(job.value()) + "/output";
}

std::string temporary_output_of(JobId job) {
  return output_directory_of(job) + "/_temporary";
}

std::int64_t output_part_of(TaskRef task) {
  return std::int64_t{task.stage} << task_bits | std::int64_t{task.index};
}

std::string attempt_output_path(const TaskWork& work, ContainerId container) {
  return temporary_output_of(job_of(work)) + "/container-" + std::to_string(container.value()) +
         '-' + name_of(work);
}

std::string output_path_of(const TaskWork& work) {
  return output_directory_of(job_of(work)) + '/' + name_of(work);
}

std::uint64_t output_content_id(const TaskWork& work) {
  return mix(static_cast<std::uint64_t>(work.output_job)) ^
         static_cast<std::uint64_t>(work.output_part);
}

}  // namespace tracebed
