#include "traces/json/wfcommons_reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "traces/json/json_lists.h"
#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

constexpr std::int64_t bytes_max = std::int64_t{1} << 60;

enum Tally : TraceTally::Handle { run_time = 1, makespans };
enum Count : TraceTally::Handle { tasks_in_all, edges_in_all, files_bytes };

}  // namespace

WfcommonsReader::WfcommonsReader(JsonDocuments documents, const TraceOptions& options, Names& names)
    : JsonReader("wfcommons", std::move(documents), options, names) {}

void WfcommonsReader::name_tallies(TraceTally& tally) {
  tally.distribution("task run time", "s", 1'000'000);
  tally.distribution("makespan", "s", 1'000'000);
  tally.count("tasks");
  tally.count("needs of other tasks");
  tally.count("bytes read and written by tasks");
}

bool WfcommonsReader::sum_files(const JsonFields& task, std::string_view key,
                                std::int64_t& sum) const {
  return each_text(task, key, [&](std::string_view file) {
    const std::int64_t* const size = sizes_.find(file);
    if (size == nullptr) return true;  // a file that the list leaves out
    if (*size > bytes_max - sum) {
      return task.bad(BadRow::out_of_range, key, "files of at most 2^60 bytes together", "more");
    }
    sum += *size;
    return true;
  });
}

bool WfcommonsReader::read_files(const JsonFields& fields) {
  sizes_.clear();
  return each_object(fields, "files", [&](const JsonFields& file) {
    std::string_view id;
    std::int64_t bytes = 0;
    if (!file.text("id", id) || !file.whole("sizeInBytes", 0, bytes_max, bytes)) return false;
    *sizes_.try_emplace(id, bytes).first = bytes;  // of several, the last
    return true;
  });
}

bool WfcommonsReader::add_task(const JsonFields& fields, std::string_view id_key,
                               Workflow& workflow) {
  std::string_view id;
  workflow.tasks.emplace_back();
  if (!fields.text(id_key, id)) return false;
  const auto position = static_cast<std::uint32_t>(workflow.tasks.size() - 1);
  if (!positions_.try_emplace(id, position).second) {
    return fields.bad(BadRow::text, id_key, "an id that no other task has", shown(id));
  }
  ids_.push_back(id);
  return fields.array("parents", parents_.emplace_back()) &&
         fields.array("children", children_.emplace_back());
}

bool WfcommonsReader::read_specification(const JsonFields& fields, Workflow& workflow) {
  if (!read_files(fields)) return false;
  return each_object(fields, "tasks", [&](const JsonFields& task) {
    if (!add_task(task, "id", workflow)) return false;
    Task& known = workflow.tasks.back();
    return sum_files(task, "inputFiles", known.input_bytes) &&
           sum_files(task, "outputFiles", known.output_bytes);
  });
}

bool WfcommonsReader::read_old_task(const JsonFields& fields, Task& task) const {
  constexpr std::int64_t kb = 1024;
  std::int64_t memory_kb = 0;
  if (!fields.optional_number("runtime", 0, 1e12, task.seconds) ||
      !fields.optional_number("runtimeInSeconds", 0, 1e12, task.seconds) ||
      !fields.optional_number("cores", 0, 1e6, task.cores) ||
      !fields.optional_number("avgCPU", 0, 1e9, task.cpu_percent) ||
      !fields.optional_whole("memory", 0, bytes_max / kb, memory_kb)) {
    return false;
  }
  task.memory_bytes = memory_kb * kb;
  if (!fields.optional_whole("memoryInBytes", 0, bytes_max, task.memory_bytes)) return false;
  const std::int64_t unit = rules().workflows.size_unit == FileUnit::kb ? kb : 1;
  return each_object(fields, "files", [&](const JsonFields& file) {
    std::string_view link;
    std::int64_t size = 0;
    if (!file.text("link", link)) return false;
    if (link != "input" && link != "output") {
      return file.bad(BadRow::text, "link", "input or output", shown(link));
    }
    if (!file.optional_whole("size", 0, bytes_max / unit, size)) return false;
    size *= unit;
    if (!file.optional_whole("sizeInBytes", 0, bytes_max, size)) return false;
    std::int64_t& sum = link == "input" ? task.input_bytes : task.output_bytes;
    if (size > bytes_max - sum) {
      return file.bad(BadRow::out_of_range, "size", "files of at most 2^60 bytes together", "more");
    }
    sum += size;
    return true;
  });
}

bool WfcommonsReader::read_old_tasks(const JsonFields& fields, std::string_view key,
                                     Workflow& workflow) {
  return fields.optional_number("makespan", 0, 1e12, workflow.makespan) &&
         fields.optional_number("makespanInSeconds", 0, 1e12, workflow.makespan) &&
         each_object(fields, key, [&](const JsonFields& task) {
           return add_task(task, "name", workflow) && read_old_task(task, workflow.tasks.back());
         });
}

