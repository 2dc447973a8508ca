#include "daemon/http_server.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <thread>

#include "core/input_error.h"
#include "daemon/metrics_text.h"
#include "support/eventually.h"
#include "support/http.h"
#include "support/raw_connections.h"

namespace tracebed::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

HttpServer::Pages one_page(const std::string& path, const std::string& text) {
  return {{path, [text](const HttpRequest&) { return metrics_answer(text); }}};
}

TEST(HttpServer, AnswersItsPathsAndNothingElse) {
  HttpServer::Pages pages = one_page(metrics_path, "# HELP a A.\n");
  pages.emplace("/a/b", [](const HttpRequest&) {
    return HttpResponse{404, "application/json", "{}"};
  });
  const HttpServer server({}, pages);
  const std::string answer = http_get(server.port(), "/metrics");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n# HELP a A.\n"));
  const std::string other = http_get(server.port(), "/a/b?query=1");
  EXPECT_THAT(other, StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(other, HasSubstr("Content-Type: application/json"));
  EXPECT_THAT(other, EndsWith("\r\n\r\n{}"));
  for (const char* path : {"/etc/passwd", "/metrics/..", "/a", "/a/b/", "//a/b", "/"}) {
    EXPECT_THAT(http_get(server.port(), path), StartsWith("HTTP/1.1 404")) << path;
  }
}

// What a page was asked, as text.
HttpResponse echo(const HttpRequest& request) {
  std::string text;
  for (const std::string& parameter : request.path_parameters) text += "[" + parameter + "]";
  for (const auto& [name, value] : request.query) text += name + "=" + value + ";";
  return {200, "text/plain", text + request.accept};
}

TEST(HttpServer, ARouteHasPlacesForAnySegment) {
  const HttpServer server({}, {{"/n/{name}", echo},
                               {"/n/{name}/at/{where}", echo},
                               {"/n/all", [](const HttpRequest&) {
                                  return HttpResponse{200, "text/plain", "all of them"};
                                }}});
  struct Case {
    const char* path;
    const char* body;  // null: there is no such page
  };
  for (const Case& test :
       {Case{"/n/x", "[x]"}, Case{"/n/all", "all of them"}, Case{"/n/h2:1235", "[h2:1235]"},
        Case{"/n/a%20b%2Fc%25", "[a b/c%]"}, Case{"/n/x/at/y", "[x][y]"}, Case{"/n/", nullptr},
        Case{"/n", nullptr}, Case{"/n/x/", nullptr}, Case{"/n/x/at/", nullptr},
        Case{"/n/x/by/y", nullptr}}) {
    const std::string answer = http_get(server.port(), test.path);
    if (test.body == nullptr) {
      EXPECT_THAT(answer, StartsWith("HTTP/1.1 404")) << test.path;
    } else {
      EXPECT_THAT(answer, EndsWith(std::string("\r\n\r\n") + test.body)) << test.path;
    }
  }
}

TEST(HttpServer, PassesWhatIsAskedToThePage) {
  const HttpServer server({}, {{"/n/{name}", echo}});
  EXPECT_THAT(http_get(server.port(), "/n/x?b=1&a=c%26d&a=2", "Accept: application/xml\r\n"),
              EndsWith("\r\n\r\n[x]a=c&d;a=2;b=1;application/xml"));
  for (const char* bad : {"/n/x?", "/n/x?=", "/n/x?&&&", "/n/x?%00=%zz", "/n/x?a"}) {
    EXPECT_THAT(http_get(server.port(), bad), StartsWith("HTTP/1.1 200")) << bad;
  }
}

TEST(HttpServer, RefusesWhatDoesMoreThanRead) {
  const HttpServer server({}, one_page("/page", "secret"));
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
    const std::string answer =
        http_exchange(server.port(), http_request(method, "/page", "Content-Length: 0\r\n"));
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 405")) << method;
    EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD")) << method;
  }
  const std::string head = http_exchange(server.port(), http_request("HEAD", "/page"));
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(head, EndsWith("\r\n\r\n"));
}

std::string put_request(const std::string& path, const std::string& body,
                        const std::string& headers = {}) {
  return http_request("PUT", path, fmt::format("Content-Length: {}\r\n{}", body.size(), headers)) +
         body;
}

// What arrived with a request, as text.
HttpResponse echo_body(const HttpRequest& request) {
  return {200, "text/plain", request.content_type + "|" + request.body};
}

HttpServerOptions with_bodies() {
  HttpServerOptions options;
  options.body_bytes_max = 1'000;
  return options;
}

