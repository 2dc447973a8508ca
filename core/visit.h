// Visits a variant with one function for each alternative. There is no `else`:
// an alternative without a function of its own does not compile.
#pragma once

#include <utility>
#include <variant>

namespace tracebed {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

// Calls the handler of the alternative that `variant` holds, and returns what it returns.
template <class Variant, class... Handlers>
decltype(auto) visit_all(Variant&& variant, Handlers&&... handlers) {
  return std::visit(Overloaded{std::forward<Handlers>(handlers)...},
                    std::forward<Variant>(variant));
}

}  // namespace tracebed
