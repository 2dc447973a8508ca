// The rules for SWIM. "Chen 2011" is Chen, Ganapathi, Griffith and Katz, The Case for Evaluating
// MapReduce Performance Using Workload Suites, MASCOTS 2011, the table of Facebook job classes
// (also in traces/generate_map_reduce.cpp). The rates are what its classes did: bytes over task
// seconds of the class that spends nearly all its time on that one thing.
#include <algorithm>

#include "traces/parts/rule_table.h"

namespace tracebed {
namespace {

std::vector<TraceRule> task_rules() {
  const auto part = &TraceRules::map_reduce;
  using Rules = MapReduceRules;
  return {
      whole_rule({"swim.block_mib", "input is split into maps of one block; the last is shorter",
                  "dfs.blocksize of Hadoop 2 and 3"},
                 part, &Rules::block_mib, 1, 1 << 20),
      choice_rule({"swim.no_input", "a job that reads nothing: one map without input, or left out",
                   "Chen 2011: such jobs ran and were part of the load"},
                  part, &Rules::no_input, {"one_map", "drop"}),
      whole_rule({"swim.reduce_megabytes",
                  "10^6 bytes of shuffle per reduce, rounded up; jobs without shuffle have none",
                  "hive.exec.reducers.bytes.per.reducer before Hive 0.14, Facebook's front end"},
                 part, &Rules::reduce_megabytes, 1, 1'000'000),
      whole_rule({"swim.reduces_max", "maximum number of reduces of a job",
                  "hive.exec.reducers.max before Hive 0.14"},
                 part, &Rules::reduces_max, 1, 1'000'000),
  };
}

std::vector<TraceRule> duration_rules() {
  const auto part = &TraceRules::map_reduce;
  using Rules = MapReduceRules;
  constexpr double slowest = 0.001;
  constexpr double fastest = 1e6;
  return {
      seconds_rule({"swim.map_startup", "startup time of a map",
                    "Chen 2011, small jobs: 20 task seconds for 21 KB"},
                   part, &Rules::map_startup),
      seconds_rule({"swim.reduce_startup", "startup time of a reduce", "as swim.map_startup"}, part,
                   &Rules::reduce_startup),
      number_rule({"swim.map_rate", "10^6 bytes per second that a map reads and processes",
                   "Chen 2011, aggregate fast: 230 GB in 104,338 task seconds"},
                  part, &Rules::map_rate, slowest, fastest),
      number_rule({"swim.shuffle_rate", "10^6 bytes per second that a reduce fetches and processes",
                   "Chen 2011, expand and aggregate: 2.5 TB in 974,395 task seconds"},
                  part, &Rules::shuffle_rate, slowest, fastest),
      number_rule({"swim.write_rate", "10^6 bytes per second that a task writes",
                   "Chen 2011, load data large: 447 GB in 66,657 task seconds"},
                  part, &Rules::write_rate, slowest, fastest),
  };
}

std::vector<TraceRule> demand_rules() {
  const auto part = &TraceRules::map_reduce;
  using Rules = MapReduceRules;
  constexpr std::int64_t memory_max = 1 << 24;
  return {
      vcores_rule({"swim.map_vcores", "demand of a map", "mapreduce.map.cpu.vcores"}, part,
                  &Rules::map_millicores),
      whole_rule({"swim.map_memory_mib", "demand of a map", "mapreduce.map.memory.mb"}, part,
                 &Rules::map_memory_mib, 1, memory_max),
      vcores_rule({"swim.reduce_vcores", "demand of a reduce", "mapreduce.reduce.cpu.vcores"}, part,
                  &Rules::reduce_millicores),
      whole_rule({"swim.reduce_memory_mib", "demand of a reduce", "mapreduce.reduce.memory.mb"},
                 part, &Rules::reduce_memory_mib, 1, memory_max),
      number_rule(
          {"swim.cpu_share", "CPU time of a task as a share of its duration times its vcores",
           "none published with the trace: a task keeps its vcores busy"},
          part, &Rules::cpu_share, 0, 1),
      number_rule({"swim.memory_share", "memory a task touches as a share of its demand",
                   "mapreduce.job.heap.memory-mb.ratio"},
                  part, &Rules::memory_share, 0, 1),
  };
}

// Names separated by commas, none empty.
bool is_list_of_names(std::string_view text) {
  return !text.empty() && text.front() != ',' && text.back() != ',' &&
         text.find(",,") == std::string_view::npos &&
         std::none_of(text.begin(), text.end(), [](char letter) { return letter <= ' '; });
}

std::vector<TraceRule> user_rules() {
  const auto part = &TraceRules::map_reduce;
  using Rules = MapReduceRules;
  std::vector<TraceRule> rules = {
      whole_rule({"swim.users", "number of users, named user0, user1 …, that share the jobs",
                  "a choice: the trace names no users"},
                 part, &Rules::users, 1, 1'000'000),
      number_rule(
          {"swim.user_skew",
           "user k has a share of the jobs in proportion to (k + 1) ^ -skew (Zipf); 0 is even",
           "a choice: a few users submit most jobs in every log that names them"},
          part, &Rules::user_skew, 0, 10),
      whole_rule({"swim.user_seed", "seed of the draw of each job's user", "a choice"}, part,
                 &Rules::user_seed, 0, 1'000'000'000'000),
  };
  TraceRule queues{"swim.queues",
                   "names separated by commas",
                   "user k submits to queue k modulo their number",
                   "YARN's one queue where nothing is configured",
                   {},
                   {}};
  queues.get = [](const TraceRules& all) { return all.map_reduce.queues; };
  queues.set = [](TraceRules& all, std::string_view value) -> Status {
    if (!is_list_of_names(value)) {
      return Error{"rule swim.queues: expected queue names separated by commas, got '" +
                   std::string(value) + "'"};
    }
    all.map_reduce.queues = value;
    return success();
  };
  rules.push_back(std::move(queues));
  return rules;
}

}  // namespace

std::vector<TraceRule> map_reduce_rules() {
  std::vector<TraceRule> rules;
  for (auto group : {task_rules(), duration_rules(), demand_rules(), user_rules()}) {
    std::move(group.begin(), group.end(), std::back_inserter(rules));
  }
  return rules;
}

}  // namespace tracebed
