// Answers GET requests for a handful of pages over HTTP, and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace tracebed {

struct HttpDoor {
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  std::string token;                  // wanted as "Authorization: Bearer TOKEN"; empty: none is
};

struct HttpAnswer {
  int status = 200;
  std::string type;  // of the body
  std::string body;
};

class HttpServer {
 public:
  // By path, which begins with "/"; what follows a "?" in a request is passed over.
  using Pages = std::map<std::string, std::function<HttpAnswer()>>;

  // Listens at once and answers from a thread of its own until destroyed. A page is called by that
  // thread when it is asked for; one that throws is answered for with status 500. Throws
  // EnvironmentError if the port cannot be had.
  HttpServer(const HttpDoor& door, const Pages& pages);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tracebed
