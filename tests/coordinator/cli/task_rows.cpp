#include "coordinator/cli/task_rows.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace tracebed {

std::vector<TaskRow> read_tasks(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> header;
  const auto cells_of = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
  };
  std::string line;
  std::getline(in, line);
  header = cells_of(line);
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  std::vector<TaskRow> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    rows.push_back({cells.at(column("job")), std::stoi(cells.at(column("attempt"))),
                    cells.at(column("container")), cells.at(column("node")),
                    cells.at(column("end")), std::stod(cells.at(column("cpu_us")))});
  }
  return rows;
}

std::map<std::string, double> burnt_by_job(const std::vector<TaskRow>& rows) {
  std::map<std::string, double> burnt;
  for (const TaskRow& row : rows) burnt[row.job] += row.cpu_us;
  return burnt;
}

}  // namespace tracebed
