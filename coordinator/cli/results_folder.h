// The folder that a command writes its results into.
#pragma once

#include <filesystem>
#include <string>

namespace tracebed {

class ResultsFolder {
 public:
  // The folder `asked`, which is made when something is written; if that is empty, a new one,
  // runs/NAME-TIME or with a number appended, which no other command gets. Throws EnvironmentError
  // if it cannot be made.
  ResultsFolder(const std::filesystem::path& asked, const std::string& name);
  // Removes a new one in which there is nothing.
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  bool is_new_;
  std::filesystem::path path_;
};

}  // namespace tracebed
