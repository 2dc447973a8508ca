#include "coordinator/api/resource_manager/remote_exception.h"

#include <utility>

#include "coordinator/api/resource_manager/json_as_xml.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

HttpResponse response_of(const HttpRequest& request, int status, const Json& body) {
  if (wants_xml(request)) return {status, "application/xml;charset=utf-8", json_as_xml(body)};
  return {status, "application/json;charset=utf-8",
          body.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

}  // namespace

RemoteException not_found(std::string message) {
  return {404, "org.apache.hadoop.yarn.webapp", "NotFoundException", std::move(message)};
}
RemoteException bad_request(std::string message) {
  return {400, "org.apache.hadoop.yarn.webapp", "BadRequestException", std::move(message)};
}
RemoteException forbidden(std::string message) {
  return {403, "org.apache.hadoop.yarn.webapp", "ForbiddenException", std::move(message)};
}
RemoteException unavailable(std::string message) {
  return {503, "org.apache.hadoop.ipc", "RetriableException", std::move(message)};
}

bool wants_xml(const HttpRequest& request) {
  return request.accept.find("application/xml") != std::string::npos &&
         request.accept.find("application/json") == std::string::npos;
}

HttpResponse rest_response(const HttpRequest& request, const RestAnswer& answer) {
  if (answer) return response_of(request, 200, *answer);
  const RemoteException& error = answer.error();
  return response_of(request, error.status,
                     {{"RemoteException",
                       {{"exception", error.name},
                        {"message", error.message},
                        {"javaClassName", error.package + "." + error.name}}}});
}

}  // namespace tracebed
