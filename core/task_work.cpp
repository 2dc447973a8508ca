#include "core/task_work.h"

#include <algorithm>
#include <string>

#include "core/preemption.h"

namespace tracebed {

TaskWorkNumbers to_numbers(const TaskWork& work) {
  TaskWorkNumbers numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = task_work_fields[i].get(work);
  return numbers;
}

Result<TaskWork> to_task_work(std::span<const std::int64_t> numbers) {
  if (numbers.size() != task_work_fields.size()) {
    return Error{"expected a task's work of " + std::to_string(task_work_fields.size()) +
                 " numbers, got " + std::to_string(numbers.size())};
  }
  TaskWork work;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const TaskWorkField& field = task_work_fields[i];
    if (numbers[i] < 0 || numbers[i] > field.most) {
      return Error{"expected " + std::string(field.name) + " from 0 to " +
                   std::to_string(field.most) + ", got " + std::to_string(numbers[i])};
    }
    field.set(work, numbers[i]);
  }
  return work;
}

Status check(const TaskWork& work) {
  const Result<TaskWork> checked = to_task_work(to_numbers(work));
  if (!checked) return checked.error();
  return success();
}

bool is_plain(const TaskWork& work) {
  const Work& recorded = work;
  return work == TaskWork{recorded};
}

TaskWork within_bounds(const TaskWork& work) {
  TaskWork bounded = work;
  for (const TaskWorkField& field : task_work_fields) {
    field.set(bounded, std::clamp<std::int64_t>(field.get(work), 0, field.most));
  }
  return bounded;
}

TaskWork side_by_side(const TaskWork& task, std::uint32_t count) {
  TaskWork sum = task;
  if (count == 1) return sum;
  for (const TaskWorkField& field : task_work_fields) {
    const bool adds_up = field.measure == WorkMeasure::amount || field.measure == WorkMeasure::peak;
    if (adds_up) field.set(sum, field.get(task) * count);
  }
  return sum;
}

TaskWork rest_of(const TaskWork& work, std::uint32_t progress) {
  constexpr std::int64_t all = whole_work;
  const std::int64_t left = all - progress;
  TaskWork rest = work;
  for (const TaskWorkField& field : task_work_fields) {
    const bool lessens = field.measure == WorkMeasure::time || field.measure == WorkMeasure::amount;
    if (!lessens) continue;
    const std::int64_t whole = field.get(work);
    // In two steps, since whole × whole_work may not fit.
    field.set(rest, whole / all * left + whole % all * left / all);
  }
  for (std::size_t i = 0; i + 1 < task_work_fields.size(); ++i) {
    const TaskWorkField& begin = task_work_fields[i];
    if (begin.measure != WorkMeasure::begin) continue;
    const TaskWorkField& amount = task_work_fields[i + 1];
    begin.set(rest, begin.get(work) + amount.get(work) - amount.get(rest));
  }
  return rest;
}

}  // namespace tracebed
