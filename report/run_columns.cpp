#include "report/run_columns.h"

#include <algorithm>
#include <array>

#include "core/outcomes.h"
#include "core/preemption.h"
#include "core/task_account.h"
#include "core/workload.h"
#include "report/control_rows.h"
#include "report/run_csv.h"

namespace tracebed {
namespace {

using enum ColumnType;

template <class... Values>
std::vector<std::string_view> names_of(Values... values) {
  return {name(values)...};
}

std::vector<std::string_view> job_kinds() {
  return names_of(JobKind::map_reduce, JobKind::rigid, JobKind::dag, JobKind::service);
}
std::vector<std::string_view> job_outcomes() {
  return names_of(JobOutcome::succeeded, JobOutcome::failed, JobOutcome::rejected,
                  JobOutcome::killed);
}
std::vector<std::string_view> localities() {
  return names_of(Locality::none_asked, Locality::process, Locality::node, Locality::rack,
                  Locality::off_switch);
}
std::vector<std::string_view> container_ends() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < container_end_count; ++i) {
    names.push_back(name(static_cast<ContainerEnd>(i)));
  }
  return names;
}
std::vector<std::string_view> preemption_kinds() {
  return names_of(PreemptionKind::negotiable, PreemptionKind::strict);
}
std::vector<std::string_view> preemption_purposes() {
  return names_of(PreemptionPurpose::balance, PreemptionPurpose::relocate, PreemptionPurpose::move,
                  PreemptionPurpose::drain);
}
std::vector<std::string_view> preemption_ends() {
  return names_of(PreemptionEnd::given_up, PreemptionEnd::checkpointed, PreemptionEnd::substituted,
                  PreemptionEnd::forced, PreemptionEnd::cancelled, PreemptionEnd::lost);
}

std::vector<std::string_view> control_outcomes() {
  return names_of(ControlOutcome::taken, ControlOutcome::refused, ControlOutcome::dropped);
}

constexpr std::string_view not_launched = "launched = 0";
constexpr std::string_view queue_meaning =
    "the full path of the leaf queue that the scheduler put the job into; where it has no queues, "
    "and of a job that it did not accept, the trace's queue";

constexpr CsvColumn job_column{"job", integer, "", "the job's position in the trace, from 0"};
constexpr CsvColumn application_column{
    "application", integer, "", "the job's position among those that were submitted, from 0"};

constexpr std::array jobs_columns{
    job_column,
    application_column,
    CsvColumn{"name", text, "", "its name in the trace"},
    CsvColumn{"user", text, "", "user who submitted it"},
    CsvColumn{"queue", text, "", queue_meaning},
    CsvColumn{"trace_queue", text, "",
              "the queue in the trace; the scheduler may map it to another"},
    CsvColumn{"kind", text, "", "kind of job", "", "", job_kinds},
    CsvColumn{"priority", integer, "", "larger values are more important"},
    CsvColumn{"outcome", text, "", "how it ended", "", "", job_outcomes},
    CsvColumn{"tasks", integer, "", "tasks of the job"},
    CsvColumn{"attempts", integer, "", "launched attempts at its tasks, without masters",
              "of tasks.csv: rows of the job with launched = 1 and is_master = 0"},
    CsvColumn{"attempts_lost", integer, "",
              "of these, the ones that did not succeed, including those that ended after the job",
              "of tasks.csv: of these rows those whose end is not succeeded"},
    CsvColumn{"due_us", integer, "µs", "submit time in the trace, by the run's scale of time"},
    CsvColumn{"submitted_us", integer, "µs", "when it was submitted"},
    CsvColumn{"first_allocated_us", integer, "µs", "first allocation of a container", "", "none"},
    CsvColumn{"finished_us", integer, "µs", "when it ended"},
    CsvColumn{"deadline_us", integer, "µs", "by when it was to have ended", "", "it had none"},
    CsvColumn{"deadline_met", flag, "", "whether it succeeded by then", "", "it had none"},
    CsvColumn{"ideal_us", integer, "µs",
              "completion time on an empty cluster, with all tasks at once and no delay"},
    CsvColumn{"waiting_us", integer, "µs",
              "the part of its completion time that no attempt on its critical chain accounts for",
              "finished_us − submitted_us − launch_us − work_us − contention_us − heartbeat_us − "
              "lost_us"},
    CsvColumn{"launch_us", integer, "µs", "from allocation to the start of the process",
              "Σ of started_us − allocated_us over the chain's attempts that were not held back"},
    CsvColumn{
        "work_us", integer, "µs", "duration of its tasks in the trace",
        "Σ of nominal_us over the chain's attempts that succeeded, and what was kept of others"},
    CsvColumn{
        "contention_us", integer, "µs", "how much longer they took; negative if they were faster",
        "Σ of ended_us − work_begun_us − nominal_us over the chain's attempts that succeeded"},
    CsvColumn{"heartbeat_us", integer, "µs", "until their ends were reported",
              "Σ of reported_us − ended_us over the chain's attempts that succeeded"},
    CsvColumn{
        "lost_us", integer, "µs", "spent on attempts that did not succeed, less what was kept",
        "Σ of reported_us − allocated_us over the chain's other attempts, less what was kept"},
    CsvColumn{"diagnostics", text, "", "why it failed, was rejected or was killed", "",
              "no diagnostics"},
};
constexpr std::array<std::string_view, 1> jobs_key{"job"};