bool WfcommonsReader::each_named(
    const JsonFields& fields, std::string_view key, const Lists& lists,
    const std::function<void(std::uint32_t, std::uint32_t)>& visit) const {
  for (std::uint32_t position = 0; position < lists.size(); ++position) {
    if (!lists[position]) continue;
    for (const simdjson::dom::element each : *lists[position]) {
      std::string_view id;
      const bool is_text = each.get_string().get(id) == simdjson::SUCCESS;
      const std::uint32_t* const found = is_text ? positions_.find(id) : nullptr;
      if (found == nullptr) {
        return fields.bad(BadRow::text, key, "ids of tasks",
                          is_text ? shown(id) : shown_json(each));
      }
      visit(position, *found);
    }
  }
  return true;
}

bool WfcommonsReader::agree(const JsonFields& fields, const StageNeeds& by_parents,
                            const StageNeeds& by_children) {
  for (std::size_t task = 0; task < by_parents.size(); ++task) {
    const auto missing = [&](const std::vector<std::uint32_t>& all,
                             const std::vector<std::uint32_t>& in) -> std::optional<std::uint32_t> {
      for (const std::uint32_t each : all) {
        if (!std::binary_search(in.begin(), in.end(), each)) return each;
      }
      return std::nullopt;
    };
    if (const auto parent = missing(by_parents[task], by_children[task])) {
      return fields.bad(BadRow::text, "children", "lists that agree with parents",
                        fmt::format("one of {} without {}, which names it as a parent",
                                    shown(ids_[*parent]), shown(ids_[task])));
    }
    if (const auto parent = missing(by_children[task], by_parents[task])) {
      return fields.bad(BadRow::text, "parents", "lists that agree with children",
                        fmt::format("one of {} without {}, which names it as a child",
                                    shown(ids_[task]), shown(ids_[*parent])));
    }
  }
  return true;
}

bool WfcommonsReader::read_needs(const JsonFields& fields, Workflow& workflow) {
  StageNeeds by_parents(workflow.tasks.size());
  StageNeeds by_children(workflow.tasks.size());
  std::size_t named_parents = 0;
  std::size_t named_children = 0;
  if (!each_named(fields, "parents", parents_,
                  [&](std::uint32_t task, std::uint32_t parent) {
                    by_parents[task].push_back(parent);
                    ++named_parents;
                  }) ||
      !each_named(fields, "children", children_, [&](std::uint32_t task, std::uint32_t child) {
        by_children[child].push_back(task);
        ++named_children;
      })) {
    return false;
  }
  for (StageNeeds* const needs : {&by_parents, &by_children}) {
    for (std::vector<std::uint32_t>& of_task : *needs) {
      std::sort(of_task.begin(), of_task.end());
      of_task.erase(std::unique(of_task.begin(), of_task.end()), of_task.end());
    }
  }
  const bool have_both = named_parents > 0 && named_children > 0;
  if (have_both && !agree(fields, by_parents, by_children)) return false;
  workflow.needs = named_parents > 0 ? std::move(by_parents) : std::move(by_children);
  for (const auto& of_task : workflow.needs) workflow.edges += of_task.size();
  return true;
}

bool WfcommonsReader::read_task(const JsonFields& fields, Task& task) {
  return fields.number("runtimeInSeconds", 0, 1e12, task.seconds) &&
         fields.optional_number("coreCount", 0, 1e6, task.cores) &&
         fields.optional_number("avgCPU", 0, 1e9, task.cpu_percent) &&
         fields.optional_whole("memoryInBytes", 0, bytes_max, task.memory_bytes);
}

bool WfcommonsReader::read_execution(const JsonFields& fields, Workflow& workflow) {
  if (!fields.optional_number("makespanInSeconds", 0, 1e12, workflow.makespan)) return false;
  return each_object(fields, "tasks", [&](const JsonFields& task) {
    std::string_view id;
    if (!task.text("id", id)) return false;
    const std::uint32_t* const found = positions_.find(id);
    if (found == nullptr) {
      return task.bad(BadRow::text, "id", "that of a task of the specification", shown(id));
    }
    return read_task(task, workflow.tasks[*found]);
  });
}

