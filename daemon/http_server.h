// Answers GET requests for a handful of pages over HTTP, and nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
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

struct HttpResponse {
  int status = 200;
  std::string type;  // of the body
  std::string body;
};

class HttpServer {
 public:
  // By path, which begins with "/"; what follows a "?" in a request is ignored.
  using Pages = std::map<std::string, std::function<HttpResponse()>>;

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