constexpr std::array columns_before_account{
    job_column,
    application_column,
    CsvColumn{"user", text, "", "user who submitted the job"},
    CsvColumn{
        "queue", text, "",
        "the full path of the leaf queue that the job was in when the container was allocated; "
        "where the scheduler has no queues, the trace's queue"},
    CsvColumn{"application_attempt", integer, "",
              "the attempt of the application's master that holds the container, from 1"},
    CsvColumn{"stage", integer, "",
              "the task's stage, from 0; of a MapReduce job 0: maps, 1: reduces; of a master 0", "",
              not_launched},
    CsvColumn{
        "task", integer, "",
        "the task's position in its stage, from 0; of several tasks of a gang in one container "
        "the first; of a master 0",
        "", not_launched},
    CsvColumn{"attempt", integer, "",
              "the attempt at the task, or of the master, from 1; each application_attempt starts "
              "again at 1",
              "", not_launched},
    CsvColumn{"units", integer, "", "tasks in the container; above 1 only of a gang"},
    CsvColumn{"is_master", flag, "", "whether it ran the application's master instead of a task"},
    CsvColumn{"container", integer, "", "id of the container"},
    CsvColumn{"node", text, "", "node of the container"},
    CsvColumn{"locality", text, "", "locality with respect to its input", "", "", localities},
    CsvColumn{"launched", flag, "", "whether a process was started in it"},
    CsvColumn{"end", text, "", "how it ended", "", "", container_ends},
    CsvColumn{"asked_us", integer, "µs", "when the container was requested for its task"},
    CsvColumn{"allocated_us", integer, "µs", "when the container was allocated its resources"},
    CsvColumn{"reported_us", integer, "µs",
              "when it released them: its end was reported to the coordinator"},
    CsvColumn{"started_us", integer, "µs", "when its process was started", "", not_launched},
    CsvColumn{"work_begun_us", integer, "µs",
              "when its work began: later than started_us if it had to wait, like a reduce for the "
              "last map; of a master when it registered, and started_us if it never did",
              "", not_launched},
    CsvColumn{"ended_us", integer, "µs", "when its process ended", "", not_launched},
    CsvColumn{"nominal_us", integer, "µs", "duration of its work in the trace", "", not_launched},
    CsvColumn{"cpu_us", integer, "µs", "CPU time used", "", not_launched},
    CsvColumn{"memory_peak_mib", integer, "MiB", "peak memory use", "", not_launched},
    CsvColumn{"bytes_read", integer, "B", "bytes read", "", not_launched},
    CsvColumn{"bytes_written", integer, "B", "bytes written", "", not_launched},
};
constexpr std::array columns_after_account{
    CsvColumn{"exit_code", integer, "", "exit code of its process", "", not_launched},
    CsvColumn{"signal", integer, "", "signal that ended its process; 0: none", "", not_launched},
    CsvColumn{"devices", text, "",
              "the devices of its node that it had, each as the name of the resource, a colon and "
              "the device's number from 0, with a space between two",
              "", "it had none"},
};
constexpr auto tasks_columns = [] {
  constexpr std::size_t own = columns_before_account.size() + columns_after_account.size();
  std::array<CsvColumn, own + task_account_fields.size()> columns;
  auto next =
      std::copy(columns_before_account.begin(), columns_before_account.end(), columns.begin());
  for (const TaskAccountField& field : task_account_fields) {
    *next++ = {field.name, integer, "B", field.meaning, "", not_launched};
  }
  std::copy(columns_after_account.begin(), columns_after_account.end(), next);
  return columns;
}();
constexpr std::array tasks_resources{
    CsvColumn{"*", integer, "", "resources of the container"},
};
constexpr std::array<std::string_view, 1> tasks_key{"container"};

