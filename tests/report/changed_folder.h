// Changes a run's folder as somebody does who lists the files anew, so that what comes after the
// checksums is looked at.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "report/file_list.h"
#include "report/run_json.h"
#include "support/files.h"

namespace tracebed {

// Writes the checksums of the files as they are now into the run's run.json, which may have been
// changed itself.
inline void list_anew(const std::filesystem::path& run) {
  const std::string text = contents(run / run_json_file);
  if (!Json::accept(text)) return;
  Json root = Json::parse(text);
  for (Json& listed : root["files"]) {
    const FileChecksum now = checksum_of(contents(run / listed["file"].get<std::string>()));
    listed["bytes"] = now.bytes;
    listed["sha256"] = now.sha256;
  }
  write_file(run / run_json_file, with_own_checksum(std::move(root)));
}

}  // namespace tracebed
