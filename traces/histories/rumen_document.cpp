#include "traces/histories/rumen_document.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "traces/parts/text_numbers.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

// What the history does not tell is −1, and a result that it does not tell is that of a task which
// ran when its job was ended.
std::string known_result(const std::string& result) {
  return result.empty() ? "KILLED" : result;
}

std::int64_t input_bytes(const HistoryAttempt& attempt) {
  return attempt.split_bytes_read > 0 ? attempt.split_bytes_read : attempt.stored_bytes_read;
}

Json attempt_json(const std::string& id, const HistoryAttempt& attempt, const RackOfHost& racks) {
  Json json = {{"attemptID", id},
               {"result", known_result(attempt.result)},
               {"startTime", attempt.start},
               {"finishTime", attempt.finish}};
  if (attempt.host.empty()) {
    json["hostName"] = nullptr;
    json["location"] = nullptr;
  } else {
    const std::string& rack = racks.at(attempt.host);
    json["hostName"] = fmt::format("/{}/{}", rack, attempt.host);
    json["location"] = {{"layers", {rack, attempt.host}}};
  }
  json["shuffleFinished"] = attempt.shuffle_finish;
  json["sortFinished"] = attempt.sort_finish;
  json["hdfsBytesRead"] = attempt.stored_bytes_read;
  json["hdfsBytesWritten"] = attempt.stored_bytes_written;
  json["fileBytesRead"] = attempt.local_bytes_read;
  json["fileBytesWritten"] = attempt.local_bytes_written;
  json["mapInputBytes"] = attempt.split_bytes_read;
  json["reduceShuffleBytes"] = attempt.shuffle_bytes;
  json["spilledRecords"] = attempt.spilled_records;
  if (attempt.cpu_ms >= 0 || attempt.memory_bytes >= 0) {
    json["resourceUsageMetrics"] = {{"cumulativeCpuUsage", attempt.cpu_ms},
                                    {"physicalMemoryUsage", attempt.memory_bytes}};
  }
  return json;
}

Json task_json(const std::string& id, const HistoryTask& task, const RackOfHost& racks) {
  Json json = {{"taskID", id},
               {"taskType", task.type},
               {"taskStatus", known_result(task.status)},
               {"startTime", task.start},
               {"finishTime", task.finish}};
  Json attempts = Json::array();
  std::int64_t bytes = -1;
  for (const auto& [attempt_id, attempt] : task.attempts) {
    attempts.push_back(attempt_json(attempt_id, attempt, racks));
    if (attempt.result == "SUCCESS") bytes = input_bytes(attempt);
  }
  json["inputBytes"] = task.type == "MAP" ? bytes : -1;
  Json places = Json::array();
  for (const std::string& host : task.split_hosts) {
    places.push_back({{"layers", {racks.at(host), host}}});
  }
  json["preferredLocations"] = std::move(places);
  json["attempts"] = std::move(attempts);
  return json;
}

void add_memory(const JobConfiguration& configuration, const char* property, const char* key,
                Json& json) {
  const auto found = configuration.find(property);
  if (found != configuration.end()) json[key] = read_whole(found->second).value;
}

}  // namespace

std::string rumen_document(const JobHistory& job, const JobConfiguration& configuration,
                           const RackOfHost& racks) {
  Json maps = Json::array();
  Json reduces = Json::array();
  Json others = Json::array();
  for (const auto& [id, task] : job.tasks) {
    Json& list = task.type == "MAP" ? maps : task.type == "REDUCE" ? reduces : others;
    list.push_back(task_json(id, task, racks));
  }
  const auto queue = configuration.find(queue_property);
  Json json = {
      {"jobID", job.id},
      {"user", job.user},
      {"queue", job.queue.empty() && queue != configuration.end() ? queue->second : job.queue},
      {"jobName", job.name},
      {"priority", job.priority},
      {"submitTime", job.submit},
      {"launchTime", job.launch},
      {"finishTime", job.finish},
      {"outcome", job.outcome},
      {"totalMaps", maps.size()},
      {"totalReduces", reduces.size()},
      {"mapTasks", std::move(maps)},
      {"reduceTasks", std::move(reduces)},
      {"otherTasks", std::move(others)}};
  if (!configuration.empty()) {
    add_memory(configuration, map_memory_property, "jobMapMB", json);
    add_memory(configuration, reduce_memory_property, "jobReduceMB", json);
    json["jobProperties"] = configuration;
  }
  return json.dump() + '\n';
}

std::map<std::string, std::vector<std::string>> by_rack(const RackOfHost& racks) {
  std::map<std::string, std::vector<std::string>> hosts;
  for (const auto& [host, rack] : racks) hosts[rack].push_back(host);
  return hosts;
}

std::string rumen_topology(const RackOfHost& racks) {
  Json rack_list = Json::array();
  for (const auto& [rack, hosts] : by_rack(racks)) {
    Json host_list = Json::array();
    for (const std::string& host : hosts)
      host_list.push_back({{"name", host}, {"children", nullptr}});
    rack_list.push_back({{"name", rack}, {"children", std::move(host_list)}});
  }
  return Json({{"name", "<root>"}, {"children", std::move(rack_list)}}).dump() + '\n';
}

}  // namespace tracebed