constexpr std::array samples_columns{
    CsvColumn{"start_us", integer, "µs", "start of the interval"},
    CsvColumn{"end_us", integer, "µs", "end of the interval, which is the start of the next one"},
    CsvColumn{"containers", number, "", "containers, on average over the interval"},
    CsvColumn{"containers_max", integer, "", "maximum number of containers"},
    CsvColumn{"jobs_open", number, "", "jobs submitted and not ended, on average"},
    CsvColumn{"jobs_open_max", integer, "", "maximum number of them"},
    CsvColumn{"jobs_waiting", number, "",
              "of these, jobs that have had no container yet, on average"},
    CsvColumn{"jobs_waiting_max", integer, "", "maximum number of them"},
    CsvColumn{"jobs_ended", integer, "", "jobs that ended in the interval"},
    CsvColumn{"devices_free", number, "", "free devices and parts of devices, on average"},
    CsvColumn{
        "devices_fragmented", number, "",
        "of these, what no typical task could use, on average: the fragmentation measure of "
        "Weng et al. (2023) over the tasks of the jobs submitted so far that ask for devices"},
};
constexpr std::array samples_resources{
    CsvColumn{"allocated_*", number, "", "allocated to containers, on average",
              "the mean over the interval of Σ of tasks.csv, rows with allocated_us ≤ t < "
              "reported_us"},
    CsvColumn{"capacity_*", number, "", "capacity of the nodes in service, on average"},
};
constexpr std::array<std::string_view, 1> samples_key{"start_us"};

constexpr std::array queues_columns{
    CsvColumn{"at_us", integer, "µs", "time of the sample, after all events at that time"},
    CsvColumn{"queue", text, "", "the full path of the leaf queue"},
    CsvColumn{"active", integer, "", "active applications, which can be allocated containers"},
    CsvColumn{"waiting", integer, "", "pending applications, held back by a limit"},
};
constexpr std::array queues_resources{
    CsvColumn{"used_*", integer, "", "allocated to the queue's containers",
              "Σ of tasks.csv, rows of the queue with allocated_us ≤ at_us < reported_us"},
    CsvColumn{"reserved_*", integer, "",
              "reserved for the queue on nodes where its next container does not fit yet, in "
              "addition to used_*; others may still use it"},
    CsvColumn{"entitled_*", integer, "",
              "its entitlement: the guaranteed capacity under Capacity, the steady fair share "
              "under Fair"},
    CsvColumn{"capacity_*", integer, "", "capacity of all nodes in service"},
};
constexpr std::array<std::string_view, 2> queues_key{"at_us", "queue"};

constexpr std::array preemptions_columns{
    CsvColumn{"container", integer, "", "id of the container, as in tasks.csv"},
    job_column,
    application_column,
    CsvColumn{"queue", text, "", "queue of the container, as in tasks.csv"},
    CsvColumn{"node", text, "", "node of the container"},
    CsvColumn{"kind", text, "",
              "strict: this container; negotiable: an amount of resources, for which this "
              "container was suggested",
              "", "", preemption_kinds},
    CsvColumn{"purpose", text, "", "purpose of the preemption", "", "", preemption_purposes},
    CsvColumn{"asked_us", integer, "µs", "when the container was marked for preemption"},
    CsvColumn{"told_us", integer, "µs", "when its master was first notified", "", "it never was"},
    CsvColumn{"deadline_us", integer, "µs", "deadline, at which it is killed", "", "no deadline"},
    CsvColumn{"ended_us", integer, "µs", "when the request ended"},
    CsvColumn{"end", text, "", "how the request ended", "", "", preemption_ends},
};
constexpr std::array preemptions_resources{
    CsvColumn{"*", integer, "", "resources of the container"},
};

constexpr std::array preempted_columns{
    job_column,
    application_column,
    CsvColumn{"asked", integer, "", "containers marked for preemption",
              "rows of preemptions.csv; in_time + forced + cancelled + lost"},
    CsvColumn{"in_time", integer, "", "released before the deadline",
              "rows that ended as given_up, checkpointed or substituted"},
    CsvColumn{"checkpointed", integer, "", "of these, containers whose tasks kept their progress",
              "rows that ended as checkpointed"},
    CsvColumn{"substituted", integer, "",
              "of these, containers for which others were released instead",
              "rows that ended as substituted"},
    CsvColumn{"forced", integer, "", "killed at the deadline", "rows that ended as forced"},
    CsvColumn{"cancelled", integer, "", "no longer needed", "rows that ended as cancelled"},
    CsvColumn{"lost", integer, "", "lost with their node, or ended with their application",
              "rows that ended as lost"},
    CsvColumn{"lost_vcore_seconds", number, "vcore s",
              "lost work of attempts that were killed, preempted or checkpointed",
              "Σ over those of tasks.csv of vcores × (ended − work_begun − what was kept)"},
    CsvColumn{"lost_mib_seconds", number, "MiB s", "the same in memory",
              "likewise with memory_mib"},
    CsvColumn{"saved_vcore_seconds", number, "vcore s", "work of these attempts that was kept",
              "Σ over those of tasks.csv of vcores × what was kept"},
    CsvColumn{"saved_mib_seconds", number, "MiB s", "the same in memory",
              "likewise with memory_mib"},
};
constexpr std::array<std::string_view, 1> preempted_key{"application"};
constexpr CsvTable of_jobs{jobs_csv_file,
                           "One row per job that ended, in the order in which the last of its "
                           "attempts did.",
                           jobs_columns,
                           {},
                           jobs_key};
