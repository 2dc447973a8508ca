// Texts of the keys of [storage].
#pragma once

#include <array>

#include "coordinator/config/key_text.h"

namespace tracebed {

inline constexpr auto storage_texts = std::to_array<KeyText>({
    {"replication", "integer", "3",
     "replicas of each block of the trace's files (dfs.replication)"},
    {"block_size", "size", "\"128 MiB\"", "of the trace's files (dfs.blocksize)"},
    {"output_replication", "integer", "0",
     "replicas of each block that jobs write: tasks of MapReduce jobs and DAGs write the output "
     "that the trace records to files of their own in `/tracebed/JOB/output`; 0: they write none. "
     "Otherwise `socket_timeout` is at least 10 s"},
    {"shuffle", "boolean", "false",
     "tasks of MapReduce jobs and DAGs fetch what the trace records as shuffled: tasks of earlier "
     "stages keep their outputs on the disks of their machines until the job ends, and reduces "
     "fetch their parts from there, over the network. In the cluster world agents without "
     "`[shuffle]` in their `agent.toml` are left out"},
    {"shuffle_parallel_copies", "integer", "5",
     "machines that a task fetches from at a time (mapreduce.reduce.shuffle.parallelcopies)"},
    {"spills", "boolean", "false",
     "with `shuffle`, tasks of MapReduce jobs also write to their disks what Hadoop's do, and read "
     "it again: maps what they emit if that is more than four fifths of `sort_memory`, reduces all "
     "that they fetch"},
    {"sort_memory", "size", "\"100 MiB\"",
     "in which a map sorts what it emits (mapreduce.task.io.sort.mb)"},
    {"transfer_weights", "text", "none",
     "a resource of the cluster, by which tasks share disks and links while these are short: what "
     "a "
     "task reads, writes, fetches and spills weighs as much as its container's part of its "
     "machine's "
     "amount, and all of it if it has none, as do transfers that are of no task; without it, "
     "equally ([weights](storage.md#weights))",
     "# \"vcores\""},
    {"placement", "text", "\"default\"",
     "where replicas go: `\"default\"`, `\"rack_fault_tolerant\"`, or `\"same_rack_second\"` "
     "(second replica on another node of the first's rack, third on another rack). Locations that "
     "the trace recorded take precedence (`masters.recorded_places`)"},
    {"writer", "text", "none",
     "the machine from which a client wrote the trace's files, so that by HDFS' rule it has the "
     "first replica of every block; without it, a client that is on none of the machines",
     "# \"node1\""},
    {"store", "text", "\"generated\"",
     "`\"generated\"`: the bytes of the trace's files are a function of block and offset, and take "
     "no room; `\"disk\"`: they are files"},
    {"capacity", "size", "\"1 TiB\"", "of each datanode"},
    {"disk_rate", "rate", "\"100 MiB/s\"",
     "of each machine's disk, shared by all that read and write; or `\"unlimited\"`"},
    {"network_rate", "rate", "\"125 MB/s\"",
     "of each machine's network interface in each direction, shared by all that is sent, and by "
     "all that is received; or `\"unlimited\"`"},
    {"rack_rate", "rate", "\"unlimited\"",
     "of each rack's uplink in each direction, shared by all that leaves the rack, and by all that "
     "enters it: the network is oversubscribed if that is less than the rack's machines can send. "
     "Racks are those of the cluster. It has no effect in the cluster world, which has uplinks of "
     "its own"},
    {"seek", "duration", "\"8ms\"", "before the first byte of a replica is read"},
    {"block_report_interval", "duration", "\"6h\"",
     "between two full block reports (dfs.blockreport.intervalMsec)"},
    {"socket_timeout", "duration", "\"60s\"",
     "wall time that a datanode waits for what its peer is to send, and 5 s more for each further "
     "datanode of a pipeline (dfs.client.socket-timeout). A client that waits less takes the first "
     "datanode of a pipeline for the one that hangs"},
    {"rpc_port", "integer", "0",
     "local world: the loopback port of HDFS' native protocol (fs.defaultFS); 0: a free one"},
    {"http_port", "integer", "0", "local world: likewise, of WebHDFS (dfs.namenode.http-address)"},
    {"thrift_port", "integer", "0", "local world: likewise, of the administrators' service"},
    {"topology_script", "text", "none",
     "a program that prints the racks of the machines named in its arguments, one each "
     "(net.topology.script.file.name); run before the experiment's runs, not by a coordinator",
     "# \"topology.sh\""},
    {"topology_script_args", "integer", "100",
     "machines in one call of it (net.topology.script.number.args)", "# 100"},
    {"topology_script_timeout", "duration", "\"30s\"", "wall time of one call of it", "# \"30s\""},
    {"topology", "table", "none",
     "`[storage.topology]`: the rack of each machine, by its name; those not in it keep theirs"},
    {"namenode", "table", "none", "`[storage.namenode]`: HDFS' own settings"},
});

}  // namespace tracebed
