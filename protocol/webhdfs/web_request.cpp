#include "protocol/webhdfs/web_request.h"

#include <algorithm>
#include <set>
#include <utility>

#include "protocol/webhdfs/percent_coding.h"
#include "protocol/webhdfs/web_parameters.h"

namespace tracebed::webhdfs {
namespace {

constexpr std::string_view prefix = "/webhdfs/v1";

struct Target {
  std::string_view path;
  std::string_view query;
};

Target divided_target(std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  return {target.substr(0, mark), target.substr(std::min(mark + 1, target.size()))};
}

// Calls `visit` with each "name=value" until it returns false.
template <class Visit>
void for_each_pair(std::string_view query, const Visit& visit) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const bool goes_on = pair.empty() || visit(pair, pair.substr(0, equals),
                                               pair.substr(std::min(equals + 1, pair.size())));
    if (!goes_on) return;
    query.remove_prefix(std::min(end + 1, query.size()));
  }
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

struct Query {
  std::optional<std::string> operation;
  WebParameters parameters;
};

Result<Query, WebFailure> parse_query(std::string_view text) {
  Query query;
  std::set<std::string, std::less<>> seen;
  std::optional<WebFailure> failure;
  for_each_pair(
      text, [&](std::string_view pair, std::string_view raw_name, std::string_view raw_value) {
        std::optional<std::string> name = percent_decoded(raw_name, true);
        std::optional<std::string> value = percent_decoded(raw_value, true);
        if (!name || !value) {
          failure = illegal_argument("The query has a bad escape in \"" + std::string(pair) + "\"");
          return false;
        }
        const auto [position, is_new] = seen.insert(lower_case(std::move(*name)));
        if (!is_new) return true;
        if (*position == "op") {
          query.operation = std::move(*value);
        } else {
          failure = set_parameter(*position, std::move(*value), query.parameters);
        }
        return !failure;
      });
  if (failure) return std::move(*failure);
  return query;
}

}  // namespace

Result<WebRequest, WebFailure> parse_web_request(HttpMethod method, std::string_view target,
                                                 const WebLimits& limits) {
  if (target.size() > limits.target_bytes_max) {
    return illegal_argument("The request has more than " + std::to_string(limits.target_bytes_max) +
                            " bytes");
  }
  const auto [path, query_text] = divided_target(target);
  const bool is_below =
      path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
  if (!is_below) return file_not_found("The path does not begin with /webhdfs/v1/");
  std::optional<std::string> decoded = percent_decoded(path.substr(prefix.size()), false);
  if (!decoded) return illegal_argument("The path has a bad escape");
  Result<Query, WebFailure> query = parse_query(query_text);
  if (!query) return query.error();
  const Result<WebOperation, WebFailure> operation =
      web_operation(method, query->operation.value_or("NULL"));
  if (!operation) return operation.error();
  return WebRequest{*operation, decoded->empty() ? "/" : std::move(*decoded),
                    std::move(query->parameters)};
}

std::string redirected_target(std::string_view target, std::string_view namenode_address) {
  const auto [path, query] = divided_target(target);
  std::string redirected(path);
  char separator = '?';
  for_each_pair(query, [&](std::string_view pair, std::string_view raw_name, std::string_view) {
    const std::string name = lower_case(percent_decoded(raw_name, true).value_or(""));
    if (name != "noredirect" && name != "namenoderpcaddress") {
      redirected += separator;
      redirected += pair;
      separator = '&';
    }
    return true;
  });
  redirected += separator;
  redirected += "namenoderpcaddress=" + percent_encoded(namenode_address);
  return redirected;
}

}  // namespace tracebed::webhdfs
