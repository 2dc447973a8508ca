// The rules for the traces that clusters recorded of themselves: Google's, Alibaba's, Microsoft's
// and Hadoop's own. What their documents say, and what was seen in the files, is named as the
// source of each.
#include "traces/parts/rule_table.h"

namespace tracebed {
namespace {

constexpr std::int64_t memory_max = 1 << 26;

std::vector<TraceRule> task_rules() {
  const auto part = &TraceRules::task;
  using Rules = TaskRules;
  return {
      vcores_rule({"task.vcores", "demand of a task for which the trace has none",
                   "yarn.scheduler.minimum-allocation-vcores"},
                  part, &Rules::millicores),
      whole_rule({"task.memory_mib", "demand of a task for which the trace has none",
                  "yarn.scheduler.minimum-allocation-mb"},
                 part, &Rules::memory_mib, 1, memory_max),
      number_rule({"task.cpu_share",
                   "CPU time of a task as a share of its duration times its vcores, where the "
                   "trace does not record its use",
                   "as swim.cpu_share"},
                  part, &Rules::cpu_share, 0, 1),
      number_rule(
          {"task.memory_share",
           "memory a task touches as a share of its demand, where the trace does not record it",
           "as swim.memory_share"},
          part, &Rules::memory_share, 0, 1),
  };
}

std::vector<TraceRule> google_rules() {
  const auto part = &TraceRules::google;
  using Rules = GoogleRules;
  return {
      vcores_rule({"google.machine_vcores",
                   "vcores of the largest machine, in which requests are "
                   "given",
                   "a choice: the trace has no absolute units"},
                  part, &Rules::machine_millicores),
      whole_rule({"google.machine_memory_mib", "memory of the largest machine, likewise",
                  "a choice: the trace has no absolute units"},
                 part, &Rules::machine_memory_mib, 1, memory_max),
      choice_rule({"google.initial",
                   "jobs that were there before the trace began (time 0): left out, or submitted "
                   "when it begins",
                   "they are load, not arrivals, and when they started is not known"},
                  part, &Rules::initial, {"drop", "keep"}),
      choice_rule({"google.attempts",
                   "a task that was evicted, failed or was killed and came again lasts as long as "
                   "its last attempt, or as all of them together",
                   "what an evicted attempt had done is lost, and a replay evicts for itself"},
                  part, &Rules::attempts, {"last", "sum"}),
      choice_rule({"google.running",
                   "a task still running when the events end lasts until then (or its job's end, "
                   "where job_events has it), or is left out",
                   "it ran at least that long"},
                  part, &Rules::running, {"censored", "drop"}),
      whole_rule(
          {"google.service_priority", "jobs of this priority or higher are services; 12: none is",
           "ClusterData2011_2: 9 to 11 are production"},
          part, &Rules::service_priority, 0, 12),
      choice_rule(
          {"google.queue",
           "one: all jobs go to 'default'; band: to 'free' (priority 0 and 1), 'normal' (to "
           "8), 'monitoring' (10) or 'production'",
           "the trace has no queues"},
          part, &Rules::queue, {"one", "band"}),
  };
}

std::vector<TraceRule> alibaba_rules() {
  const auto part = &TraceRules::alibaba;
  using Rules = AlibabaRules;
  return {
      whole_rule({"alibaba.machine_memory_mib",
                  "memory of the largest machine, of which requests are shares (2017) or "
                  "hundredths (2018)",
                  "a choice: its size was not published"},
                 part, &Rules::machine_memory_mib, 1, memory_max),
      choice_rule({"alibaba.zero_run_time", "a task that ran 0 s: one second, or left out",
                   "it ran, for less than the trace's resolution"},
                  part, &Rules::zero_run_time, {"one_second", "drop"}),
      choice_rule({"alibaba.unfinished",
                   "a task that is Ready, Waiting or Running, without an end, with one before its "
                   "start, or of no known number of instances: left out, or of instances of one "
                   "second",
                   "it waited or ran when the trace ended, so it is not known how long it took; "
                   "what stands as its end is when its row was last modified"},
                  part, &Rules::unfinished, {"drop", "one_second"}),
      choice_rule({"alibaba.no_demand",
                   "a task without a request of vcores or memory: left out, or task.vcores and "
                   "task.memory_mib",
                   "nearly all of them waited when the trace ended"},
                  part, &Rules::no_demand, {"drop", "standard"}),
      choice_rule({"alibaba.work_start",
                   "a task's work is counted from the latest recorded end of those it needs, if "
                   "that was later than its start_time, or from its start_time",
                   "start_time is its registration, and most register with those they need; until "
                   "these end it waits, which a replay reproduces by itself"},
                  part, &Rules::work_start, {"parents_end", "registered"}),
      choice_rule({"alibaba.instance_time",
                   "where batch_instance does not have a task's instances: one of them lasts as "
                   "long as the task, and the others as was measured by their number (0.73 of it "
                   "on average of up to 5 instances, 0.68 up to 20, 0.59 up to 100, 0.46 up to "
                   "1000, 0.26 above), or all as long as the task",
                   "77,179 tasks of 2018 whose mean instance duration is published; with whole "
                   "windows the load is several times too large"},
                  part, &Rules::instance_time, {"measured", "window"}),
      choice_rule({"alibaba.cut_names",
                   "a job of 2018 with a task whose name says what it needs in 50 characters: left "
                   "out, or its last need is taken for unknown",
                   "names are cut at 50 characters (alibaba/clusterdata, issue 136), so that the "
                   "last number may be of another task"},
                  part, &Rules::cut_names, {"drop", "known_needs"}),
      whole_rule({"alibaba.instances_max", "maximum number of instances replayed per task",
                  "more than any published task has (97,890), so none is left out"},
                 part, &Rules::instances_max, 1, 1'000'000),
  };
}

std::vector<TraceRule> pod_rules() {
  const auto part = &TraceRules::pods;
  using Rules = PodRules;
  return {
      choice_rule({"pods.pending",
                   "a pod that was never scheduled: left out, or one that lasts from its creation "
                   "to its deletion",
                   "it used nothing"},
                  part, &Rules::pending, {"drop", "life"}),
      choice_rule({"pods.services", "pods of quality LS are services, or no pod is",
                   "LS stands for latency-sensitive"},
                  part, &Rules::services, {"ls", "none"}),
      choice_rule(
          {"pods.gpu_models",
           "GPU models are labels of machines, to which pods that name models are confined; or "
           "they are ignored",
           "labels are partitions to YARN's schedulers, so they change what others may use"},
          part, &Rules::models, {"ignored", "labels"}),
  };
}

std::vector<TraceRule> philly_rules() {
  const auto part = &TraceRules::philly;
  using Rules = PhillyRules;
  return {
      vcores_rule({"philly.gpu_vcores", "vcores asked for with every GPU",
                   "a choice: the list has GPUs only"},
                  part, &Rules::gpu_millicores),
      whole_rule({"philly.gpu_memory_mib", "memory asked for with every GPU",
                  "a choice: the list has GPUs only"},
                 part, &Rules::gpu_memory_mib, 1, memory_max),
  };
}

std::vector<TraceRule> rumen_rules() {
  const auto part = &TraceRules::rumen;
  using Rules = RumenRules;
  return {
      choice_rule({"rumen.no_attempt",
                   "a task without an attempt of known duration lasts as long as the job's others "
                   "of its kind on average, or is left out",
                   "155 tasks of Mumak's 19 jobs have none; they were part of the load"},
                  part, &Rules::no_attempt, {"mean", "drop"}),
      choice_rule({"rumen.reduce_start",
                   "a reduce's work is counted from the end of the job's last map, if that was "
                   "later than its start, or from its start",
                   "until then it waits for maps, which a replay reproduces by itself"},
                  part, &Rules::reduce_start, {"last_map", "attempt"}),
  };
}

std::vector<TraceRule> sls_rules() {
  return {
      choice_rule({"sls.reduce_start",
                   "a reduce's work is counted from the end of the job's last map, if that was "
                   "later than its container.start.ms, or from that; a duration that the file "
                   "states is taken as it is",
                   "as rumen.reduce_start: RumenToSLSConverter writes the attempts' own times"},
                  &TraceRules::sls, &SlsRules::reduce_start, {"last_map", "attempt"}),
  };
}

std::vector<TraceRule> workflow_rules() {
  return {
      choice_rule({"wfcommons.size_unit",
                   "sizes of files up to schema 1.3, which has no unit in their name: KB of 1024 "
                   "bytes, or bytes",
                   "WfFormat 1.0 to 1.3 say KB; from 1.4 on sizes are in bytes by their name"},
                  &TraceRules::workflows, &WorkflowRules::size_unit, {"kb", "bytes"}),
  };
}

}  // namespace

std::vector<TraceRule> production_rules() {
  std::vector<TraceRule> rules;
  for (auto group : {task_rules(), google_rules(), alibaba_rules(), pod_rules(), philly_rules(),
                     rumen_rules(), sls_rules(), workflow_rules()}) {
    std::move(group.begin(), group.end(), std::back_inserter(rules));
  }
  return rules;
}

}  // namespace tracebed
