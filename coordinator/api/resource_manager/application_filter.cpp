#include "coordinator/api/resource_manager/application_filter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "coordinator/api/resource_manager/cluster_json.h"
#include "core/text.h"

namespace tracebed {
namespace {

// YarnApplicationState, FinalApplicationStatus and NodeState.
constexpr std::array<std::string_view, 8> application_states{
    "NEW", "NEW_SAVING", "SUBMITTED", "ACCEPTED", "RUNNING", "FINISHED", "FAILED", "KILLED"};
constexpr std::array<std::string_view, 5> final_statuses{"UNDEFINED", "SUCCEEDED", "FAILED",
                                                         "KILLED", "ENDED"};
constexpr std::array<std::string_view, 8> node_states{
    "NEW",  "RUNNING",  "UNHEALTHY", "DECOMMISSIONED",
    "LOST", "REBOOTED", "SHUTDOWN",  "DECOMMISSIONING"};
// Of clients that say who they are, and of browsers that must not take an older answer.
constexpr std::array<std::string_view, 3> of_clients{"user.name", "doAs", "_"};

constexpr std::array<std::string_view, 13> application_parameters{"state",
                                                                  "states",
                                                                  "finalStatus",
                                                                  "user",
                                                                  "queue",
                                                                  "limit",
                                                                  "startedTimeBegin",
                                                                  "startedTimeEnd",
                                                                  "finishedTimeBegin",
                                                                  "finishedTimeEnd",
                                                                  "applicationTypes",
                                                                  "applicationTags",
                                                                  "name"};
constexpr std::array<std::string_view, 2> node_parameters{"states", "state"};

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return result;
}

bool is_one_of(std::span<const std::string_view> all, std::string_view text) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

Status check_names(const HttpRequest& request, std::span<const std::string_view> known) {
  for (const auto& [name, value] : request.query) {
    if (is_one_of(known, name) || is_one_of(of_clients, name)) continue;
    return Error{
        fmt::format("unknown parameter '{}', expected one of {}", name, fmt::join(known, ", "))};
  }
  return success();
}

// All values of a parameter, each of which may be a list.
std::set<std::string> values_of(const HttpRequest& request, std::string_view name) {
  std::set<std::string> values;
  const auto [begin, end] = request.query.equal_range(name);
  for (auto at = begin; at != end; ++at) {
    for (std::string& value : split_list(at->second)) values.insert(std::move(value));
  }
  return values;
}

Status read_words(const HttpRequest& request, std::string_view name,
                  std::span<const std::string_view> known, std::set<std::string>& words) {
  for (const std::string& value : values_of(request, name)) {
    std::string word = upper(value);
    if (!is_one_of(known, word)) {
      return Error{
          fmt::format("invalid {} '{}', expected one of {}", name, value, fmt::join(known, ", "))};
    }
    words.insert(std::move(word));
  }
  return success();
}

Status read_number(const HttpRequest& request, std::string_view name, std::int64_t least,
                   std::int64_t& number) {
  const std::string_view text = request.value(name);
  if (text.empty()) return success();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least) {
    return Error{
        fmt::format("invalid {} '{}', expected a whole number from {} on", name, text, least)};
  }
  return success();
}

template <class Times>
Status read_times(const HttpRequest& request, const std::string& name, Times& times) {
  if (Status read = read_number(request, name + "Begin", 0, times.first); !read) return read;
  if (Status read = read_number(request, name + "End", 0, times.last); !read) return read;
  if (times.first > times.last) {
    return Error{fmt::format("{}End must not be before {}Begin", name, name)};
  }
  return success();
}

std::optional<std::string> text_of(const HttpRequest& request, std::string_view name) {
  const std::string_view text = request.value(name);
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

// A queue is asked for by its path, or by its last name, as YARN's users know it.
bool is_in_queue(const std::string& path, const std::string& asked) {
  return path == asked || path.ends_with("." + asked);
}

}  // namespace

Result<ApplicationFilter> ApplicationFilter::read(const HttpRequest& request) {
  ApplicationFilter filter;
  if (Status known = check_names(request, application_parameters); !known) return known.error();
  for (const char* name : {"state", "states"}) {
    const Status read = read_words(request, name, application_states, filter.states_);
    if (!read) return read.error();
  }
  for (const std::string& type : values_of(request, "applicationTypes")) {
    filter.types_.insert(upper(type));
  }
  std::set<std::string> statuses;
  if (Status read = read_words(request, "finalStatus", final_statuses, statuses); !read) {
    return read.error();
  }
  if (!statuses.empty()) filter.final_status_ = *statuses.begin();
  filter.user_ = text_of(request, "user");
  filter.queue_ = text_of(request, "queue");
  filter.name_ = text_of(request, "name");
  filter.has_tags_ = !values_of(request, "applicationTags").empty();
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  if (Status read = read_number(request, "limit", 1, limit); !read) return read.error();
  filter.limit_ = static_cast<std::size_t>(limit);
  if (Status read = read_times(request, "startedTime", filter.started_); !read) {
    return read.error();
  }
  if (!request.value("finishedTimeBegin").empty() || !request.value("finishedTimeEnd").empty()) {
    filter.finished_.emplace();
    const Status read = read_times(request, "finishedTime", *filter.finished_);
    if (!read) return read.error();
  }
  return filter;
}

bool ApplicationFilter::takes(const RunSnapshot& snapshot,
                              const ApplicationSnapshot& application) const {
  if (!states_.empty() && !states_.contains(application_state(application))) return false;
  if (!types_.empty() && !types_.contains(application_type(application))) return false;
  if (final_status_ && final_status(application) != *final_status_) return false;
  if (user_ && application.user != *user_) return false;
  if (queue_ && !is_in_queue(application.queue, *queue_)) return false;
  if (name_ && application.name != *name_) return false;
  if (has_tags_) return false;
  const auto is_within = [](const Times& times, std::int64_t at) {
    return at >= times.first && at <= times.last;
  };
  if (!is_within(started_, time_in_ms(snapshot, application.submitted))) return false;
  if (!finished_) return true;
  // YARN's time of one that has not ended is 0.
  const bool has_ended = application.phase == ApplicationPhase::ended;
  return is_within(*finished_, has_ended ? time_in_ms(snapshot, application.finished) : 0);
}

Result<NodeFilter> NodeFilter::read(const HttpRequest& request) {
  NodeFilter filter;
  if (Status known = check_names(request, node_parameters); !known) return known.error();
  for (const std::string_view name : node_parameters) {
    const Status read = read_words(request, name, node_states, filter.states_);
    if (!read) return read.error();
  }
  return filter;
}

bool NodeFilter::takes(const NodeSnapshot& node) const {
  return states_.empty() || states_.contains(node_state(node));
}

}  // namespace tracebed
