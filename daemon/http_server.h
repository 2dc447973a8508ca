// Answers requests over HTTP: by route and method, with bounds on everything that a client sends.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/token.h"

namespace tracebed {

struct HttpServerOptions {
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  TokenList tokens;  // one is required as "Authorization: Bearer TOKEN"; none: none is
  // Timeout of a whole request, however slowly it arrives.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(10);
  // Of a request that may have a body: not of GET and HEAD. A longer one is answered with status
  // 413. What comes before a token is checked is bounded by this for each of 16 connections.
  std::size_t body_bytes_max = 0;
};

enum class HttpMethod : std::uint8_t { get, put };

struct HttpRequest {
  // What is in the places of the route's "{…}", in their order; decoded.
  std::vector<std::string> path_parameters;
  // What follows the "?", decoded; equal names in the request's order.
  std::multimap<std::string, std::string, std::less<>> query;
  std::string accept;             // the header; empty: there is none
  std::string content_type = {};  // likewise
  std::string body = {};
  std::string peer = {};        // ADDRESS:PORT of the connection
  std::string token_name = {};  // of the token that it was sent with; empty: none is required

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
  // The answer is not there yet: the server asks for it again, some fifty times a second, until it
  // is; other requests are answered meanwhile. What is above is then not used.
  std::function<std::optional<HttpResponse>()> later = {};
};

struct HttpRoute {
  // A segment of the path, which begins with "/", that is written "{…}" is any one that is not
  // empty ("/nodes/{name}"); where several paths match, the first by text is taken.
  std::string path;
  HttpMethod method = HttpMethod::get;  // which answers HEAD, too

  // Implicit: most pages are of a path alone.
  HttpRoute(std::string of_path, HttpMethod by = HttpMethod::get)
      : path(std::move(of_path)), method(by) {}
  HttpRoute(const char* of_path) : path(of_path) {}
  auto operator<=>(const HttpRoute&) const = default;
};

class HttpServer {
 public:
  using Page = std::function<HttpResponse(const HttpRequest& request)>;
  // A path without a page for a request's method is answered with status 405.
  using Pages = std::map<HttpRoute, Page>;

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
