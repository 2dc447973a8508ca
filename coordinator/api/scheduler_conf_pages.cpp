#include "coordinator/api/scheduler_conf_pages.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <utility>

#include "coordinator/api/audit_log.h"
#include "coordinator/api/resource_manager/remote_exception.h"
#include "coordinator/config/configuration_update_text.h"
#include "core/input_error.h"
#include "core/text.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* scheduler_conf_path = "/ws/v1/cluster/scheduler-conf";

// None for what YARN does not consume.
std::optional<UpdateForm> form_of(std::string_view content_type) {
  std::string type(trimmed(content_type.substr(0, content_type.find(';'))));
  std::transform(type.begin(), type.end(), type.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (type == "application/xml") return UpdateForm::xml;
  if (type == "application/json") return UpdateForm::json;
  return std::nullopt;
}

// "root.a.capacity=80, -root.b, +root.c"
std::string text_of_update(const ConfigurationUpdate& update) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const auto add_all = [&](const std::string& before, const UpdatedProperties& properties) {
    for (const auto& [key, value] : properties) add(before + key + "=" + value.value_or(""));
  };
  for (const std::string& path : update.removed) add("-" + path);
  for (const ConfigurationUpdate::Queue& queue : update.added) {
    add("+" + queue.path);
    add_all(queue.path + ".", queue.properties);
  }
  for (const ConfigurationUpdate::Queue& queue : update.updated) {
    add_all(queue.path + ".", queue.properties);
  }
  add_all("", update.global);
  return text;
}

// A change from its arrival to its answer.
class ConfigurationChange {
 public:
  ConfigurationChange(RunQueue& queue, const SchedulerConfOptions& options,
                      const HttpRequest& request)
      : queue_(queue), options_(options) {
    asked_.accept = request.accept;
    record_.who = request.token_name;
    record_.peer = request.peer;
    record_.action = "scheduler-conf";
  }

  // The answer, if there is one already.
  std::optional<HttpResponse> begin(const HttpRequest& request) {
    if (!options_.has_tokens) {
      return refuse(forbidden("changes need a token: this coordinator has no token_file"));
    }
    const std::optional<UpdateForm> form = form_of(request.content_type);
    if (!form) {
      return refuse({415, "javax.ws.rs", "NotSupportedException",
                     fmt::format("expected Content-Type application/json or application/xml, got "
                                 "'{}'",
                                 request.content_type)});
    }
    ConfigurationUpdate update;
    try {
      update = read_configuration_update(request.body, *form);
    } catch (const InputError& error) {
      return refuse(bad_request(error.what()));
    }
    record_.detail = text_of_update(update);
    const std::optional<RunEntry> running = queue_.running();
    if (!running) return refuse(not_found("no run is in progress"));
    record_.run = running->id;
    try {
      const auto passed = queue_.change(running->id, RequestedUpdate{std::move(update)});
      if (!passed || passed->request == 0) return refuse(not_found("no run is in progress"));
      number_ = passed->request;
    } catch (const InputError& error) {
      return refuse(unavailable(error.what()));
    }
    return std::nullopt;
  }

  // Once it has begun: the answer when the run has reported what came of it.
  std::optional<HttpResponse> look() {
    if (const std::optional<RunChange> change = queue_.outcome(record_.run, number_)) {
      return change->was_taken ? applied() : refuse(bad_request(change->text));
    }
    const std::optional<RunEntry> running = queue_.running();
    if (!running || running->id != record_.run) {
      return refuse(not_found(
          fmt::format("run {} ended before it reported what came of the change", record_.run)));
    }
    if (std::chrono::steady_clock::now() < until_) return std::nullopt;
    return refuse(unavailable(fmt::format(
        "run {} has not reported yet what came of the change; its status will", record_.run)));
  }

 private:
  // The text of RMWebServices.updateSchedulerConfiguration, which is of the type that is accepted
  // without being in its form.
  HttpResponse applied() {
    record_.outcome = "done";
    write();
    return {200,
            wants_xml(asked_) ? "application/xml;charset=utf-8" : "application/json;charset=utf-8",
            "Configuration change successfully applied."};
  }
  HttpResponse refuse(const RemoteException& error) {
    record_.outcome = "refused: " + error.message;
    record_.is_refused = true;
    write();
    return rest_response(asked_, error);
  }
  void write() {
    if (options_.audit != nullptr) options_.audit->write(record_);
  }

  RunQueue& queue_;
  SchedulerConfOptions options_;
  HttpRequest asked_;  // what the answer's form depends on
  AuditRecord record_;
  std::int64_t number_ = 0;
  std::chrono::steady_clock::time_point until_ =
      std::chrono::steady_clock::now() + options_.outcome_timeout;
};

HttpResponse put(RunQueue& queue, const SchedulerConfOptions& options, const HttpRequest& request) {
  // Copied into a function, which has to be copyable.
  const auto change = std::make_shared<ConfigurationChange>(queue, options, request);
  if (std::optional<HttpResponse> answer = change->begin(request)) return *std::move(answer);
  HttpResponse response;
  response.later = [change] { return change->look(); };
  return response;
}

RestAnswer effective(const RunQueue& queue, bool as_xml) {
  const std::optional<RunQueue::Configured> configured = queue.configuration();
  if (!configured) {
    return queue.running() ? unavailable("the current run is being prepared")
                           : not_found("no run is in progress");
  }
  const EffectiveConfiguration& configuration = *configured->configuration;
  if (!configuration.is_mutable) {
    return bad_request(
        fmt::format("This API only supports to retrieve scheduler configuration from a "
                    "mutable-conf scheduler, underneath scheduler {} is not an instance of "
                    "MutableConfScheduler",
                    configuration.scheduler));
  }
  Json properties = Json::array();
  for (const auto& [name, value] : configuration.properties) {
    properties.push_back({{"name", name}, {"value", value}});
  }
  // ConfInfo, whose name only XML has.
  Json body{{"property", std::move(properties)}};
  return as_xml ? Json{{"configuration", std::move(body)}} : std::move(body);
}

}  // namespace

HttpServer::Pages scheduler_conf_pages(RunQueue& queue, const SchedulerConfOptions& options) {
  return {{scheduler_conf_path,
           [&queue](const HttpRequest& request) {
             return rest_response(request, effective(queue, wants_xml(request)));
           }},
          {HttpRoute(scheduler_conf_path, HttpMethod::put),
           [&queue, options](const HttpRequest& request) { return put(queue, options, request); }}};
}

}  // namespace tracebed