bool WfcommonsReader::read(const JsonFields& fields, Workflow& workflow) {
  const auto with_object = [](const JsonFields& parent, std::string_view key, auto&& visit) {
    simdjson::dom::object object;
    if (!parent.has(key) ||
        parent.object().at_key(key).get_object().get(object) != simdjson::SUCCESS) {
      return parent.bad(BadRow::columns, key, "an object", "none");
    }
    return visit(JsonFields(object, parent.place()));
  };
  positions_.clear();
  ids_.clear();
  parents_.clear();
  children_.clear();
  const bool is_read = with_object(fields, "workflow", [&](const JsonFields& parts) {
    for (const std::string_view key : {"tasks", "jobs"}) {
      if (!parts.has("specification") && parts.has(key)) {
        return read_old_tasks(parts, key, workflow) && read_needs(parts, workflow);
      }
    }
    return with_object(parts, "specification",
                       [&](const JsonFields& specification) {
                         return read_specification(specification, workflow) &&
                                read_needs(specification, workflow);
                       }) &&
           with_object(parts, "execution", [&](const JsonFields& execution) {
             return read_execution(execution, workflow);
           });
  });
  if (!is_read) return false;
  if (workflow.tasks.empty() || workflow.tasks.size() > stages_max) {
    return fields.bad(BadRow::too_many_tasks, "tasks",
                      "1 to " + std::to_string(stages_max) + " tasks",
                      std::to_string(workflow.tasks.size()));
  }
  auto order = order_of_stages(workflow.needs);
  if (!order) {
    return fields.bad(BadRow::cycle, "parents", "tasks that can run in some order",
                      "tasks that need each other");
  }
  workflow.order = std::move(*order);
  return true;
}

void WfcommonsReader::collect_document(const JsonFields& fields) {
  Workflow workflow;
  std::string name = "workflow";
  if (!fields.optional_text("name", name) || !read(fields, workflow)) return;
  see_row(0);
  make_job(name, workflow);
  if (tally() == nullptr) return;
  const auto microseconds_of = [](double seconds) {
    return static_cast<std::int64_t>(std::llround(seconds * 1e6));
  };
  tally()->increment(tasks_in_all, workflow.tasks.size());
  tally()->increment(edges_in_all, workflow.edges);
  tally()->add(makespans, microseconds_of(workflow.makespan));
  for (const Task& task : workflow.tasks) {
    if (task.seconds >= 0) tally()->add(run_time, microseconds_of(task.seconds));
    tally()->increment(files_bytes,
                       static_cast<std::uint64_t>(task.input_bytes + task.output_bytes));
  }
}

Resources WfcommonsReader::demand_of(const Task& task) const {
  Resources demand = default_demand(rules().task);
  if (task.cores > 0) {
    demand[Resources::vcores_dimension] =
        std::max<std::int64_t>(1, std::llround(task.cores * 1000));
  }
  const std::int64_t used_mib = (task.memory_bytes + (1 << 20) - 1) >> 20;
  demand[Resources::memory_dimension] = std::max(demand.memory_mib(), used_mib);
  return demand;
}

Work WfcommonsReader::work_of(const Task& task, const Resources& demand) const {
  const Duration run = microseconds(std::max<std::int64_t>(1, std::llround(task.seconds * 1e6)));
  Work work = work_of_run(run, demand, rules().task);
  if (task.cpu_percent >= 0) {
    // Above what it asked for it would be held back by its container, and take longer.
    const double most = to_seconds(run) * static_cast<double>(demand.milli_vcores()) / 1000;
    work.cpu_time =
        microseconds(std::llround(std::min(most, to_seconds(run) * task.cpu_percent / 100) * 1e6));
  }
  if (task.memory_bytes > 0) work.memory_mib = (task.memory_bytes + (1 << 20) - 1) >> 20;
  work.input_bytes = task.input_bytes;
  work.output_bytes = task.output_bytes;
  return work;
}

void WfcommonsReader::make_job(const std::string& name, Workflow& workflow) {
  Job& job = begin_draft();
  job.name = name;
  job.kind = JobKind::dag;
  job.user = draft_names().users.intern("user0");
  job.queue = draft_names().queues.intern("default");
  std::vector<bool> kept;
  for (const Task& task : workflow.tasks) kept.push_back(task.seconds >= 0);
  note("tasks that were not executed, which are left out",
       static_cast<std::uint64_t>(std::count(kept.begin(), kept.end(), false)));
  note("tasks of run time 0, which take a microsecond",
       static_cast<std::uint64_t>(
           std::count_if(workflow.tasks.begin(), workflow.tasks.end(), [](const Task& task) {
             return task.seconds >= 0 && std::llround(task.seconds * 1e6) == 0;
           })));
  contract_stages(workflow.needs, kept, workflow.order);
  std::vector<std::uint16_t> stage_of(workflow.tasks.size());
  for (const std::uint32_t position : workflow.order) {
    if (!kept[position]) continue;
    const Task& task = workflow.tasks[position];
    stage_of[position] = static_cast<std::uint16_t>(stages_begun());
    Stage& stage = begin_stage(job);
    stage.demand = demand_of(task);
    stage.runs.push_back({1, work_of(task, stage.demand)});
    for (const std::uint32_t needed : workflow.needs[position]) {
      stage.needs.push_back(stage_of[needed]);
    }
    std::sort(stage.needs.begin(), stage.needs.end());
  }
  if (workflow.makespan > 0) {
    set_recorded(RecordedSpan{microseconds(std::llround(workflow.makespan * 1e6)), 0, 0});
  }
  if (stages_begun() > 0) return keep_draft(0);
  note("jobs of which no task is left");
  keep_none(0);
}

}  // namespace tracebed
