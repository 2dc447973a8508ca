// The rules for mixes of jobs, and the cost table (traces/parts/job_kinds.h).
#include <algorithm>
#include <iterator>

#include "traces/parts/job_kinds.h"
#include "traces/parts/rule_table.h"

namespace tracebed {
namespace {

// They follow what is said of these jobs by those who used them, and no measurement.
constexpr const char* estimate = "estimated: grep and wordcount compute, sorts wait for their disk";
constexpr const char* measured = "measured of Tracebed's kernel, relative to wordcount";

std::vector<TraceRule> mix_rules() {
  const auto part = &TraceRules::mix;
  return {
      whole_rule({"mix.block_mib", "input per map of a job for which the mix gives no maps",
                  "dfs.blocksize of Hadoop 2 and 3"},
                 part, &MixRules::block_mib, 1, 1 << 20),
      seconds_rule({"mix.startup", "CPU time that the start of a task's JVM takes",
                    "a choice: it depends on the machine"},
                   part, &MixRules::startup),
      choice_rule({"mix.cpu_limit",
                   "what each thread of a task computes on: at most its vcores, or a "
                   "whole core, if one is idle, whatever the vcores. Containers of real machines "
                   "are limited to their vcores in any case",
                   "core: YARN without cgroups, or with them and strict-resource-usage=false"},
                  part, &MixRules::cpu_limit, {"vcores", "core"}),
      choice_rule(
          {"mix.threads",
           "threads of a task: one, or as many as its whole vcores, each of which takes the "
           "CPU time of the table",
           "one: a map or reduce of Hadoop computes on one"},
          part, &MixRules::threads, {"one", "vcores"}),
      choice_rule({"mix.demand",
                   "what tasks ask for: the vcores and memory that the mix states, or none, as "
                   "under Hadoop 1's slots. They use as much in both cases",
                   "stated: as under YARN"},
                  part, &MixRules::demand, {"stated", "none"}),
      choice_rule({"mix.input",
                   "what jobs read for which the mix names no path: bytes, or the input of the "
                   "kernel of their kind, which their tasks then run (core/kernel_work.h)",
                   "bytes: nothing is computed of them"},
                  part, &MixRules::input, {"bytes", "kernels"}),
  };
}

std::vector<TraceRule> rules_of_kind(const JobKindRow& kind) {
  constexpr double most = 1e6;
  const bool is_iterating = JobCosts(TraceRules().*kind.costs).iterations > 1;
  const char* const source = is_iterating ? measured : estimate;
  const auto number = [&](const char* figure, const char* meaning, double JobCosts::*field) {
    return number_rule({"kind." + std::string(kind.name) + "." + figure, meaning, source},
                       kind.costs, field, 0, most);
  };
  return {
      number("map_cpu", "CPU seconds of a map per 10^6 bytes of input", &JobCosts::map_cpu),
      number("map_wait",
             "seconds a map waits for its disk per 10^6 bytes of input, spills included",
             &JobCosts::map_wait),
      number("map_output", "bytes that maps keep for reduces per byte of input",
             &JobCosts::map_output),
      number("reduce_base", "CPU seconds of a reduce, whatever it fetches", &JobCosts::reduce_base),
      number("reduce_cpu", "CPU seconds of a reduce per 10^6 bytes fetched", &JobCosts::reduce_cpu),
      number("reduce_wait", "seconds a reduce waits for its disk per 10^6 bytes fetched",
             &JobCosts::reduce_wait),
      number("output", "bytes that reduces write per byte fetched", &JobCosts::output),
      whole_rule({"kind." + std::string(kind.name) + "." + "iterations",
                  "how often maps and reduces of a job run, one after the other, on the same input",
                  "HiBench: 5 of kmeans (hibench.kmeans.max_iteration), 3 of pagerank "
                  "(hibench.pagerank.num_iterations)"},
                 kind.costs, &JobCosts::iterations, 1, 1'000),
  };
}

}  // namespace

std::vector<TraceRule> kind_rules() {
  std::vector<TraceRule> rules = mix_rules();
  for (const JobKindRow& kind : job_kinds()) {
    std::vector<TraceRule> costs = rules_of_kind(kind);
    std::move(costs.begin(), costs.end(), std::back_inserter(rules));
  }
  return rules;
}

}  // namespace tracebed
