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
  TokenList tokens;  // one of which is wanted as "Authorization: Bearer TOKEN"; none: none is
  // For a whole request, however slowly it comes.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(10);
};

struct HttpResponse {
  int status = 200;
  std::string type;  // of the body
  std::string body;
};

class HttpServer {
 public:
  // By path, which begins with "/"; what follows a "?" in a request is passed over.
  using Pages = std::map<std::string, std::function<HttpResponse()>>;

  // Listens at once and answers from a thread of its own until destroyed. At most 64 connections
  // are kept, each of which has to bring a whole request in time. A page is called by that
  // thread when it is asked for; one that throws is answered for with status 500. Throws
  // EnvironmentError if the port cannot be had.
  HttpServer(const HttpServerOptions& door, const Pages& pages);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Other tokens from now on.
  void take_tokens(std::vector<NamedToken> tokens);
  std::uint16_t port() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tracebed
