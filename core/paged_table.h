// A table from dense, growing ids to values. Ids are assigned in order, by the table or by another;
// erased ones are not reused. Values are kept in pages that are freed when all of their ids are
// erased, so a run over an endless trace holds only what is alive. References stay valid until
// their own value is erased.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
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
  // Adds a value under an id that was assigned elsewhere and that the table does not hold.
  template <class... Arguments>
  Value& emplace_at(IdType id, Arguments&&... arguments) {
    TRACEBED_CHECK(id.is_valid(), "a value has an id");
    Page* page = page_of(id);
    if (page == nullptr) page = add_page(id);
    TRACEBED_CHECK(!page->is_alive(id), "a table holds at most one value per id");
    Value* const value = ::new (page->place(id)) Value(std::forward<Arguments>(arguments)...);
    page->alive |= mark_of(id);
    ++alive_;
    next_ = std::max(next_, id.index() + 1);
    return *value;
  }

  // Adds `count` values under ids from `first` on, none of which the table holds, and calls
  // visit(value) for each, in order. `visit` may not change the table.
  template <class Visitor>
  void emplace_range(IdType first, std::size_t count, Visitor&& visit) {
    TRACEBED_CHECK(first.is_valid(), "a value has an id");
    std::size_t index = first.index();
    const std::size_t end = index + count;
    while (index < end) {
      Page* page = page_of(IdType(index));
      if (page == nullptr) page = add_page(IdType(index));
      const std::size_t page_end = std::min(end, (index / page_size + 1) * page_size);
      const std::uint32_t marks = marks_of(index, page_end);
      TRACEBED_CHECK((page->alive & marks) == 0, "a table holds at most one value per id");
      for (; index < page_end; ++index) visit(*::new (page->place(IdType(index))) Value());
      page->alive |= marks;
    }
    alive_ += count;
    next_ = std::max(next_, end);
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
    Page* const page = page_of(id);
    return page != nullptr && page->is_alive(id) ? page->value(id) : nullptr;
  }
  const Value* find(IdType id) const { return const_cast<PagedTable*>(this)->find(id); }

  void erase(IdType id) {
    Page* const page = page_of(id);
    TRACEBED_CHECK(page != nullptr && page->is_alive(id), "only what a table holds is erased");
    page->value(id)->~Value();
    page->alive &= ~mark_of(id);
    --alive_;
    if (page->alive == 0) spare_ = std::move(pages_[id.index() / page_size]);
  }

  // Likewise `count` values from `first` on.
  void erase_range(IdType first, std::size_t count) {
    std::size_t index = first.index();
    for (const std::size_t end = index + count; index < end;) {
      const std::size_t page_index = index / page_size;
      Page* const page = page_of(IdType(index));
      const std::size_t page_end = std::min(end, (page_index + 1) * page_size);
      const std::uint32_t marks = marks_of(index, page_end);
      TRACEBED_CHECK(page != nullptr && (page->alive & marks) == marks,
                     "only what a table holds is erased");
      std::destroy_n(page->value(IdType(index)), page_end - index);
      page->alive &= ~marks;
      index = page_end;
      if (page->alive == 0) spare_ = std::move(pages_[page_index]);
    }
    alive_ -= count;
  }

  std::size_t size() const { return alive_; }
  // The id that the next emplace will return.
  IdType next_id() const { return IdType(next_); }

  // Calls visit(value) for `count` values from `first` on, all of which the table holds. `visit`
  // may not change the table.
  template <class Visitor>
  void visit_range(IdType first, std::size_t count, Visitor&& visit) {
    std::size_t index = first.index();
    for (const std::size_t end = index + count; index < end;) {
      Page* const page = page_of(IdType(index));
      const std::size_t page_end = std::min(end, (index / page_size + 1) * page_size);
      const std::uint32_t marks = marks_of(index, page_end);
      TRACEBED_CHECK(page != nullptr && (page->alive & marks) == marks,
                     "a table is asked only for what it holds");
      for (; index < page_end; ++index) visit(*page->value(IdType(index)));
    }
  }

  template <class Visitor>
  void visit_range(IdType first, std::size_t count, Visitor&& visit) const {
    const_cast<PagedTable*>(this)->visit_range(first, count,
                                               [&](Value& value) { visit(std::as_const(value)); });
  }

  // Calls visit(value, other's value) for `count` ids from `first` on, all of which both tables
  // hold. `visit` may change neither table.
  template <class Other, class Visitor>
  void visit_range_with(const PagedTable<IdType, Other>& other, IdType first, std::size_t count,
                        Visitor&& visit) const {
    std::size_t index = first.index();
    for (const std::size_t end = index + count; index < end;) {
      Page* const page = page_of(IdType(index));
      auto* const others = other.page_of(IdType(index));
      const std::size_t page_end = std::min(end, (index / page_size + 1) * page_size);
      const std::uint32_t marks = marks_of(index, page_end);
      TRACEBED_CHECK(
          page != nullptr && others != nullptr && (page->alive & others->alive & marks) == marks,
          "tables are asked only for what they hold");
      for (; index < page_end; ++index) {
        visit(std::as_const(*page->value(IdType(index))),
              std::as_const(*others->value(IdType(index))));
      }
    }
  }

  // The greatest id in the table that is not above `id`; invalid if there is none.
  IdType last_up_to(IdType id) const {
    if (pages_.empty()) return IdType();
    std::size_t p = std::min(id.index() / page_size, pages_.size() - 1);
    std::uint32_t wanted = ~std::uint32_t{0};
    if (p == id.index() / page_size) wanted >>= page_size - 1 - id.index() % page_size;
    for (;; --p, wanted = ~std::uint32_t{0}) {
      const std::uint32_t alive = pages_[p] ? pages_[p]->alive & wanted : 0;
      if (alive != 0) return IdType(p * page_size + std::bit_width(alive) - 1);
      if (p == 0) return IdType();
    }
  }

  // Calls visit(id, value) in id order.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (std::size_t p = 0; p < pages_.size(); ++p) {
      if (!pages_[p]) continue;
      for (std::size_t i = 0; i < page_size; ++i) {
        const IdType id(p * page_size + i);
        if (pages_[p]->is_alive(id)) visit(id, std::as_const(*pages_[p]->value(id)));
      }
    }
  }

 private:
  template <class, class>
  friend class PagedTable;

  static constexpr std::size_t page_size = 32;  // the number of bits in a word
  static std::uint32_t mark_of(IdType id) { return std::uint32_t{1} << (id.index() % page_size); }

  // Of the ids from `begin` to before `end`, all of one page and at least one.
  static std::uint32_t marks_of(std::size_t begin, std::size_t end) {
    return (~std::uint32_t{0} >> (page_size - (end - begin))) << (begin % page_size);
  }

  // Memory for values; those marked in `alive` exist. It is not cleared, since much of it will be
  // written only much later.
  struct Page {
    Page() {}  // NOLINT: a default one would clear the memory when it is value-initialised
    ~Page() {
      for (; alive != 0; alive &= alive - 1) {
        value(IdType(static_cast<std::uint32_t>(std::countr_zero(alive))))->~Value();
      }
    }
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

    bool is_alive(IdType id) const { return ((alive >> id.index() % page_size) & 1) != 0; }
    std::byte* place(IdType id) { return memory + id.index() % page_size * sizeof(Value); }
    Value* value(IdType id) { return std::launder(reinterpret_cast<Value*>(place(id))); }

    std::uint32_t alive = 0;
    alignas(Value) std::byte memory[page_size * sizeof(Value)];
  };

  Page* page_of(IdType id) const {
    const std::size_t page_index = id.index() / page_size;
    return page_index < page_count_ ? pages_[page_index].get() : nullptr;
  }
  Page* add_page(IdType id) {
    const std::size_t page_index = id.index() / page_size;
    if (page_index >= page_count_) {
      pages_.resize(page_index + 1);
      page_count_ = pages_.size();
    }
    pages_[page_index] = spare_ ? std::move(spare_) : std::make_unique_for_overwrite<Page>();
    return pages_[page_index].get();
  }

  std::vector<std::unique_ptr<Page>> pages_;
  std::size_t page_count_ = 0;  // of pages_, kept since every look-up compares with it
  std::unique_ptr<Page> spare_;
  std::size_t next_ = 0;
  std::size_t alive_ = 0;
};

}  // namespace tracebed
