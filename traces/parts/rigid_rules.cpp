// The rules for SWF. "SWF 2.2" is the archive's definition of the format (Chapin et al., Benchmarks
// and Standards for the Evaluation of Parallel Job Schedulers, JSSPP 1999, and its later versions).
#include "traces/parts/rule_table.h"

namespace tracebed {
namespace {

std::vector<TraceRule> processor_rules() {
  const auto part = &TraceRules::rigid;
  using Rules = RigidRules;
  return {
      choice_rule(
          {"swf.more_columns",
           "a row of more than the format's 18 columns: a bad row, or one whose first 18 are "
           "read",
           "SWF 2.2 has 18; some logs were written with columns of their own behind them"},
          part, &Rules::more_columns, {"refused", "ignored"}),
      choice_rule(
          {"swf.processors", "the column that counts; where it is unknown, the other one is taken",
           "SWF 2.2: what was asked for is what a scheduler decides on"},
          part, &Rules::processors, {"requested", "allocated"}),
      choice_rule(
          {"swf.no_processors", "a job with both columns unknown: one processor, or left out",
           "the smallest that it can have been (KTH-SP2 has one such job)"},
          part, &Rules::no_processors, {"one", "drop"}),
      vcores_rule({"swf.processor_vcores", "vcores of one processor", "a processor is a core"},
                  part, &Rules::processor_millicores),
  };
}

std::vector<TraceRule> time_rules() {
  const auto part = &TraceRules::rigid;
  using Rules = RigidRules;
  return {
      choice_rule({"swf.zero_run_time", "a job that ran 0 s: one second, or left out",
                   "it ran, for less than the log's resolution"},
                  part, &Rules::zero_run_time, {"one_second", "drop"}),
      choice_rule({"swf.unknown_run_time",
                   "a job without a run time: left out, one second, or the time it requested",
                   "mostly cancelled before it started, so it used nothing"},
                  part, &Rules::unknown_run_time, {"drop", "one_second", "requested"}),
      choice_rule({"swf.preceding",
                   "a job that names preceding jobs (column 17) is submitted when they have ended "
                   "and its think time (column 18) has passed, or at its submit time",
                   "SWF 2.2; a user who waited for results waits for them in a replay, too"},
                  part, &Rules::preceding, {"obey", "ignore"}),
      choice_rule({"swf.cancelled",
                   "cancelled jobs (status 5): those that ran (a run time above 0, or processors "
                   "that were allocated), none, or all",
                   "SWF 2.2; one that was cancelled while it waited used nothing, and one that ran "
                   "held its processors"},
                  part, &Rules::cancelled, {"ran", "drop", "keep"}),
      choice_rule({"swf.partial",
                   "partial executions of a job (status 2, 3 and 4): left out, or jobs like others",
                   "SWF 2.2: their job has a row of its own as well, of status 0 or 1, so that it "
                   "would count twice"},
                  part, &Rules::partial, {"drop", "keep"}),
      choice_rule({"swf.over_limit",
                   "a run time above the requested one stays, or is cut as if killed at the limit",
                   "the logs show that such jobs were let run (RICC 7,092, KTH-SP2 475)"},
                  part, &Rules::over_limit, {"keep", "cut"}),
      number_rule(
          {"swf.limit_factor", "where no time was requested, the limit is the run time times this",
           "a perfect estimate, as is usual for models such as Lublin's"},
          part, &Rules::limit_factor, 1, 1000),
      choice_rule({"swf.cpu_time",
                   "CPU time of a processor: column 6 where known (never above the run time), or "
                   "the run time",
                   "SWF 2.2"},
                  part, &Rules::cpu_time, {"column", "run_time"}),
  };
}

std::vector<TraceRule> memory_and_people_rules() {
  const auto part = &TraceRules::rigid;
  using Rules = RigidRules;
  return {
      choice_rule({"swf.memory",
                   "the column of the demand; where it is unknown the other one, then "
                   "swf.processor_memory_mib",
                   "SWF 2.2; rounded up to MiB"},
                  part, &Rules::memory, {"requested", "used"}),
      choice_rule({"swf.memory_unit",
                   "both columns of memory: KB for each processor, bytes for each processor, or "
                   "bytes for the whole job",
                   "SWF 2.2; logs of MetaCentrum have bytes for the job"},
                  part, &Rules::memory_unit, {"kb", "bytes", "job_bytes"}),
      whole_rule({"swf.processor_memory_mib", "demand of a processor where no column has one",
                  "yarn.scheduler.minimum-allocation-mb"},
                 part, &Rules::processor_memory_mib, 1, 1 << 24),
      number_rule({"swf.memory_share",
                   "memory touched as a share of the demand where the used column is unknown",
                   "as swim.memory_share"},
                  part, &Rules::memory_share, 0, 1),
      choice_rule({"swf.user", "the column that names the user; one: all jobs are of user0",
                   "SWF 2.2; -1 is the user 'unknown'"},
                  part, &Rules::user, {"user", "group", "one"}),
      choice_rule({"swf.queue", "the column that names the queue; one: all jobs go to 'default'",
                   "SWF 2.2; -1 is the queue 'default'"},
                  part, &Rules::queue, {"queue", "partition", "group", "user", "one"}),
  };
}

}  // namespace

std::vector<TraceRule> rigid_rules() {
  std::vector<TraceRule> rules;
  for (auto group : {processor_rules(), time_rules(), memory_and_people_rules()}) {
    std::move(group.begin(), group.end(), std::back_inserter(rules));
  }
  return rules;
}

}  // namespace tracebed
