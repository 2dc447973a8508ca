// SWF rows as rigid jobs: one gang stage each, of as many equal tasks as the job has processors.
#pragma once

#include "core/names.h"
#include "traces/rules.h"
#include "traces/swf_rows.h"
#include "traces/trace_reader.h"

namespace tracebed {

// Names made of a prefix and a number, interned once per number.
template <class IdType>
class NumberedNames {
 public:
  NumberedNames(NameTable<IdType>& table, std::string prefix, std::string unknown)
      : table_(table), prefix_(std::move(prefix)), unknown_(std::move(unknown)) {}

  // A negative number is the unknown one.
  IdType operator()(std::int64_t number) {
    if (number >= 0 && number < static_cast<std::int64_t>(small_.size()) &&
        small_[static_cast<std::size_t>(number)].is_valid()) {
      return small_[static_cast<std::size_t>(number)];
    }
    return intern(number);
  }

 private:
  static constexpr std::int64_t small_max = 1 << 16;

  IdType intern(std::int64_t number) {
    if (number < 0) {
      if (!unknown_id_.is_valid()) unknown_id_ = table_.intern(unknown_);
      return unknown_id_;
    }
    const IdType id = table_.intern(prefix_ + std::to_string(number));
    if (number < small_max) {
      const auto index = static_cast<std::size_t>(number);
      if (index >= small_.size()) small_.resize(index + 1);
      small_[index] = id;
    }
    return id;
  }

  NameTable<IdType>& table_;
  std::string prefix_;
  std::string unknown_;
  std::vector<IdType> small_;
  IdType unknown_id_;
};

class SwfReader final : public TraceReader {
 public:
  // `names` outlives the reader.
  SwfReader(LineReader lines, const TraceRules& rules, bool skip_bad, Names& names);

  bool next(Job& job) override;
  void tally_into(TraceTally& tally) override;
  std::string_view format() const override { return "swf"; }
  LoadReport report() const override;
  const BadRows& bad_rows() const override { return rows_.bad_rows(); }
  std::string_view compression() const override { return rows_.lines().compression(); }
  std::uint64_t text_bytes() const override { return rows_.lines().text_bytes(); }
  std::int64_t first_submit_microseconds() const override {
    return rows_.first_submit_microseconds();
  }
  std::int64_t last_submit_microseconds() const override {
    return rows_.last_submit_microseconds();
  }
  std::optional<double> recorded_vcores() const override;
  std::vector<std::string_view> rule_prefixes() const override { return {"trace.", "swf."}; }

  const SwfRows& rows() const { return rows_; }

 private:
  // Both false if a rule leaves the row out or it is bad.
  bool set_processors();
  bool set_times();
  void set_demand();
  void fill(Job& job);
  void tally_row();
  std::optional<std::int64_t> known_memory_mib(SwfColumn column) const;

  SwfRows rows_;
  CommonRules common_;
  RigidRules rules_;
  NumberedNames<UserId> users_;
  NumberedNames<QueueId> queues_;
  std::optional<std::int64_t> origin_;
  TraceTally* tally_ = nullptr;
  std::vector<TraceTally::Handle> handles_;
  std::int64_t last_tallied_submit_ = -1;

  // Of the row in work.
  std::int64_t processors_ = 0;
  std::int64_t run_ = 0;    // µs
  std::int64_t limit_ = 0;  // µs
  Resources demand_;
  std::int64_t touched_mib_ = 0;

  std::uint64_t row_count_ = 0;
  std::uint64_t job_count_ = 0;
  std::uint64_t no_processors_ = 0;
  std::uint64_t zero_run_time_ = 0;
  std::uint64_t unknown_run_time_ = 0;
};

}  // namespace tracebed