TEST(HttpServer, APathAnswersEachMethodByItsPage) {
  const HttpServer server(with_bodies(), {{"/a/{x}", echo},
                                          {HttpRoute("/a/{x}", HttpMethod::put), echo_body},
                                          {HttpRoute("/only", HttpMethod::put), echo_body}});
  EXPECT_THAT(http_get(server.port(), "/a/1?b=2"), EndsWith("\r\n\r\n[1]b=2;"));
  EXPECT_THAT(http_exchange(server.port(), put_request("/a/1", "new", "Content-Type: a/b\r\n")),
              EndsWith("\r\n\r\na/b|new"));
  const std::string chunked = http_request("PUT", "/a/1", "Transfer-Encoding: chunked\r\n") +
                              "3\r\nnew\r\n2\r\ner\r\n0\r\n\r\n";
  EXPECT_THAT(http_exchange(server.port(), chunked), EndsWith("\r\n\r\n|newer"));
  const std::string deleted = http_exchange(server.port(), http_request("DELETE", "/a/1"));
  EXPECT_THAT(deleted, StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(deleted, HasSubstr("Allow: GET, HEAD, PUT\r\n"));
  for (const char* method : {"GET", "HEAD", "POST"}) {
    const std::string other = http_exchange(server.port(), http_request(method, "/only"));
    EXPECT_THAT(other, StartsWith("HTTP/1.1 405")) << method;
    EXPECT_THAT(other, HasSubstr("Allow: PUT\r\n")) << method;
  }
}

TEST(HttpServer, RefusesABodyThatIsTooLongHoweverItIsSent) {
  const HttpServer server(with_bodies(),
                          {{"/a", echo}, {HttpRoute("/a", HttpMethod::put), echo_body}});
  EXPECT_THAT(http_exchange(server.port(), put_request("/a", std::string(1'000, 'x'))),
              StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(http_exchange(server.port(), put_request("/a", std::string(1'001, 'x'))),
              StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(http_exchange(server.port(), put_request("/a", std::string(10'000'000, 'x'))),
              StartsWith("HTTP/1.1 413"));
  std::string chunks = http_request("PUT", "/a", "Transfer-Encoding: chunked\r\n");
  for (int i = 0; i < 300; ++i) chunks += "4\r\nabcd\r\n";
  EXPECT_THAT(http_exchange(server.port(), chunks + "0\r\n\r\n"), Not(HasSubstr(" 200 ")));
  EXPECT_THAT(
      http_exchange(server.port(), http_request("GET", "/a", "Content-Length: 3\r\n") + "abc"),
      StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(http_get(server.port(), "/a"), StartsWith("HTTP/1.1 200"));
}

// What never comes is waited for as long as for any request.
TEST(HttpServer, InvitesNobodyToSendWhatIsTooLong) {
  HttpServerOptions door = with_bodies();
  door.request_timeout = std::chrono::milliseconds(300);
  const HttpServer server(door, {{HttpRoute("/a", HttpMethod::put), echo_body}});
  const std::string expects = "Expect: 100-continue\r\nContent-Length: ";
  EXPECT_THAT(http_exchange(server.port(), http_request("PUT", "/a", expects + "900\r\n")),
              StartsWith("HTTP/1.1 100"));
  EXPECT_THAT(http_exchange(server.port(), http_request("PUT", "/a", expects + "999999999999\r\n")),
              Not(HasSubstr(" 100 ")));
}

TEST(HttpServer, CutsABodyThatDoesNotEnd) {
  HttpServerOptions door = with_bodies();
  door.request_timeout = std::chrono::milliseconds(300);
  std::atomic<bool> is_called = false;
  const HttpServer server(door, {{HttpRoute("/a", HttpMethod::put), [&](const HttpRequest&) {
                                    is_called = true;
                                    return HttpResponse{200, "text/plain", ""};
                                  }}});
  const FileDescriptor half = raw_connection(server.port());
  ASSERT_TRUE(half.is_open());
  const std::string request = http_request("PUT", "/a", "Content-Length: 500\r\n") + "half of it";
  ASSERT_EQ(::send(half.number(), request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  EXPECT_TRUE(eventually([&] { return is_closed_by_peer(half); }));
  EXPECT_FALSE(is_called);
}

// An answer that comes when the test lets it.
struct LateAnswer {
  std::atomic<bool> has_come = false;
  std::atomic<int> looks = 0;

  HttpServer::Page page() {
    return [this](const HttpRequest&) {
      HttpResponse response;
      response.later = [this]() -> std::optional<HttpResponse> {
        ++looks;
        if (!has_come) return std::nullopt;
        return HttpResponse{200, "text/plain", "late"};
      };
      return response;
    };
  }
};

TEST(HttpServer, AnswersOthersWhileAnAnswerIsNotThere) {
  LateAnswer late;
  const HttpServer server({}, {{"/late", late.page()}, {"/a", echo}});
  std::string first;
  std::string second;
  std::thread asks([&] { first = http_get(server.port(), "/late"); });
  std::thread asks_too([&] { second = http_get(server.port(), "/late"); });
  EXPECT_TRUE(eventually([&] { return late.looks >= 4; }));
  EXPECT_THAT(http_get(server.port(), "/a"), StartsWith("HTTP/1.1 200"));
  late.has_come = true;
  asks.join();
  asks_too.join();
  EXPECT_THAT(first, EndsWith("\r\n\r\nlate"));
  EXPECT_THAT(second, EndsWith("\r\n\r\nlate"));
}

TEST(HttpServer, ForgetsWhoDoesNotWaitForALateAnswer) {
  LateAnswer late;
  {
    const HttpServer server({}, {{"/late", late.page()}, {"/a", echo}});
    for (int i = 0; i < 5; ++i) {
      const FileDescriptor gone = raw_connection(server.port());
      const std::string request = http_request("GET", "/late");
      ASSERT_GT(::send(gone.number(), request.data(), request.size(), MSG_NOSIGNAL), 0);
    }
    EXPECT_TRUE(eventually([&] { return late.looks >= 10; }));
    late.has_come = true;
    const int looks = late.looks;
    EXPECT_TRUE(eventually([&] { return late.looks > looks; }));
    EXPECT_THAT(http_get(server.port(), "/a"), StartsWith("HTTP/1.1 200"));
    late.has_come = false;
    const FileDescriptor stays = raw_connection(server.port());
    const std::string request = http_request("GET", "/late");
    ASSERT_GT(::send(stays.number(), request.data(), request.size(), MSG_NOSIGNAL), 0);
    EXPECT_TRUE(eventually([&] { return late.looks > looks + 5; }));
  }  // the server ends with a request that was not answered
}

TEST(HttpServer, OutlivesHostileRequests) {
  const HttpServer server({}, one_page("/page", "secret"));
  const std::string long_header = "X: " + std::string(20'000, 'x') + "\r\n";
  for (const std::string& request :
       {std::string("no HTTP at all\r\n\r\n"), std::string("\r\n\r\n"), std::string(4'096, '\0'),
        http_request("GET", "/" + std::string(20'000, 'x')),
        http_request("GET", "/page", long_header), http_request("BREW", "/page"),
        http_request("GET", "http://[::1/page"), http_request("GET", "/%00%ff%"),
        http_request("POST", "/page", "Content-Length: 9999999999999999999999\r\n"),
        http_request("POST", "/page", "Content-Length: 5\r\n") + "hello",
        http_request("POST", "/page", "Transfer-Encoding: chunked\r\n") + "ffffffff\r\n"}) {
    EXPECT_THAT(http_exchange(server.port(), request), Not(HasSubstr("secret")))
        << request.substr(0, 100);
  }
  EXPECT_THAT(http_get(server.port(), "/page"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServer, AnswersWhoHasTheToken) {
  const std::string token(40, 't');
  const HttpServer server({"127.0.0.1", 0, token}, one_page("/page", "secret\n"));
  const std::string without = http_get(server.port(), "/page");
  EXPECT_THAT(without, StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(without, HasSubstr("WWW-Authenticate: Bearer"));
  for (const std::string& wrong :
       {std::string("Bearer "), std::string("Bearer x"), "Basic " + token, token}) {
    const std::string answer = http_get(server.port(), "/page", "Authorization: " + wrong + "\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 401")) << wrong;
    EXPECT_THAT(answer, Not(HasSubstr("secret")));
  }
  EXPECT_THAT(http_get(server.port(), "/page", bearer(token)), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServer, AnswersForAPageThatCannotBeMade) {
  HttpServer::Pages pages = one_page("/page", "text");
  pages.emplace("/broken",
                [](const HttpRequest&) -> HttpResponse { throw std::runtime_error("no room"); });
  const HttpServer server({}, pages);
  const std::string answer = http_get(server.port(), "/broken");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 500"));
  EXPECT_THAT(answer, Not(HasSubstr("no room")));
  EXPECT_THAT(http_get(server.port(), "/page"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServer, SaysWhichPortIsTaken) {
  const HttpServer first({}, {});
  EXPECT_THAT(([&] {
                HttpServer({"127.0.0.1", first.port(), ""}, {});
              }),
              ::testing::ThrowsMessage<EnvironmentError>(
                  HasSubstr(fmt::format("cannot listen on 127.0.0.1:{}", first.port()))));
}

TEST(HttpServer, ARequestThatNeverEndsIsCutHoweverOftenAByteComes) {
  HttpServerOptions door;
  door.request_timeout = std::chrono::milliseconds(300);
  const HttpServer server(door, one_page("/page", "text"));
  const FileDescriptor slow = raw_connection(server.port());
  ASSERT_TRUE(slow.is_open());
  EXPECT_TRUE(eventually([&] {
    static_cast<void>(::send(slow.number(), "G", 1, MSG_NOSIGNAL));
    return is_closed_by_peer(slow);
  }));
}

TEST(HttpServer, AnswersHoweverManyConnectionsSayNothing) {
  const HttpServer server({}, one_page("/page", "text"));
  const auto silent = raw_connections(server.port(), 300);
  EXPECT_THAT(http_get(server.port(), "/page"), StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(eventually(
      [&] { return std::count_if(silent.begin(), silent.end(), is_closed_by_peer) >= 236; }));
}

}  // namespace
}  // namespace tracebed::test
