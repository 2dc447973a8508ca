// Texts of the keys of an experiment as a whole, of its trace and of its comparison.
#pragma once

#include <array>

#include "coordinator/config/key_text.h"

namespace tracebed {

inline constexpr auto root_texts = std::to_array<KeyText>({
    {"name", "text", "required", "letters, digits and `-` `_` `.`; part of the run folder's name",
     "\"reference\""},
    {"world", "text", "required",
     "`\"virtual\"`: modelled machines; `\"local\"`: agents and real processes on this machine; "
     "`\"cluster\"`: the agents of a `tracebed-coordinator`",
     "\"virtual\""},
    {"seed", "integer", "1", "the same trace, experiment and seed give the same decisions"},
    {"repetitions", "integer", "10 in the virtual world, else 1",
     "runs of each scheduler, at most 1000; each has its own seed, derived from `seed`", "2"},
    {"paranoid", "boolean", "false",
     "`true`: every invariant is recomputed after each round "
     "that may have changed it"},
    {"ignore_unsupported", "boolean", "false",
     "`true`: schedulers also take [files](hadoop-files.md) with properties that decide placement, "
     "limits or order and are not obeyed"},
    {"am", "text", "\"unmanaged\"",
     "`\"container\"`: each job's master is a process in its own container"},
    {"output", "table", "none", "where a run writes, and what"},
    {"schedulers", "list of texts", "none", "short form: names of schedulers that have no settings",
     "# [\"fifo\", \"spread\"]"},
    {"scheduler", "list of tables", "none", "`[[scheduler]]`: one for each scheduler"},
    {"refresh", "list of tables", "none", "`[[refresh]]`: changes of settings during the run"},
    {"controller", "list of tables", "none",
     "`[[controller]]`: control loops that change a parameter of a scheduler"},
    {"trace", "table", "none",
     "the workload. May be missing beside `[storage]`: then the cluster is open until it is "
     "cancelled"},
    {"replay", "table", "none", "when jobs are submitted"},
    {"vary", "table", "none", "what differs in the trace from repetition to repetition"},
    {"scale", "table", "none", "factors that divide the workload and its cluster"},
    {"cluster", "table", "none", "the machines; required except in the cluster world"},
    {"storage", "table", "none", "the run's [HDFS](storage.md)"},
    {"virtual", "table", "none", "how machines are modelled in the virtual world"},
    {"local", "table", "none", "the agents of the local world"},
    {"agents", "table", "none", "the agents of the cluster world"},
    {"masters", "table", "none", "settings of job masters, under every scheduler"},
    {"master_container", "table", "none", "containers of job masters"},
    {"node_manager", "table", "none", "monitoring of containers by the machines"},
    {"relocation", "table", "none", "whether running tasks move to better places"},
    {"drain", "list of tables", "none", "`[[drain]]`: machines that are taken out of service"},
    {"crash", "list of tables", "none", "`[[crash]]`: machines that fail"},
    {"faults", "table", "none", "faulty attempts"},
    {"compare", "table", "none", "the comparison of the schedulers"},
    {"log", "table", "none", "the log of rounds"},
    {"sweep", "table", "none",
     "values of other keys, each combination of which is an experiment of its own: see "
     "[sweeps](sweeps.md)"},
});

inline constexpr auto output_texts = std::to_array<KeyText>({
    {"folder", "text", "runs/NAME-TIME", "the folder of the run folders", "# \"runs/reference\""},
    {"tasks", "text", "\"auto\"",
     "the rows of attempts: `\"csv\"`: tasks.csv; `\"zstd\"`: compressed, tasks.csv.zst; "
     "`\"none\"`: `tracebed export` makes them [of the log](#what-a-run-writes); `\"auto\"`: "
     "compressed if the trace has more than a million tasks"},
});

inline constexpr auto scheduler_texts = std::to_array<KeyText>({
    {"name", "text", "required", "a scheduler that `tracebed schedulers` lists", "\"spread\""},
    {"label", "text", "the name", "its name in reports and folders; not `noise`",
     "\"spread-near-input\""},
});

inline constexpr auto refresh_texts = std::to_array<KeyText>({
    {"at", "duration", "required", "when the scheduler gets the other settings", "# \"1h\""},
    {"scheduler", "text", "the only one", "its label; required where there are several",
     "# \"fifo\""},
});

inline constexpr auto controller_texts = std::to_array<KeyText>({
    {"name", "text", "required", "a controller that `tracebed schedulers` lists", "# \"lian2020\""},
    {"scheduler", "text", "the only one", "its label; required where there are several",
     "# \"capacity\""},
    {"queue", "text", "the only leaf", "the leaf queue whose parameter it changes",
     "# \"root.default\""},
    {"latency", "duration", "\"1s\"", "from its decision to the scheduler's refresh", "# \"1s\""},
    {"start", "text", "\"first_submission\"",
     "its first step: with the first job's submission, or `\"run\"`: when the run begins",
     "# \"run\""},
});

inline constexpr auto trace_texts = std::to_array<KeyText>({
    {"file", "text", "required",
     "the trace, relative to the experiment, or `\"${TRACEBED_TRACES}/…\"`",
     "\"sample/facebook_2009_50.tsv\""},
    {"format", "text", "detected", "the format's name, where the content does not show it",
     "\"swim\""},
    {"jobs", "integer", "all", "only the first N jobs", "40"},
    {"from", "duration", "all", "only jobs submitted at this time or later", "\"10s\""},
    {"until", "duration", "all", "only jobs submitted before this time", "\"1h\""},
    {"bad_lines", "text", "\"stop\"", "`\"skip\"`: bad rows are counted and skipped"},
    {"rules", "table", "none",
     "`[trace.rules]`: [rules](traces.md#rules) for what the format lacks"},
});

inline constexpr auto replay_texts = std::to_array<KeyText>({
    {"mode", "text", "\"trace\"",
     "`\"trace\"`: at the trace's times; `\"at_once\"`: all at the start; `\"think_time\"`: a "
     "user's next job a think time after their last one ended, so that a slow scheduler receives "
     "its jobs later. Jobs without a user count as one user's"},
    {"speed", "number", "1", "divides submit times; only in mode `\"trace\"`"},
    {"think_time", "duration", "\"trace\"",
     "the think time: a duration, or as the trace has it; only in mode `\"think_time\"`",
     "# \"30s\""},
});

inline constexpr auto vary_texts = std::to_array<KeyText>({
    {"submit_times", "number", "0",
     "the fraction, at most 0.5, by which each gap between submissions varies; only where "
     "`replay.mode` is `\"trace\"`"},
    {"run_times", "number", "0",
     "the fraction, at most 0.5, by which each job's durations and CPU times vary"},
});

inline constexpr auto scale_texts = std::to_array<KeyText>({
    {"time", "number", "1", "local world: trace seconds per second of wall time"},
    {"cpu", "number", "1", "divides vcores and CPU time"},
    {"memory", "number", "1", "divides memory"},
    {"data", "number", "1", "divides bytes"},
    {"machines", "number", "1", "divides the number of machines; not in the cluster world"},
    {"thin", "number", "1", "a job stays with probability 1/thin"},
    {"stretch", "number", "1", "multiplies the gaps between submissions"},
    {"tasks", "number", "1", "divides the tasks of every stage and gang; one stays"},
    {"keep_load", "text", "\"none\"",
     "`\"thin\"` or `\"stretch\"`: that factor is chosen so that the load stays"},
});

inline constexpr auto compare_texts = std::to_array<KeyText>({
    {"primary", "text", "\"jct_mean\"",
     "the figure that is tested first: any key of `comparison.json`"},
    {"matters_from", "number", "0.01",
     "smaller differences, as a fraction of the baseline's figure, do not matter"},
    {"noise", "boolean", "see `noise_time`", "`true`: the baseline also runs against itself",
     "false"},
    {"noise_time", "duration", "\"5m\"",
     "wall time. Without `noise`, real worlds with several schedulers measure noise if the "
     "baseline's runs took no more than this together"},
    {"baseline", "text", "the first scheduler",
     "the label of the scheduler that others are compared with", "\"fifo\""},
});

}  // namespace tracebed
