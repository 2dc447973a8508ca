// An experiment as a client submits it. Its trace is jobs.tsv of the coordinator's folder.
#pragma once

namespace tracebed {

inline constexpr const char* submitted_text = R"(
name = "good"
world = "virtual"
schedulers = ["fifo"]
[trace]
file = "${TRACEBED_TRACES}/jobs.tsv"
[cluster]
nodes = 2
vcores = 2
memory = "1 GiB"
)";

}  // namespace tracebed
