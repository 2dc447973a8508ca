// Answers in the form of YARN's web services: objects, and RemoteException for what fails.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/result.h"
#include "daemon/http_server.h"

namespace tracebed {

// org.apache.hadoop.yarn.webapp.RemoteExceptionData.
struct RemoteException {
  int status = 0;
  std::string package;
  std::string name;
  std::string message;
};
RemoteException not_found(std::string message);
RemoteException bad_request(std::string message);
RemoteException forbidden(std::string message);
// To be asked again later.
RemoteException unavailable(std::string message);

// Whether the answer is to be XML: who accepts JSON as well gets that.
bool wants_xml(const HttpRequest& request);

using RestAnswer = Result<nlohmann::ordered_json, RemoteException>;
HttpResponse rest_response(const HttpRequest& request, const RestAnswer& answer);

}  // namespace tracebed
