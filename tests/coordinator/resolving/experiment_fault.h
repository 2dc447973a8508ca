// What resolving an experiment of two machines says against it.
#pragma once

#include <string>

#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "core/input_error.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {

// `root` is line 2 of the file and what follows it, up to a table; `table` begins at line 10 if
// root is one line. Returns ":LINE: KEY: …", or "none".
inline std::string experiment_fault(const std::string& root, const std::string& table) {
  const TemporaryFolder folder;
  folder.write("jobs.tsv", "job0\t0\t0\t10\t0\t10\n");
  folder.write("mine.toml", "name = \"x\"\n" + root +
                                "\nschedulers = [\"fifo\"]\n[trace]\nfile = \"jobs.tsv\"\n"
                                "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"1 GiB\"\n" +
                                table + "\n");
  try {
    (void)resolve(test::schedulers(),
                  load_experiment(folder.path() / "mine.toml", std::nullopt, {}));
  } catch (const InputError& error) {
    const std::string text = error.what();
    return text.substr(text.find("mine.toml") + 9);
  }
  return "none";
}

}  // namespace tracebed
