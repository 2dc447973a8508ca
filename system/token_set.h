// The tokens that a server currently accepts. Any thread may query them, and another may change
// them.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/token.h"

namespace tracebed {

class TokenSet {
 public:
  // Without any, no token is required.
  explicit TokenSet(std::vector<NamedToken> tokens) : tokens_(std::move(tokens)) {}

  void replace(std::vector<NamedToken> tokens) {
    const std::lock_guard lock(mutex_);
    tokens_ = std::move(tokens);
  }
  bool allows_all() const {
    const std::lock_guard lock(mutex_);
    return tokens_.empty();
  }
  // The name of this token; none if it is unknown. Every one is compared, equal or not.
  std::optional<std::string> name_of(std::string_view given) const {
    const std::lock_guard lock(mutex_);
    std::optional<std::string> name;
    for (const NamedToken& known : tokens_) {
      if (is_same_token(given, known.token)) name = known.name;
    }
    return name;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<NamedToken> tokens_;
};

}  // namespace tracebed
