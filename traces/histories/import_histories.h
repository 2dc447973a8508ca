// `trace histories`: MapReduce's history files as one trace, in the form that Hadoop's own Rumen
// gives them, which the reader of that format takes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tracebed {

struct HistoriesOptions {
  bool skip_bad = false;  // false: a file that cannot be used stops the import
  std::string topology;   // file for the machines seen, as Rumen writes them; empty: none
};

struct HistoriesResult {
  std::uint64_t files = 0;  // good ones
  std::uint64_t maps = 0;
  std::uint64_t reduces = 0;
  std::uint64_t other_tasks = 0;
  std::uint64_t attempts = 0;
  std::uint64_t hosts = 0;
  std::uint64_t racks = 0;
  // Hosts that hold input, but on which no attempt ran, so that their rack is unknown. They are put
  // into default-rack, as Hadoop does with unknown machines.
  std::uint64_t hosts_without_rack = 0;
  std::uint64_t configured = 0;  // jobs with a configuration beside their history
  // Their slow start of reduces → how many jobs have it. It is a setting of the run.
  std::map<std::string, std::uint64_t> slow_starts;
  std::vector<std::string> bad_files;  // name and reason
  bool is_written = false;             // false: bad files stopped it
};

// `path` is a history file, or a folder, of which all files ending in .jhist (or .jhist.gz) count,
// also those in folders below; a job's configuration (JOB_conf.xml) is read if it is beside its
// history. One that cannot be used is a bad file, and its job is left out. Jobs are written in the
// order of their submit times; memory grows with the number of files and the largest of them, as
// files are read twice. Throws InputError if there is no history file, EnvironmentError if a file
// cannot be written.
HistoriesResult import_histories(const std::string& path, const std::string& output,
                                 const HistoriesOptions& options);

}  // namespace tracebed
