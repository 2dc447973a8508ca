#include "coordinator/cli/local_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

#include "support/files.h"

namespace tracebed {
namespace {

struct ProcessState {
  pid_t parent = 0;
  std::string state;
  std::string started;  // clock ticks since the machine's start
};

std::optional<ProcessState> state_of(pid_t process) {
  const std::string text = contents(fmt::format("/proc/{}/stat", process));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  const std::vector<std::string> words{std::istream_iterator<std::string>(fields), {}};
  if (words.size() < 20) return std::nullopt;
  return ProcessState{std::stoi(words[1]), words[0], words[19]};
}

bool has_ended(const std::optional<ProcessState>& state) {
  return !state || state->state == "Z" || state->state == "X";
}

std::map<pid_t, ProcessState> all_processes() {
  std::map<pid_t, ProcessState> all;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string number = entry.path().filename();
    if (number.find_first_not_of("0123456789") != std::string::npos) continue;
    if (const auto state = state_of(std::stoi(number)); !has_ended(state)) {
      all.emplace(std::stoi(number), *state);
    }
  }
  return all;
}

std::set<pid_t> descendants(pid_t root, const std::map<pid_t, ProcessState>& all) {
  std::set<pid_t> found{root};
  for (std::size_t before = 0; before != found.size();) {
    before = found.size();
    for (const auto& [id, state] : all) {
      if (found.contains(state.parent)) found.insert(id);
    }
  }
  return found;
}

std::vector<std::string> words_of(pid_t process) {
  std::istringstream stream(contents(fmt::format("/proc/{}/cmdline", process)));
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, '\0');) words.push_back(word);
  return words;
}

// redis-server writes what it does behind its name.
std::string program_of(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const std::string first = words[0].substr(0, words[0].find(' '));
  return std::filesystem::path(first).filename();
}

void add_cgroups(const std::string& name, std::vector<std::string>& left) {
  std::error_code error;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator at("/sys/fs/cgroup", options, error), end;
       at != end; at.increment(error)) {
    if (error) return;
    if (at->path().filename().string().find(name) != std::string::npos) {
      left.push_back(at->path().string());
    }
  }
}

void add_lines(const std::filesystem::path& file, const std::string& word,
               std::vector<std::string>& left) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.find(word) != std::string::npos) left.push_back(file.string() + ": " + line);
  }
}

}  // namespace

std::vector<std::string> LocalRun::arguments(int jobs, int seconds_each,
                                             const std::string& node_memory) {
  std::string trace;
  for (int job = 1; job <= jobs; ++job) {
    trace += fmt::format("{0} {0} -1 {1} 1 1 -1 1 -1 1024 1 1 1 1 1 -1 -1 -1\n", job, seconds_each);
  }
  folder_.write("jobs.swf", trace);
  folder_.write("local.toml", fmt::format(R"(name = "{}"
world = "local"
schedulers = ["fifo"]
[trace]
file = "${{TRACEBED_TRACES}}/jobs.swf"
[scale]
time = 10
cpu = 10
memory = 64
[cluster]
nodes = 3
vcores = 2
memory = "{}"
[masters]
rigid_attempts = 4
)",
                                          name_, node_memory));
  return {"run", experiment().string(), "--output", runs().string()};
}

std::filesystem::path LocalRun::coordinator_file() const {
  return folder_.write("coordinator.toml",
                       fmt::format("state = \"{0}/state\"\ntraces = \"{0}\"\nport = 0\n"
                                   "allow_local_runs = true\n",
                                   folder_.path().string()));
}

std::vector<pid_t> LocalRun::processes(pid_t root, const std::string& program) {
  std::vector<pid_t> found;
  const std::map<pid_t, ProcessState> all = all_processes();
  for (const pid_t id : descendants(root, all)) {
    const auto state = all.find(id);
    if (state == all.end()) continue;
    seen_.insert({id, state->second.started});
    const std::vector<std::string> words = words_of(id);
    const std::string name = program_of(words);
    const auto keeper = std::find(words.begin(), words.end(), "redis-keeper");
    if (keeper != words.end() && std::next(keeper) != words.end()) {
      redis_folders_.insert(*std::next(keeper));
    }
    if (name == program) found.push_back(id);
  }
  return found;
}

std::vector<std::string> LocalRun::leftovers() const {
  std::vector<std::string> left;
  for (const Process& process : seen_) {
    const auto state = state_of(process.id);
    if (has_ended(state) || state->started != process.started) continue;
    left.push_back(fmt::format("process {}: {}", process.id, fmt::join(words_of(process.id), " ")));
  }
  add_cgroups(name_, left);
  for (const std::string& folder : redis_folders_) {
    if (std::filesystem::exists(folder)) left.push_back(folder);
    add_lines("/proc/net/unix", folder, left);
    add_lines("/proc/self/mountinfo", folder, left);
  }
  add_lines("/proc/self/mountinfo", name_, left);
  return left;
}

}  // namespace tracebed
