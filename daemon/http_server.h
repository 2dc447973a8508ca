// Answers GET requests for pages over HTTP, and nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "system/token.h"

namespace tracebed {

struct HttpServerOptions {
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  TokenList tokens;  // one is required as "Authorization: Bearer TOKEN"; none: none is
  // Timeout of a whole request, however slowly it arrives.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(10);
};

struct HttpRequest {
  // What is in the places of the route's "{…}", in their order; decoded.
  std::vector<std::string> path_parameters;
  // What follows the "?", decoded; equal names in the request's order.
  std::multimap<std::string, std::string, std::less<>> query;
  std::string accept;  // the header; empty: there is none

  // The first value of that name; empty if there is none.
  std::string_view value(std::string_view name) const {
    const auto found = query.find(name);
    return found == query.end() ? std::string_view() : std::string_view(found->second);
  }
};

struct HttpResponse {
  int status = 200;
  std::string type;  // of the body
  std::string body;
};

class HttpServer {
 public:
  // By route: a path that begins with "/". A segment of it that is written "{…}" is any one that is
  // not empty ("/nodes/{name}"); where several routes match, the first by text is taken.
  using Page = std::function<HttpResponse(const HttpRequest& request)>;
  using Pages = std::map<std::string, Page>;

  // Listens at once and answers from a thread of its own until destroyed. At most 64 connections
  // are kept, each of which must send a whole request before the timeout. A page is called by that
  // thread when it is requested; if it throws, the answer has status 500. Throws EnvironmentError
  // if the port cannot be bound.
  HttpServer(const HttpServerOptions& door, const Pages& pages);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Replaces the tokens from now on.
  void take_tokens(std::vector<NamedToken> tokens);
  std::uint16_t port() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tracebed
