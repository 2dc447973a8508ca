// What a run's tasks.csv says of its attempts.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tracebed {

// The columns that tests look at.
struct TaskRow {
  std::string job;
  int attempt = 0;
  std::string container;
  std::string node;
  std::string end;
  double cpu_us = 0;
};

std::vector<TaskRow> read_tasks(const std::filesystem::path& file);

// The CPU time of all attempts of each job.
std::map<std::string, double> burnt_by_job(const std::vector<TaskRow>& rows);

}  // namespace tracebed
