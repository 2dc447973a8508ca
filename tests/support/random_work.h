// Work of a task with anything in its fields.
#pragma once

#include "core/random.h"
#include "core/task_work.h"

namespace tracebed::test {

inline TaskWork random_work(Random& random) {
  TaskWork work;
  for (const TaskWorkField& field : task_work_fields) {
    field.set(work, random.between(0, field.most));
  }
  return work;
}

}  // namespace tracebed::test
