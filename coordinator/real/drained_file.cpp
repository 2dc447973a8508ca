#include "coordinator/real/drained_file.h"

#include <algorithm>
#include <fstream>

#include "core/input_error.h"
#include "protocol/wire_messages.h"
#include "system/replace_file.h"

namespace tracebed {

std::set<std::string> read_drained(const std::filesystem::path& file) {
  std::set<std::string> names;
  std::error_code error;
  if (!std::filesystem::exists(file, error) && !error) return names;
  std::ifstream stream(file);
  if (!stream) throw EnvironmentError("the drained agents cannot be read: " + file.string());
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const bool is_plain =
        std::all_of(line.begin(), line.end(), [](unsigned char c) { return c > ' '; });
    if (line.empty() || !is_plain || line.size() > wire::name_bytes_max) {
      throw InputError(file.string() + ":" + std::to_string(number) +
                       ": expected the name of an agent");
    }
    names.insert(line);
  }
  return names;
}

void write_drained(const std::filesystem::path& file, const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  replace_file(file, text, Durability::synced);
}

}  // namespace tracebed
