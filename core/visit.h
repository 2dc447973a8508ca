// Visits a variant with one function for each alternative. There is no `else`:
// an alternative without a function of its own does not compile.
//
// Alternatives that are treated alike share a function, which names them:
//   [&](const OneOf<NodeAdded, NodeRemoved> auto& event) { look_at(event.node); }
// Those that need nothing are named, too:
//   Ignore<NodeUpdated, Tick>{}
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

namespace tracebed {

template <class T, class... Alternatives>
concept OneOf = (std::same_as<T, Alternatives> || ...);

template <class... Alternatives>
struct Ignore {
  template <OneOf<Alternatives...> T>
  void operator()(const T&) const {}
};

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

// std::visit for one variant, as a chain of comparisons that the compiler makes a switch of.
// libstdc++ calls through a table of functions from twelve alternatives on, into which nothing is
// inlined; the schedulers' loops over events are too hot for that.
template <std::size_t first, class Variant, class Handler>
decltype(auto) visit_from(Variant&& variant, Handler&& handler) {
  constexpr std::size_t count = std::variant_size_v<std::remove_cvref_t<Variant>>;
  if constexpr (first + 1 < count) {
    if (variant.index() != first) {
      return visit_from<first + 1>(std::forward<Variant>(variant), handler);
    }
  }
  return handler(std::get<first>(std::forward<Variant>(variant)));
}

// Calls the handler of the alternative that `variant` holds, and returns what it returns.
template <class Variant, class... Handlers>
decltype(auto) visit_all(Variant&& variant, Handlers&&... handlers) {
  Overloaded handler{std::forward<Handlers>(handlers)...};
  return visit_from<0>(std::forward<Variant>(variant), handler);
}

}  // namespace tracebed
