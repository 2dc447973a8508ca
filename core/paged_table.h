// A table from dense, growing ids to values. Ids are handed out in order, by the table or by
// somebody else; erased ones are not used again. Values live in pages that are freed when all of
// their ids are gone, so a run over an endless trace holds only what is alive. References stay
// valid until their own value is erased.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/check.h"

namespace tracebed {

template <class IdType, class Value>
class PagedTable {
 public:
  // Adds a value under the next id, one above the highest used so far.
  template <class... Arguments>
  IdType emplace(Arguments&&... arguments) {
    const IdType id(next_);
    emplace_at(id, std::forward<Arguments>(arguments)...);
    return id;
  }
  // Adds a value under an id that somebody else handed out and that the table does not hold.
  template <class... Arguments>
  Value& emplace_at(IdType id, Arguments&&... arguments) {
    TRACEBED_CHECK(id.is_valid(), "a value has an id");
    const std::size_t page_index = id.index() / page_size;
    if (page_index >= pages_.size()) pages_.resize(page_index + 1);
    std::unique_ptr<Page>& page = pages_[page_index];
    if (!page) page = spare_ ? std::move(spare_) : std::make_unique<Page>();
    std::optional<Value>& place = page->values[id.index() % page_size];
    TRACEBED_CHECK(!place, "a table holds at most one value per id");
    place.emplace(std::forward<Arguments>(arguments)...);
    ++page->alive;
    ++alive_;
    next_ = std::max(next_, id.index() + 1);
    return *place;
  }

  // True while the id's value is in the table.
  bool contains(IdType id) const { return find(id) != nullptr; }
  Value& operator[](IdType id) {
    Value* value = find(id);
    TRACEBED_CHECK(value != nullptr, "a table is asked only for what it holds");
    return *value;
  }
  const Value& operator[](IdType id) const { return (*const_cast<PagedTable*>(this))[id]; }
  // The id's value, or null if it is not in the table.
  Value* find(IdType id) {
    const std::size_t page_index = id.index() / page_size;
    if (page_index >= pages_.size() || !pages_[page_index]) return nullptr;
    std::optional<Value>& place = pages_[page_index]->values[id.index() % page_size];
    return place ? &*place : nullptr;
  }
  const Value* find(IdType id) const { return const_cast<PagedTable*>(this)->find(id); }

  void erase(IdType id) {
    TRACEBED_CHECK(contains(id), "only what a table holds is erased");
    std::unique_ptr<Page>& page = pages_[id.index() / page_size];
    page->values[id.index() % page_size].reset();
    --alive_;
    if (--page->alive == 0) spare_ = std::move(page);
  }

  std::size_t size() const { return alive_; }
  // The id that the next emplace will return.
  IdType next_id() const { return IdType(next_); }

  // Calls visit(id, value) in id order.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (std::size_t p = 0; p < pages_.size(); ++p) {
      if (!pages_[p]) continue;
      for (std::size_t i = 0; i < page_size; ++i) {
        const std::optional<Value>& value = pages_[p]->values[i];
        if (value) visit(IdType(p * page_size + i), *value);
      }
    }
  }

 private:
  static constexpr std::size_t page_size = 32;
  struct Page {
    std::array<std::optional<Value>, page_size> values;
    std::size_t alive = 0;
  };

  std::vector<std::unique_ptr<Page>> pages_;
  std::unique_ptr<Page> spare_;
  std::size_t next_ = 0;
  std::size_t alive_ = 0;
};

}  // namespace tracebed
