#include <algorithm>
#include <charconv>

#include "agents/launcher/enclosure.h"

namespace tracebed::launcher {
namespace {

// The cgroup's name of a container: its id in decimals.
class Name {
 public:
  explicit Name(std::uint32_t container)
      : end_(std::to_chars(text_.begin(), text_.end(), container).ptr) {}
  operator std::string_view() const {
    return {text_.data(), static_cast<std::size_t>(end_ - text_.data())};
  }

 private:
  std::array<char, 16> text_;
  const char* end_;
};

class CgroupEnclosure final : public Enclosure {
 public:
  explicit CgroupEnclosure(std::unique_ptr<CgroupTree> tree) : tree_(std::move(tree)) {}

  Isolation isolation() const override {
    return tree_->version() == CgroupVersion::v1 ? Isolation::cgroup_v1 : Isolation::cgroup_v2;
  }
  std::string description() const override { return tree_->description(); }

  Result<Opened> open(std::uint32_t container, const CgroupLimits& limits) override {
    Result<CgroupEntry> entry = tree_->create(Name(container), limits);
    if (!entry) return entry.error();
    Opened opened;
    opened.entry = *std::move(entry);
    return opened;
  }
  void started(std::uint32_t, pid_t) override {}

  CgroupAccount account(std::uint32_t container, const Reaped& reaped) override {
    Result<CgroupAccount> read = tree_->account(Name(container));
    CgroupAccount account = read ? *read : CgroupAccount();
    if (account.memory_peak_bytes == 0) {
      account.memory_peak_bytes = std::int64_t{reaped.used.ru_maxrss} * 1'024;
    }
    // Each of the two can only count too little: version 1 nothing, the process's own account not
    // what its abandoned children did.
    account.bytes_read = std::max(account.bytes_read, reaped.bytes_read);
    account.bytes_written = std::max(account.bytes_written, reaped.bytes_written);
    return account;
  }
  Status renew_cpu_quota(std::uint32_t container) override {
    return tree_->renew_cpu_quota(Name(container));
  }
  Status kill(std::uint32_t container) override { return tree_->kill(Name(container)); }
  Removal remove(std::uint32_t container) override { return tree_->remove(Name(container)); }
  Status limit_cpu_of_all(std::int64_t milli_vcores) override {
    return tree_->limit_cpu_of_all(milli_vcores);
  }
  Result<CgroupUsage> usage() override { return tree_->usage(); }
  Status close() override { return tree_->close(); }

 private:
  std::unique_ptr<CgroupTree> tree_;
};

}  // namespace

std::unique_ptr<Enclosure> make_cgroup_enclosure(std::unique_ptr<CgroupTree> tree) {
  return std::make_unique<CgroupEnclosure>(std::move(tree));
}

}  // namespace tracebed::launcher
