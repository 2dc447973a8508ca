// The [storage] table as plain data. Sizes, rates and durations are those of the trace, before
// [scale].
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/datanode_options.h"
#include "core/shuffle.h"
#include "core/time.h"

namespace tracebed {

// A setting that is defined in another room (a trace rule, a scheduler's parameter); that room
// checks it, and `where` is its place for messages.
struct Setting {
  std::string key;
  std::string value;
  std::string where;  // "file:line: key"
  // Of XML that was made of keys of a file and has its line numbers: that file's name.
  std::string file = {};
};

// How the machines' racks are known.
struct TopologyChoice {
  std::string script;  // the path of a program; empty: none
  std::string script_where;
  std::size_t script_args = 100;                          // names in one call, at most
  Duration script_timeout = seconds(30);                  // of wall time, for one call
  std::map<std::string, std::string, std::less<>> racks;  // by machine; those not in it keep theirs
  std::string racks_where;                                // empty: there is no table
};

struct StorageChoice {
  std::string where;  // of the table; empty: the run has no storage
  std::uint32_t replication = 3;
  std::int64_t block_size = std::int64_t{128} << 20;
  std::uint32_t replication_of_outputs = 0;  // 0: jobs write no output
  bool is_shuffling = false;
  bool is_spilling = false;
  std::string spills_where;
  std::int64_t sort_memory = std::int64_t{100} << 20;  // of a map that spills
  std::string sort_memory_where;
  std::string transfer_weights;  // the name of a resource; empty: tasks share equally
  std::string transfer_weights_where;
  ShuffleOptions shuffle;
  std::string placement = "default";  // a name of make_replica_placement (coordinator/storage)
  std::string placement_where;
  std::string writer;  // the machine from which the trace's files were written; empty: none of them
  std::string writer_where;
  DatanodeOptions datanodes;
  // Where the namenode of a local run listens on the loopback address; 0: any free port.
  std::uint16_t rpc_port = 0;
  std::uint16_t http_port = 0;
  std::uint16_t thrift_port = 0;
  TopologyChoice topology;
  std::vector<Setting> namenode;  // HDFS' own settings (coordinator/resolving/namenode_settings.h)

  bool is_on() const { return !where.empty(); }
};

}  // namespace tracebed
