#include "schedulers/hadoop1/fair/pool_allocations.h"

#include <charconv>

#include "core/text.h"
#include "schedulers/parts/java_int.h"
#include "schedulers/parts/quoted_value.h"

namespace tracebed {
namespace {

class PoolLoader {
 public:
  explicit PoolLoader(SlotFairGeneration generation)
      : is_late_(generation == SlotFairGeneration::ratios) {}

  Result<PoolAllocations> load(const XmlElement& root) {
    if (root.name != "allocations") {
      return Error{root.where + ": expected <allocations>, got <" + root.name + ">"};
    }
    for (const XmlElement& element : root.children) read_top(element);
    if (!error_.empty()) return Error{error_};
    return std::move(allocations_);
  }

 private:
  void fail(const XmlElement& element, const std::string& expected) {
    if (!error_.empty()) return;
    error_ = place_of(element) + ": expected " + expected + ", got " +
             quoted_value(trimmed(element.text));
  }

  template <class Number>
  Number number(const XmlElement& element, Number most, const char* expected) {
    const std::string_view text = trimmed(element.text);
    Number value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = failure == std::errc() && end == text.data() + text.size();
    if (is_whole && value >= 0 && value <= most) return value;
    fail(element, expected);
    return Number{};
  }
  std::int64_t count(const XmlElement& element) {
    return number<std::int64_t>(element, java_int_max, "a whole number of at least 0");
  }
  Duration timeout(const XmlElement& element) { return seconds(count(element)); }

  bool is_fifo(const XmlElement& element) {
    const std::string_view text = trimmed(element.text);
    const auto is_word = [&](std::string_view word) {
      return text.size() == word.size() &&
             std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
             });
    };
    if (!is_word("fair") && !is_word("fifo")) fail(element, "fair or fifo");
    return is_word("fifo");
  }

  void read_top(const XmlElement& element) {
    const std::string& name = element.name;
    if (name == "pool") {
      read_pool(element);
    } else if (name == "user") {
      read_user(element);
    } else if (name == "userMaxJobsDefault") {
      allocations_.maximum_running_of_user = count(element);
    } else if (is_late_ && name == "poolMaxJobsDefault") {
      allocations_.maximum_running_of_pool = count(element);
    } else if (is_late_ && name == "fairSharePreemptionTimeout") {
      allocations_.fair_share_timeout = timeout(element);
    } else if (is_late_ && name == "defaultMinSharePreemptionTimeout") {
      allocations_.minimum_timeout = timeout(element);
    } else if (is_late_ && name == "defaultPoolSchedulingMode") {
      allocations_.is_fifo = is_fifo(element);
    } else {
      allocations_.unread.push_back(place_of(element));
    }
  }

  const std::string* name_of(const XmlElement& element) {
    const std::string* name = element.attribute("name");
    if (name == nullptr || trimmed(*name).empty()) {
      fail(element, "a name");
      return nullptr;
    }
    return name;
  }

  void read_pool(const XmlElement& element) {
    const std::string* name = name_of(element);
    if (name == nullptr) return;
    const auto [pool, is_new] = allocations_.pools.try_emplace(std::string(trimmed(*name)));
    if (!is_new) return fail(element, "each pool once, not \"" + pool->first + "\" again");
    PoolRules& rules = pool->second;
    for (const XmlElement& field : element.children) read_field(field, rules);
    for (const SlotKind kind : slot_kinds) {
      if (!rules.maximum[kind] || *rules.maximum[kind] >= rules.minimum[kind]) continue;
      fail(element, "a maximum of at least the minimum of pool \"" + pool->first + "\"");
    }
  }

  void read_field(const XmlElement& field, PoolRules& rules) {
    const std::string& name = field.name;
    if (name == "minMaps") {
      rules.minimum.map = count(field);
    } else if (name == "minReduces") {
      rules.minimum.reduce = count(field);
    } else if (name == "maxRunningJobs") {
      rules.maximum_running = count(field);
    } else if (name == "weight") {
      rules.weight = number<double>(field, 1e9, "a number of at least 0");
    } else if (is_late_ && name == "maxMaps") {
      rules.maximum.map = count(field);
    } else if (is_late_ && name == "maxReduces") {
      rules.maximum.reduce = count(field);
    } else if (is_late_ && name == "minSharePreemptionTimeout") {
      rules.minimum_timeout = timeout(field);
    } else if (is_late_ && name == "schedulingMode") {
      rules.is_fifo = is_fifo(field);
    } else {
      allocations_.unread.push_back(place_of(field));
    }
  }

  void read_user(const XmlElement& element) {
    const std::string* name = name_of(element);
    if (name == nullptr) return;
    for (const XmlElement& field : element.children) {
      if (field.name == "maxRunningJobs") {
        allocations_.maximum_running_of_users[std::string(trimmed(*name))] = count(field);
      } else {
        allocations_.unread.push_back(place_of(field));
      }
    }
  }

  bool is_late_;
  PoolAllocations allocations_;
  std::string error_;  // empty: none so far
};

}  // namespace

const PoolRules& PoolAllocations::of(const std::string& pool) const {
  static const PoolRules defaults;
  const auto found = pools.find(pool);
  return found == pools.end() ? defaults : found->second;
}

Result<PoolAllocations> read_pool_allocations(const XmlElement& root,
                                              SlotFairGeneration generation) {
  return PoolLoader(generation).load(root);
}

}  // namespace tracebed
