#include "traces/parts/format_fields.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/unknown_constant.h"

namespace tracebed {
namespace {

using enum FieldUse;

constexpr TraceField swf_fields[] = {
    {"job number", obeyed, "the name of the job"},
    {"submit time", obeyed, "when the job is submitted"},
    {"wait time", compared, "a replay has waiting of its own"},
    {"run time", obeyed, "how long the job runs (swf.zero_run_time, swf.unknown_run_time)"},
    {"allocated processors", approximated,
     "where the requested ones are unknown, or by swf.processors"},
    {"average CPU time", approximated, "swf.cpu_time; never above the run time"},
    {"used memory", obeyed, "the memory that is touched, up to the demand"},
    {"requested processors", obeyed, "the number of tasks of the gang (swf.processors)"},
    {"requested time", obeyed, "the limit of the run time (swf.over_limit)"},
    {"requested memory", obeyed, "the demand of memory (swf.memory, swf.memory_unit)"},
    {"status", approximated, "swf.cancelled and swf.partial; a failed job runs as others do"},
    {"user", obeyed, "the user (swf.user)"},
    {"group", approximated, "by swf.user or swf.queue"},
    {"executable", ignored, "jobs of one executable are jobs like others"},
    {"queue", obeyed, "the queue (swf.queue)"},
    {"partition", approximated, "by swf.queue"},
    {"preceding job", obeyed,
     "the job is submitted when that one, or all of a list, has ended (swf.preceding)"},
    {"think time", obeyed, "and so long after it"},
};

constexpr TraceField swim_fields[] = {
    {"job id", obeyed, "the name of the job"},
    {"submit time", obeyed, "when the job is submitted"},
    {"gap", compared, "with the submit times"},
    {"map input bytes", approximated, "bytes are read; tasks and their durations by swim.*"},
    {"shuffle bytes", approximated, "bytes are fetched; reduces and their durations by swim.*"},
    {"output bytes", approximated, "bytes are written; durations by swim.*"},
    {"input path", obeyed, "the file that maps read"},
    {"output path", ignored, "output is written to files of the run"},
};

constexpr TraceField hawk_fields[] = {
    {"submit time", obeyed, "when the job is submitted"},
    {"tasks", obeyed, "the number of tasks, which must be that of the durations"},
    {"mean duration", ignored, "the durations of the tasks say it"},
    {"duration of a task", obeyed, "how long the task runs"},
};

constexpr TraceField google2011_fields[] = {
    {"time", obeyed, "submissions, and attempts by schedule and end"},
    {"missing info", ignored, "what is missing is seen by what follows"},
    {"job", obeyed, "the name of the job"},
    {"task index", obeyed, "which task of the job"},
    {"machine", ignored, "the scheduler of the replay chooses"},
    {"event", approximated, "google.attempts, google.running, google.initial"},
    {"user", obeyed, "the user"},
    {"scheduling class", ignored, "no scheduler has classes"},
    {"priority", obeyed, "the priority; google.service_priority, google.queue"},
    {"CPU request", obeyed, "the demand of vcores, as a share of google.machine_vcores"},
    {"memory request", obeyed, "the demand of memory, as a share of google.machine_memory_mib"},
    {"disk request", ignored, "disk space is no resource of a run"},
    {"different machines", ignored, "tasks of a job may share a machine"},
    {"job_events.time", obeyed, "when a job ended of which a task still ran"},
    {"job_events.job", obeyed, "which job"},
    {"job_events.event", obeyed, "whether it ended"},
    {"job_events.missing info", ignored, "as in task_events"},
    {"job_events.user", ignored, "task_events has it"},
    {"job_events.scheduling class", ignored, "as in task_events"},
    {"job_events.job name", ignored, "the job has its number as name"},
    {"job_events.logical name", ignored, "likewise"},
};

constexpr TraceField alibaba2017_fields[] = {
    {"task_create_time", obeyed, "the submission of the job, its least"},
    {"task_end_time", obeyed, "with the creation, how long the task takes; alibaba.unfinished"},
    {"job_id", obeyed, "the name of the job"},
    {"task_id", approximated, "which instances of batch_instance are the task's"},
    {"instances", obeyed, "the number of tasks of the stage (alibaba.instances_max)"},
    {"status", approximated, "alibaba.unfinished; a failed task runs as others do"},
    {"cpu", obeyed, "the demand of vcores"},
    {"memory", obeyed, "the demand of memory, as a share of alibaba.machine_memory_mib"},
    {"batch_instance.start_timestamp", obeyed, "when the instance began"},
    {"batch_instance.end_timestamp", obeyed, "when it ended"},
    {"batch_instance.job_id", obeyed, "which job"},
    {"batch_instance.task_id", obeyed, "which task"},
    {"batch_instance.machineID", ignored, "the scheduler of the replay chooses"},
    {"batch_instance.status", obeyed, "runs that did not end as Terminated are left out"},
    {"batch_instance.seq_no", ignored, "repeated runs that did not end as Terminated are left out"},
    {"batch_instance.total_seq_no", ignored, "likewise"},
    {"batch_instance.real_cpu_max", ignored, "CPU time is used at the average"},
    {"batch_instance.real_cpu_avg", obeyed, "the CPU time used, up to the demand"},
    {"batch_instance.real_mem_max", obeyed, "the memory touched, up to the demand"},
    {"batch_instance.real_mem_avg", ignored, "memory is touched to its peak"},
};

constexpr TraceField alibaba2018_fields[] = {
    {"task_name", obeyed, "which tasks the task needs (alibaba.cut_names)"},
    {"instance_num", obeyed, "the number of tasks of the stage (alibaba.instances_max)"},
    {"job_name", obeyed, "the name of the job"},
    {"task_type", ignored, "tasks of all types are alike"},
    {"status", approximated, "alibaba.unfinished; a failed task runs as others do"},
    {"start_time", approximated,
     "the submission of the job, its least; of a task alibaba.work_start"},
    {"end_time", obeyed, "when the task ended: how long it takes, and from when on others work"},
    {"plan_cpu", obeyed, "the demand of vcores"},
    {"plan_mem", obeyed, "the demand of memory, in hundredths of alibaba.machine_memory_mib"},
    {"batch_instance.instance_name", ignored, "rows that ended as Terminated are instances"},
    {"batch_instance.task_name", obeyed, "which task"},
    {"batch_instance.job_name", obeyed, "which job"},
    {"batch_instance.task_type", ignored, "as in batch_task"},
    {"batch_instance.status", obeyed, "runs that did not end as Terminated are left out"},
    {"batch_instance.start_time", obeyed, "when the instance began (alibaba.work_start)"},
    {"batch_instance.end_time", obeyed, "when it ended"},
    {"batch_instance.machine_id", ignored, "the scheduler of the replay chooses"},
    {"batch_instance.seq_no", ignored, "repeated runs that did not end as Terminated are left out"},
    {"batch_instance.total_seq_no", ignored, "likewise"},
    {"batch_instance.cpu_avg", obeyed, "the CPU time used, up to the demand"},
    {"batch_instance.cpu_max", ignored, "CPU time is used at the average"},
    {"batch_instance.mem_avg", ignored, "memory is touched to its peak"},
    {"batch_instance.mem_max", obeyed, "the memory touched, up to the demand"},
};

constexpr TraceField alibaba_gpu_fields[] = {
    {"name", obeyed, "the name of the job"},
    {"cpu_milli", obeyed, "the demand of vcores"},
    {"memory_mib", obeyed, "the demand of memory"},
    {"num_gpu", obeyed, "the demand of GPUs, where the run has a dimension gpu_milli"},
    {"gpu_milli", obeyed, "likewise"},
    {"gpu_spec", approximated, "pods.gpu_models"},
    {"qos", obeyed, "the priority; pods.services"},
    {"pod_phase", ignored, "pods of all phases run for their time"},
    {"creation_time", obeyed, "when the pod is submitted"},
    {"deletion_time", obeyed, "when it ended"},
    {"scheduled_time", obeyed, "when it began (pods.pending)"},
};

constexpr TraceField philly_fields[] = {
    {"timestamp", obeyed, "when the job is submitted"},
    {"duration", obeyed, "how long the job runs"},
    {"num_gpus", obeyed,
     "the number of tasks of the gang, a GPU for each where the run has a dimension gpu_milli"},
    {"gpu_time", ignored, "the duration times the GPUs"},
    {"cluster", obeyed, "the queue"},
};

constexpr TraceField mix_fields[] = {
    {"job", obeyed, "the name of the job"},
    {"submit_seconds", obeyed, "when the job is submitted"},
    {"kind", approximated, "kind.*: the costs of the kind"},
    {"input_bytes", obeyed, "the bytes that maps read"},
    {"maps", obeyed, "the number of maps; mix.block_mib where it is empty"},
    {"reduces", obeyed, "the number of reduces"},
    {"vcores", obeyed, "the demand of vcores (mix.demand); task.vcores where it is empty"},
    {"memory_mib", obeyed, "the demand of memory (mix.demand); task.memory_mib where it is empty"},
    {"user", obeyed, "the user"},
    {"queue", obeyed, "the queue"},
    {"input_path", obeyed, "the file that maps read"},
    {"deadline_seconds", obeyed,
     "by when the job is to have ended; trace.deadline_factor where it is empty"},
};

constexpr TraceField rumen_fields[] = {
    {"jobID", obeyed, "the name of the job"},
    {"user", obeyed, "the user"},
    {"queue", obeyed, "the queue"},
    {"priority", obeyed, "the priority"},
    {"submitTime", obeyed, "when the job is submitted"},
    {"launchTime", approximated, "where submitTime is missing"},
    {"jobMapMB", obeyed, "the demand of memory of maps; task.memory_mib"},
    {"jobReduceMB", obeyed, "the demand of memory of reduces; task.memory_mib"},
    {"jobProperties", approximated,
     "mapreduce.map.cpu.vcores and mapreduce.reduce.cpu.vcores are obeyed"},
    {"mapTasks", obeyed, "the maps"},
    {"reduceTasks", obeyed, "the reduces"},
    {"otherTasks", compared, "set-up and clean-up are not replayed"},
    {"inputBytes", obeyed, "the bytes that a map reads"},
    {"preferredLocations", obeyed, "where its input is"},
    {"layers", obeyed, "the rack and the host of a place"},
    {"attempts", approximated, "the last that succeeded, or else the last that ran"},
    {"result", approximated, "likewise"},
    {"startTime", obeyed, "when an attempt began (rumen.reduce_start)"},
    {"finishTime", obeyed, "when it ended"},
    {"hostName", compared, "the scheduler of the replay chooses; compared with the places"},
    {"hdfsBytesRead", approximated, "the bytes that a map reads, where inputBytes is missing"},
    {"hdfsBytesWritten", obeyed, "the bytes that a task writes"},
    {"reduceShuffleBytes", obeyed, "the bytes that a reduce fetches"},
    {"resourceUsageMetrics", obeyed, "CPU time and memory, up to the demand"},
    {"any other key", ignored, "counted by its name"},
};

constexpr TraceField sls_fields[] = {
    {"job.start.ms", obeyed, "when the job is submitted"},
    {"job.end.ms", compared, "a recorded span where tasks have none"},
    {"job.queue.name", obeyed, "the queue"},
    {"job.user", obeyed, "the user"},
    {"job.id", obeyed, "the name of the job"},
    {"job.count", obeyed, "so many jobs"},
    {"job.label.expression", obeyed, "the node label to which its tasks are confined"},
    {"am.type", obeyed, "mapreduce, dag or stream"},
    {"am.<resource>", ignored, "the resources of masters are the experiment's ([masters])"},
    {"job.tasks", obeyed, "its tasks"},
    {"container.type", obeyed, "map or reduce"},
    {"container.host", obeyed, "the machine that a map asks for"},
    {"count", obeyed, "so many tasks"},
    {"container.request.delay", obeyed, "when a task of a DAG is asked for"},
    {"container.vcores", obeyed, "the demand of vcores; task.vcores"},
    {"container.memory-mb", obeyed, "the demand of memory; task.memory_mib"},
    {"container.<resource>", obeyed,
     "the demand of a dimension of that name; ignored where the run has none"},
    {"container.duration.ms", obeyed, "how long the task runs"},
    {"duration.ms", obeyed, "likewise"},
    {"container.start.ms", approximated,
     "with container.end.ms how long it runs; sls.reduce_start"},
    {"container.end.ms", approximated, "likewise"},
    {"container.priority", ignored, "maps are asked for before reduces"},
    {"any other key", ignored, "counted by its name"},
};

constexpr TraceField synth_fields[] = {
    {"num_jobs", obeyed, "the number of jobs drawn"},
    {"rand_seed", obeyed, "the seed of the draws"},
    {"workload_weight", approximated, "jobs are drawn by it, as are all others but queue and user"},
    {"queue_name", obeyed, "the queue"},
    {"class_weight", approximated, "drawn by it"},
    {"user_name", obeyed, "the user"},
    {"type", obeyed, "mapreduce or stream; of a task map or reduce"},
    {"tasks", approximated, "drawn: count, time, max_memory, max_vcores"},
    {"mtasks_avg", approximated,
     "the older style, with rtasks, mtime, rtime, map_ and reduce_max_memory and _max_vcores, each "
     "_avg and _stddev"},
    {"time_distribution", approximated, "drawn: submit times by time and weight"},
    {"deadline_factor_avg", approximated,
     "drawn: deadlines, by dur_avg; in the newer style deadline_factor and duration"},
    {"chance_of_reservation", approximated,
     "drawn: the jobs that have a deadline; in the newer style reservation. Reservations are not "
     "replayed"},
    {"any other key", ignored, "counted by its name"},
};

constexpr TraceField wfcommons_fields[] = {
    {"name", obeyed, "the name of the job; up to 1.4 also of tasks and files"},
    {"schemaVersion", ignored, "the layout says which it is"},
    {"makespanInSeconds", compared, "a recorded span"},
    {"id", obeyed, "what names a task or a file"},
    {"parents", obeyed, "the tasks that a task needs"},
    {"children", obeyed, "likewise; the two lists must agree where both are there"},
    {"inputFiles", obeyed, "the bytes that a task reads"},
    {"outputFiles", obeyed, "the bytes that it writes"},
    {"sizeInBytes", obeyed, "the size of a file; up to 1.3 size (wfcommons.size_unit)"},
    {"runtimeInSeconds", obeyed, "how long the task runs; up to 1.3 runtime"},
    {"coreCount", obeyed, "the demand of vcores; up to 1.4 cores; task.vcores"},
    {"avgCPU", obeyed, "the CPU time, up to the demand"},
    {"memoryInBytes", obeyed, "the demand of memory and what is touched; up to 1.3 memory, in KB"},
    {"machines", ignored, "the cluster is the experiment's"},
    {"command", ignored, "tasks do work of that length"},
    {"any other key", ignored, "counted by its name"},
};

struct FormatFields {
  std::string_view format;
  std::span<const TraceField> fields;
};

constexpr FormatFields all_fields[] = {
    {"swf", swf_fields},
    {"swim", swim_fields},
    {"hawk", hawk_fields},
    {"google2011", google2011_fields},
    {"alibaba2017", alibaba2017_fields},
    {"alibaba2018", alibaba2018_fields},
    {"alibaba_gpu", alibaba_gpu_fields},
    {"philly", philly_fields},
    {"mix", mix_fields},
    {"rumen", rumen_fields},
    {"sls", sls_fields},
    {"synth", synth_fields},
    {"wfcommons", wfcommons_fields},
};

}  // namespace

std::string_view name(FieldUse use) {
  switch (use) {
    case obeyed:
      return "obeyed";
    case approximated:
      return "approximated";
    case compared:
      return "compared";
    case ignored:
      return "ignored";
  }
  unknown_constant();
}

std::span<const TraceField> fields_of(std::string_view format) {
  const auto* const found =
      std::find_if(std::begin(all_fields), std::end(all_fields),
                   [&](const FormatFields& each) { return each.format == format; });
  return found == std::end(all_fields) ? std::span<const TraceField>() : found->fields;
}

}  // namespace tracebed
