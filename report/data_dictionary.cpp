#include "report/data_dictionary.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/metrics.h"
#include "report/row_bytes.h"
#include "report/run_columns.h"

namespace tracebed {
namespace {

const char* type_name(ColumnType type) {
  switch (type) {
    case ColumnType::integer:
      return "integer";
    case ColumnType::number:
      return "number";
    case ColumnType::flag:
      return "boolean";
    case ColumnType::text:
      break;
  }
  return "string";
}

Json field_of(const NamedColumn& named) {
  const CsvColumn& column = *named.column;
  Json field{{"name", named.name}, {"type", type_name(column.type)}};
  if (column.type == ColumnType::flag) {
    field["trueValues"] = {"1"};
    field["falseValues"] = {"0"};
  }
  if (!named.unit.empty()) field["unit"] = named.unit;
  field["description"] = column.meaning;
  if (!column.formula.empty()) field["formula"] = column.formula;
  if (!column.when_empty.empty()) field["emptyWhen"] = column.when_empty;
  // A text that is empty is a text.
  if (column.when_empty.empty() && column.type != ColumnType::text) {
    field["constraints"]["required"] = true;
  }
  if (column.words != nullptr) field["constraints"]["enum"] = column.words();
  return field;
}

// `path` is the file's name, with what its compression appends.
Json resource_of(const CsvTable& table, const std::string& path,
                 const ResourceDimensions& dimensions) {
  const std::string_view name = table.file.substr(0, table.file.find('.'));
  Json fields = Json::array();
  for (const NamedColumn& column : columns_of(table, dimensions)) {
    fields.push_back(field_of(column));
  }
  Json schema{{"fields", std::move(fields)}, {"missingValues", {""}}};
  if (!table.key.empty()) {
    schema["primaryKey"] = std::vector<std::string_view>(table.key.begin(), table.key.end());
  }
  Json resource{{"profile", "tabular-data-resource"},
                {"name", name},
                {"path", path},
                {"description", table.rows},
                {"format", "csv"},
                {"mediatype", "text/csv"},
                {"encoding", "utf-8"}};
  if (path != table.file) resource["compression"] = path.substr(table.file.size() + 1);
  resource["schema"] = std::move(schema);
  return resource;
}

// Lines of at most a hundred bytes, those after the first with an indent.
std::string wrapped(const std::string& text, std::string_view indent) {
  constexpr std::size_t line_max = 100;
  std::string result;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t word = end - at;
    if (line > 0 && line + 1 + word > line_max) {
      result += fmt::format("\n{}", indent);
      line = indent.size();
    } else if (line > 0) {
      result += ' ';
      ++line;
    }
    result.append(text, at, word);
    line += word;
    at = end + 1;
  }
  return result + "\n";
}

constexpr std::string_view item_indent = "  ";

std::string entry(std::string_view name, std::string_view unit, std::string_view meaning,
                  std::string_view formula) {
  std::string text = fmt::format(
      "- `{}`{}: {}", name, unit.empty() ? std::string() : fmt::format(" ({})", unit), meaning);
  if (!formula.empty()) text += fmt::format("; = {}", formula);
  return text;
}

std::string entry_of(const CsvColumn& column, std::string_view unit) {
  std::string text = entry(column.name, unit, column.meaning, column.formula);
  if (column.words != nullptr) {
    std::string words;
    for (const std::string_view word : column.words()) {
      words += fmt::format("{}`{}`", words.empty() ? "" : ", ", word);
    }
    text += ": " + words;
  }
  if (!column.when_empty.empty()) text += fmt::format("; empty: {}", column.when_empty);
  return wrapped(text, item_indent);
}

std::string section_of(const CsvTable& table) {
  std::string text = fmt::format("\n## {}\n{}\n", table.file, wrapped(std::string(table.rows), ""));
  for (const CsvColumn& column : table.columns) text += entry_of(column, column.unit);
  if (table.resource_columns.empty()) return text;
  text +=
      "\nand for each resource, `milli_vcores` (thousandths of a vcore), `memory_mib` (MiB) and "
      "others that\nthe experiment names:\n\n";
  for (const CsvColumn& column : table.resource_columns) text += entry_of(column, "");
  return text;
}

constexpr std::array figures{
    FigureDefinition{"jobs.ended", "", "jobs that ended", "rows of jobs.csv"},
    FigureDefinition{"jobs.succeeded", "", "of these, jobs with this outcome",
                     "rows with this outcome"},
    FigureDefinition{"jobs.failed", "", "likewise", ""},
    FigureDefinition{"jobs.rejected", "", "likewise", ""},
    FigureDefinition{"jobs.killed", "", "likewise", ""},
    FigureDefinition{"jct_seconds", "s", "job completion time, over jobs that succeeded",
                     "finished_us − submitted_us", true},
    FigureDefinition{"jct_parts_mean_seconds", "s",
                     "mean of each part of it; the parts add up to the mean completion time",
                     "the mean of waiting_us to lost_us over jobs that succeeded"},
    FigureDefinition{"wait_seconds", "s",
                     "until the first container, over jobs that succeeded and had one",
                     "first_allocated_us − submitted_us", true},
    FigureDefinition{"slowdown", "",
                     "completion time relative to the ideal time, over jobs that succeeded and "
                     "have one; large and of little meaning for very short jobs",
                     "(finished_us − submitted_us) / ideal_us", true},
    FigureDefinition{"bounded_slowdown", "",
                     "the same with a lower bound, over jobs that succeeded: a job shorter than 10 "
                     "s counts as 10 s long (Feitelson and Rudolph 1998)",
                     "max(1, (finished_us − submitted_us) / max(ideal_us, 10 s))", true},
    FigureDefinition{"makespan_seconds", "s",
                     "from the first submission to the last end of jobs that were not rejected",
                     "max finished_us − min submitted_us"},
    FigureDefinition{"throughput_per_ten_minutes", "jobs/10 min",
                     "jobs that succeeded per ten minutes",
                     "jobs.succeeded / (makespan_seconds / 600)"},
    FigureDefinition{
        "utilisation", "",
        "for each resource, the fraction of the capacity in service that was allocated to "
        "containers, from the first submission to the end of the last job",
        "∫ allocated / ∫ capacity, as in samples.csv"},
    FigureDefinition{"users", "", "users with a job that succeeded", ""},
    FigureDefinition{"jain_index", "",
                     "fairness of slowdowns between users: 1 if all are slowed down alike, 1 / "
                     "users if only one is",
                     "(Σ x)² / (users × Σ x²), x: the mean bounded_slowdown of a user's jobs"},
    FigureDefinition{"deadlines.jobs", "",
                     "jobs that had a deadline; this and the next two only where any had",
                     "rows of jobs.csv with a deadline_us"},
    FigureDefinition{"deadlines.met", "", "of these, jobs that met it",
                     "rows with deadline_met = 1"},
    FigureDefinition{"deadlines.tardiness_seconds", "s",
                     "how long after its deadline a job ended, 0 if it met it; over jobs that had "
                     "one and succeeded",
                     "max(0, finished_us − deadline_us)", true},
    FigureDefinition{"attempts.launched", "", "attempts at tasks that were launched",
                     "rows of tasks.csv with launched = 1 and is_master = 0"},
    FigureDefinition{"attempts.lost", "", "of these, the ones that did not succeed",
                     "Σ attempts_lost of jobs.csv"},
    FigureDefinition{"attempts.unlaunched", "",
                     "containers that ended before a process was started in them",
                     "rows of tasks.csv with launched = 0 and is_master = 0"},
    FigureDefinition{"attempts.ends", "", "launched attempts, by end", ""},
    FigureDefinition{"attempts.localities", "", "launched attempts, by locality", ""},
    FigureDefinition{"attempts.launch_latency_seconds", "s", "over attempts that succeeded",
                     "started_us − allocated_us", true},
    FigureDefinition{"attempts.heartbeat_delay_seconds", "s", "over attempts that succeeded",
                     "reported_us − ended_us", true},
    FigureDefinition{"attempts.contention_seconds", "s", "over attempts that succeeded",
                     "ended_us − work_begun_us − nominal_us", true},
    FigureDefinition{"attempts.preemption", "",
                     "preempted containers, in total and by queue; only where there were any",
                     "Σ of the columns of preempted.csv"},
    FigureDefinition{
        "attempts.input_bytes", "B",
        "bytes that tasks read from the run's storage, by the replicas' distance; only "
        "where any were",
        "Σ bytes_node_local, bytes_rack_local, bytes_off_rack of tasks.csv"},
    FigureDefinition{"attempts.output_bytes", "B",
                     "bytes that tasks wrote to files of the run's storage, whatever their "
                     "replication; only where any were",
                     "Σ bytes_output of tasks.csv"},
    FigureDefinition{
        "attempts.shuffle_bytes", "B",
        "bytes that tasks fetched from tasks of earlier stages, by the distance of these; only "
        "where any were",
        "Σ bytes_shuffle_node_local, bytes_shuffle_rack_local, bytes_shuffle_off_rack of "
        "tasks.csv"},
    FigureDefinition{"attempts.spilled_bytes", "B",
                     "bytes that tasks of kernels could not sort at once; only where any were",
                     "Σ bytes_spilled of tasks.csv"},
    FigureDefinition{"attempts.devices", "",
                     "by device and its number on a node, over all nodes: on how many nodes "
                     "containers had it, how many, and the amount of it that they held over time; "
                     "only where any had",
                     "held_seconds: Σ over rows of tasks.csv that name it of their amount of it × "
                     "(reported_us − allocated_us) / 10⁶"},
    FigureDefinition{"attempts.masters", "",
                     "masters that ran in containers; this and the next three only where any did",
                     "rows of tasks.csv with is_master = 1"},
    FigureDefinition{"attempts.masters_part_of_vcores", "",
                     "their fraction of the resources of all containers",
                     "Σ over masters / Σ over all rows of milli_vcores × (reported_us − "
                     "allocated_us)"},
    FigureDefinition{"attempts.masters_part_of_memory", "", "the same in memory",
                     "likewise with memory_mib"},
    FigureDefinition{"attempts.master_startup_seconds", "s", "over masters that registered",
                     "work_begun_us − started_us of rows with is_master = 1", true},
    FigureDefinition{"submission_lateness_seconds", "s", "delay of submissions, over all jobs",
                     "submitted_us − due_us", true},
    FigureDefinition{"starvation", "s",
                     "by leaf queue, how long the queue had demand and less than its entitlement; "
                     "only where one had",
                     ""},
};

}  // namespace