constexpr CsvTable of_tasks{
    tasks_csv_file,
    "One row per container, in the order in which their ends were reported. "
    "Of rows with launched = 1 job, application_attempt, is_master, stage, "
    "task and attempt together are a key, too.",
    tasks_columns, tasks_resources, tasks_key};
constexpr CsvTable of_samples{
    samples_csv_file,
    "The cluster over time: one row per interval, at most two thousand of "
    "them, of equal length but for the last.",
    samples_columns, samples_resources, samples_key};
constexpr CsvTable of_queues{queues_csv_file,
                             "One row per sample and leaf queue, at most four hundred samples; "
                             "only where the scheduler has queues.",
                             queues_columns, queues_resources, queues_key};
constexpr CsvTable of_preemptions{
    preemptions_csv_file,
    "One row per preemption request, written when the request ended; only where there was one. A "
    "container can be marked for preemption more than once.",
    preemptions_columns,
    preemptions_resources,
    {}};
constexpr CsvTable of_preempted{
    preempted_csv_file,
    "One row per application with a container marked for preemption; only where there was one.",
    preempted_columns,
    {},
    preempted_key};

constexpr std::array control_columns{
    CsvColumn{"decided_us", integer, "µs", "when the controller wanted the change"},
    CsvColumn{"due_us", integer, "µs", "when it was to reach the scheduler"},
    CsvColumn{"queue", text, "", "the full path of the leaf queue"},
    CsvColumn{"parameter", text, "", "as the scheduler's file has it"},
    CsvColumn{"pending", integer, "",
              "applications of the queue whose master had no container, when it decided"},
    CsvColumn{"running", integer, "", "applications of the queue whose master had one"},
    CsvColumn{"memory_total_mib", integer, "MiB", "of all nodes that took containers"},
    CsvColumn{"memory_used_mib", integer, "MiB", "allocated of that"},
    CsvColumn{"queue_used_mib", integer, "MiB", "of that, the queue's"},
    CsvColumn{"masters_mib", integer, "MiB",
              "of the memory in use, that of application masters of all queues"},
    CsvColumn{"before", number, "", "the share in force", "", "there was no limit"},
    CsvColumn{"wanted", number, "", "the share that it wanted"},
    CsvColumn{"outcome", text, "",
              "whether the scheduler took it; dropped if another came first, or the run ended", "",
              "", control_outcomes},
    CsvColumn{"reason", text, "", "why it was refused", "", "it was not"},
};
constexpr CsvTable of_control{
    control_csv_file,
    "One row per change that the scheduler's controller wanted, in the order in which their "
    "outcomes were known; only where there was one.",
    control_columns,
    {},
    {}};

std::string with_resource(std::string_view name, const std::string& resource) {
  std::string result(name);
  return result.replace(result.find('*'), 1, resource);
}

std::string unit_of(std::size_t dimension) {
  if (dimension == Resources::vcores_dimension) return "1/1000 vcore";
  if (dimension == Resources::memory_dimension) return "MiB";
  return "as in the experiment";
}

}  // namespace

const CsvTable& jobs_table() {
  return of_jobs;
}
const CsvTable& tasks_table() {
  return of_tasks;
}
const CsvTable& samples_table() {
  return of_samples;
}
const CsvTable& queues_table() {
  return of_queues;
}
const CsvTable& preemptions_table() {
  return of_preemptions;
}
const CsvTable& preempted_table() {
  return of_preempted;
}
const CsvTable& control_table() {
  return of_control;
}

std::array<const CsvTable*, 7> csv_tables() {
  return {&of_jobs,        &of_tasks,     &of_samples, &of_queues,
          &of_preemptions, &of_preempted, &of_control};
}

std::vector<NamedColumn> columns_of(const CsvTable& table, const ResourceDimensions& dimensions) {
  std::vector<NamedColumn> columns;
  for (const CsvColumn& column : table.columns) {
    columns.push_back({std::string(column.name), std::string(column.unit), &column});
  }
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    for (const CsvColumn& column : table.resource_columns) {
      columns.push_back(
          {with_resource(column.name, column_name(dimensions, d)), unit_of(d), &column});
    }
  }
  return columns;
}

std::string csv_header(const CsvTable& table, const ResourceDimensions& dimensions) {
  std::string header;
  for (const NamedColumn& column : columns_of(table, dimensions)) {
    if (!header.empty()) header += ',';
    header += column.name;
  }
  return header;
}

}  // namespace tracebed
