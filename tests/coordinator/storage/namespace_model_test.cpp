// The tree against a plain list of paths, over random calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "coordinator/storage/namespace_tree.h"
#include "core/random.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

// Every path with what it is, and nothing else: each call works on the texts alone.
class PlainPaths {
 public:
  PlainPaths() { paths_["/"] = true; }

  static std::string above(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == 0 ? "/" : path.substr(0, slash);
  }
  bool has(const std::string& path) const { return paths_.contains(path); }
  bool is_directory(const std::string& path) const { return has(path) && paths_.at(path); }
  bool is_file(const std::string& path) const { return has(path) && !paths_.at(path); }
  bool is_below_a_file(const std::string& path) const {
    for (std::string at = path; at != "/"; at = above(at)) {
      if (at != path && is_file(at)) return true;
    }
    return false;
  }
  bool is_empty(const std::string& path) const { return below(path).size() == 1; }

  void add(const std::string& path, bool is_directory) {
    for (std::string at = above(path); !has(at); at = above(at)) paths_[at] = true;
    paths_[path] = is_directory;
  }
  void erase(const std::string& path) {
    for (const std::string& each : below(path)) paths_.erase(each);
  }
  void move(const std::string& from, const std::string& to) {
    std::map<std::string, bool> moved;
    for (const std::string& each : below(from)) moved[to + each.substr(from.size())] = paths_[each];
    erase(from);
    paths_.insert(moved.begin(), moved.end());
  }
  const std::map<std::string, bool>& all() const { return paths_; }

 private:
  std::vector<std::string> below(const std::string& path) const {
    std::vector<std::string> found;
    for (const auto& [each, is_directory] : paths_) {
      if (each == path || each.starts_with(path + "/")) found.push_back(each);
    }
    return found;
  }
  std::map<std::string, bool> paths_;  // true: a directory
};

class RandomCalls {
 public:
  explicit RandomCalls(std::uint64_t seed) : random_(Random::stream(seed, "namespace calls")) {}

  void run(int calls) {
    for (int i = 0; i < calls && !testing::Test::HasFailure(); ++i) {
      const std::string a = path();
      const std::string b = path();
      switch (random_.below(4)) {
        case 0:
          make(a, random_.chance(0.5));
          break;
        case 1:
          create(a, random_.chance(0.5));
          break;
        case 2:
          remove(a, random_.chance(0.5));
          break;
        default:
          rename(a, b, random_.chance(0.5));
      }
      compare();
    }
  }

 private:
  std::string path() {
    std::string text;
    const std::uint64_t levels = 1 + random_.below(4);
    for (std::uint64_t i = 0; i < levels; ++i) {
      text += '/';
      text += static_cast<char>('a' + random_.below(3));
    }
    return text;
  }

  void make(const std::string& path, bool makes_parents) {
    const bool is_fine = !plain_.is_below_a_file(path) && !plain_.is_file(path) &&
                         (makes_parents || plain_.has(PlainPaths::above(path)));
    EXPECT_EQ(tree_.make_directory(path, {}, makes_parents).has_value(), is_fine) << path;
    if (is_fine && !plain_.has(path)) plain_.add(path, true);
  }
  void create(const std::string& path, bool may_overwrite) {
    const bool is_fine = !plain_.is_below_a_file(path) && !plain_.is_directory(path) &&
                         (may_overwrite || !plain_.has(path));
    const NewFile file{.inode = {}, .client = "writer", .may_overwrite = may_overwrite};
    EXPECT_EQ(tree_.create_file(path, file, freed_).has_value(), is_fine) << path;
    if (is_fine) plain_.add(path, false);
  }
  void remove(const std::string& path, bool is_recursive) {
    const bool is_fine = !plain_.is_below_a_file(path) &&
                         (is_recursive || !plain_.has(path) || plain_.is_empty(path));
    EXPECT_EQ(tree_.remove(path, is_recursive, at_seconds(1), freed_).has_value(), is_fine) << path;
    if (is_fine) plain_.erase(path);
  }
  void rename(const std::string& from, const std::string& to, bool may_overwrite) {
    const bool is_free =
        !plain_.has(to) ||
        (may_overwrite && plain_.is_file(to) == plain_.is_file(from) && plain_.is_empty(to));
    const bool is_fine = plain_.has(from) && !plain_.is_below_a_file(to) &&
                         plain_.has(PlainPaths::above(to)) && from != to &&
                         !to.starts_with(from + "/") && is_free;
    EXPECT_EQ(tree_.rename(from, to, may_overwrite, at_seconds(1), freed_).has_value(), is_fine)
        << from << " to " << to;
    if (!is_fine) return;
    plain_.erase(to);
    plain_.move(from, to);
  }

  void compare() {
    std::map<std::string, bool> walked;
    std::vector<InodeId> open{**tree_.find("/")};
    while (!open.empty()) {
      const InodeId id = open.back();
      open.pop_back();
      const Inode& inode = tree_.inode(id);
      const std::string path = tree_.path_of(id);
      walked[path] = inode.is_directory;
      for (const auto& [name, child] : inode.children) {
        EXPECT_EQ(tree_.inode(child).parent, id);
        EXPECT_EQ(tree_.inode(child).name, name);
        open.push_back(child);
      }
      EXPECT_EQ(**tree_.find(path), id);
    }
    EXPECT_EQ(walked, plain_.all());
    EXPECT_EQ(tree_.size(), plain_.all().size());
  }

  Random random_;
  NamespaceTree tree_{OwnerId(0u), GroupId(0u), at_seconds(0)};
  PlainPaths plain_;
  FreedContents freed_;
};

TEST(NamespaceModel, AgreesOverRandomCalls) {
  for (std::uint64_t seed = 1; seed <= 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomCalls(seed).run(300);
  }
}

}  // namespace
}  // namespace tracebed