std::span<const FigureDefinition> figure_definitions() {
  static_assert(bounded_slowdown_threshold == seconds(10), "the definition above names it");
  return figures;
}

Json data_package(const std::string& title, const std::vector<std::string>& files,
                  const ResourceDimensions& dimensions) {
  Json resources = Json::array();
  for (const CsvTable* table : csv_tables()) {
    for (const std::string& file : files) {
      const bool is_compressed = file.ends_with(compressed_suffix);
      const std::size_t suffix = is_compressed ? compressed_suffix.size() : 0;
      if (std::string_view(file).substr(0, file.size() - suffix) != table->file) continue;
      resources.push_back(resource_of(*table, file, dimensions));
    }
  }
  return {{"profile", "tabular-data-package"},
          {"name", "tracebed-run"},
          {"title", title},
          {"resources", std::move(resources)}};
}

std::string dictionary_page() {
  std::string page =
      "# Files of a run\n\n`tracebed columns` prints this page; `datapackage.json` in each run "
      "folder describes that run's\nCSV files as a Data Package (Frictionless Data). Times are "
      "microseconds of trace time since the\ntrace's start. A field is empty where there is no "
      "value; the column keeps its type. A job's queue has\none name in all files: the full path "
      "of the leaf queue that the scheduler put it into, or the trace's\nname where it put it into "
      "none. With `output.tasks = \"zstd\"` tasks.csv is compressed, as tasks.csv.zst, and with "
      "`\"none\"` it\nis not written: `tracebed export` makes it of the log, with the same "
      "bytes.\n";
  for (const CsvTable* table : csv_tables()) page += section_of(*table);
  page +=
      "\n## Figures\n"
      "In `run.json` under `summary`, in `comparison.json` for each run under `run_metrics`; the "
      "column names\nare those of the files above. A spread is an object of `count`, `mean`, "
      "`p50`, "
      "`p95`, `p99` (nearest\nrank) and `max`. Utilisation is a fraction, from 0 to 1, in files, "
      "on the terminal and in the report.\n\n";
  for (const FigureDefinition& figure : figures) {
    page +=
        wrapped(entry(figure.key, figure.unit,
                      std::string(figure.is_spread ? "spread: " : "") + std::string(figure.meaning),
                      figure.formula),
                item_indent);
  }
  return page;
}

}  // namespace tracebed
