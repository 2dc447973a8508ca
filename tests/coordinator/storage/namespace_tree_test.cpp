// Directories and files as HDFS has them: what each call makes, and which exception refuses it.
#include "coordinator/storage/namespace_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = StorageFailureKind;

const OwnerId hdfs{0u};
const OwnerId user{1u};
const GroupId supergroup{0u};
const GroupId users{1u};

class Namespace : public testing::Test {
 protected:
  NewInode made(int second = 1) const {
    return {.permission = 0640, .owner = user, .group = {}, .now = at_seconds(second)};
  }
  StorageResult<InodeId> mkdir(std::string_view path, bool makes_parents = true) {
    return tree_.make_directory(path, made(), makes_parents);
  }
  // A closed file with these blocks.
  void file(std::string_view path, std::vector<BlockIndex> blocks = {}) {
    const auto id = tree_.create_file(path, new_file(), freed_);
    ASSERT_TRUE(id.has_value()) << id.error().message;
    tree_.change(*id).file.blocks = std::move(blocks);
    tree_.change(*id).file.lease_holder.clear();
  }
  NewFile new_file(bool may_overwrite = false) const {
    return {.inode = made(),
            .replication = 2,
            .block_size = 128 << 20,
            .client = "client",
            .may_overwrite = may_overwrite};
  }
  bool exists(std::string_view path) const {
    const auto found = tree_.find(path);
    return found && found->has_value();
  }
  std::vector<std::string> names_in(std::string_view path) const {
    std::vector<std::string> names;
    for (const auto& [name, id] : tree_.inode(**tree_.find(path)).children)
      names.emplace_back(name);
    return names;
  }
  template <class T>
  static std::optional<Kind> kind_of(const StorageResult<T>& result) {
    return result ? std::nullopt : std::optional(result.error().kind);
  }

  NamespaceTree tree_{hdfs, supergroup, at_seconds(0)};
  FreedContents freed_;
};

// FSDirectory.resolveDotInodesPath
TEST_F(Namespace, FindsByFileIdWhateverHasIt) {
  file("/a/f");
  const auto path_of_inode = [&](std::string_view path) {
    return "/.reserved/.inodes/" + std::to_string(tree_.inode(**tree_.find(path)).file_id);
  };
  const std::string of_file = path_of_inode("/a/f");
  const InodeId id = **tree_.find("/a/f");
  EXPECT_EQ(**tree_.find(of_file), id);
  EXPECT_EQ(**tree_.find(path_of_inode("/a") + "/f"), id);
  EXPECT_EQ(**tree_.find(path_of_inode("/") + "/a/f"), id);
  ASSERT_TRUE(tree_.rename("/a/f", "/g", false, at_seconds(2), freed_));
  EXPECT_EQ(**tree_.find(of_file), id) << "wherever it is";
  EXPECT_FALSE(exists(path_of_inode("/a") + "/f"));
  EXPECT_EQ(kind_of(tree_.find(of_file + "/x")), Kind::parent_not_directory);
  ASSERT_TRUE(tree_.remove("/g", false, at_seconds(3), freed_));
  EXPECT_EQ(kind_of(tree_.find(of_file)), Kind::file_not_found);
}

TEST_F(Namespace, HasNothingElseBelowItsReservedName) {
  EXPECT_FALSE(exists("/.reserved"));
  EXPECT_FALSE(exists("/.reserved/.inodes"));
  EXPECT_FALSE(exists("/.reserved/raw"));
  for (const char* path : {"/.reserved/.inodes/x", "/.reserved/.inodes/1", "/.reserved/.inodes/-1",
                           "/.reserved/.inodes/99999999999999999999"}) {
    EXPECT_EQ(kind_of(tree_.find(path)), Kind::file_not_found) << path;
  }
  EXPECT_EQ(kind_of(mkdir("/.reserved")), Kind::invalid_path);
  EXPECT_EQ(kind_of(mkdir("/.reserved/.inodes/16385/a")), Kind::invalid_path);
  EXPECT_EQ(kind_of(tree_.create_file("/.reserved/f", new_file(), freed_)), Kind::invalid_path);
  EXPECT_EQ(kind_of(tree_.remove("/.reserved/.inodes/16385", true, at_seconds(2), freed_)),
            Kind::invalid_path);
  EXPECT_TRUE(mkdir("/.reserved1/.reserved"));
}

TEST_F(Namespace, BeginsWithARootOfTheSuperuser) {
  const Inode& root = tree_.inode(**tree_.find("/"));
  EXPECT_TRUE(root.is_directory);
  EXPECT_EQ(root.owner, hdfs);
  EXPECT_EQ(root.permission, 0755);
  EXPECT_EQ(root.file_id, 16'385u);
  EXPECT_EQ(tree_.size(), 1u);
}

TEST_F(Namespace, MakesDirectoriesWithAllAboveThem) {
  const InodeId made = *mkdir("/user/anna/data");
  EXPECT_EQ(tree_.path_of(made), "/user/anna/data");
  EXPECT_EQ(tree_.inode(made).permission, 0640);
  EXPECT_EQ(tree_.inode(made).group, supergroup) << "that of the directory above";
  EXPECT_EQ(tree_.inode(**tree_.find("/user")).permission, 0740) << "its maker may enter it";
  EXPECT_EQ(*mkdir("/user/anna/data"), made);
  EXPECT_EQ(tree_.size(), 4u);
  EXPECT_EQ(kind_of(mkdir("/no/parent", false)), Kind::file_not_found);
  EXPECT_FALSE(exists("/no"));
  EXPECT_TRUE(mkdir("/user/otto", false));
}

TEST_F(Namespace, RefusesADirectoryWhereAFileIs) {
  file("/a/f");
  EXPECT_EQ(kind_of(mkdir("/a/f")), Kind::file_already_exists);
  EXPECT_EQ(kind_of(mkdir("/a/f/below")), Kind::parent_not_directory);
  EXPECT_EQ(kind_of(tree_.find("/a/f/below")), Kind::parent_not_directory);
  EXPECT_EQ(kind_of(tree_.create_file("/a", new_file(true), freed_)), Kind::file_already_exists);
}

TEST_F(Namespace, ListsByTheBytesOfNames) {
  for (const char* path : {"/b", "/B", "/ä", "/a", "/10", "/9"}) file(path);
  EXPECT_THAT(names_in("/"), ElementsAre("10", "9", "B", "a", "b", "ä"));
}

TEST_F(Namespace, OverwritesAClosedOrAnOpenFileOnlyIfAskedTo) {
  file("/f", {BlockIndex(3u), BlockIndex(4u)});
  EXPECT_EQ(kind_of(tree_.create_file("/f", new_file(), freed_)), Kind::file_already_exists);
  EXPECT_THAT(freed_.blocks, IsEmpty());
  const std::uint64_t before = tree_.inode(**tree_.find("/f")).file_id;
  EXPECT_TRUE(tree_.create_file("/f", new_file(true), freed_));
  EXPECT_THAT(freed_.blocks, ElementsAre(BlockIndex(3u), BlockIndex(4u)));
  EXPECT_GT(tree_.inode(**tree_.find("/f")).file_id, before);
  EXPECT_EQ(kind_of(tree_.create_file("/f", new_file(), freed_)), Kind::already_being_created);
}

TEST_F(Namespace, RemovesAFullDirectoryOnlyRecursively) {
  file("/a/b/f", {BlockIndex(1u)});
  file("/a/g", {BlockIndex(2u)});
  EXPECT_EQ(kind_of(tree_.remove("/a", false, at_seconds(2), freed_)), Kind::directory_not_empty);
  EXPECT_TRUE(exists("/a/b/f"));
  EXPECT_TRUE(*tree_.remove("/a", true, at_seconds(2), freed_));
  EXPECT_THAT(freed_.blocks, testing::UnorderedElementsAre(BlockIndex(1u), BlockIndex(2u)));
  EXPECT_FALSE(exists("/a"));
  EXPECT_EQ(tree_.size(), 1u);
  EXPECT_EQ(tree_.inode(**tree_.find("/")).modified, at_seconds(2));
  EXPECT_FALSE(*tree_.remove("/a", true, at_seconds(3), freed_));
  EXPECT_FALSE(*tree_.remove("/", true, at_seconds(3), freed_)) << "the root stays";
}

TEST_F(Namespace, CountsWhatIsBelow) {
  file("/a/b/f", {BlockIndex(1u), BlockIndex(2u)});
  file("/a/c", {BlockIndex(3u)});
  const ContentSummary summary = tree_.summary(**tree_.find("/a"));
  EXPECT_EQ(summary.directories, 2u);
  EXPECT_EQ(summary.files, 2u);
  EXPECT_THAT(summary.blocks, ElementsAre(BlockIndex(1u), BlockIndex(2u), BlockIndex(3u)));
}

class Rename : public Namespace {
 protected:
  std::optional<Kind> rename(std::string_view from, std::string_view to, bool overwrite = false) {
    return kind_of(tree_.rename(from, to, overwrite, at_seconds(5), freed_));
  }
  bool rename_into(std::string_view from, std::string_view to) {
    return *tree_.rename_into(from, to, at_seconds(5));
  }
};

TEST_F(Rename, MovesADirectoryWithAllInIt) {
  file("/a/b/f");
  ASSERT_TRUE(mkdir("/d"));
  EXPECT_EQ(rename("/a/b", "/d/c"), std::nullopt);
  EXPECT_TRUE(exists("/d/c/f"));
  EXPECT_FALSE(exists("/a/b"));
  EXPECT_EQ(tree_.inode(**tree_.find("/a")).modified, at_seconds(5));
  EXPECT_EQ(tree_.inode(**tree_.find("/d")).modified, at_seconds(5));
}

TEST_F(Rename, IsRefusedAsByHadoop) {
  file("/a/f", {BlockIndex(1u)});
  file("/g", {BlockIndex(2u)});
  ASSERT_TRUE(mkdir("/full/sub"));
  EXPECT_EQ(rename("/none", "/x"), Kind::file_not_found);
  EXPECT_EQ(rename("/", "/x"), Kind::io);
  EXPECT_EQ(rename("/a", "/"), Kind::io);
  EXPECT_EQ(rename("/a", "/a"), Kind::file_already_exists);
  EXPECT_EQ(rename("/a", "/a/b"), Kind::io);
  EXPECT_EQ(rename("/a", "/none/x"), Kind::file_not_found);
  EXPECT_EQ(rename("/a", "/g/x"), Kind::parent_not_directory);
  EXPECT_EQ(rename("/a/f", "/g"), Kind::file_already_exists);
  EXPECT_EQ(rename("/a/f", "/full", true), Kind::io) << "of another kind";
  EXPECT_EQ(rename("/a", "/full", true), Kind::io) << "not empty";
  EXPECT_THAT(freed_.blocks, IsEmpty());
  EXPECT_EQ(rename("/a/f", "/g", true), std::nullopt);
  EXPECT_THAT(freed_.blocks, ElementsAre(BlockIndex(2u)));
}

TEST_F(Rename, OfTheOldCallGoesIntoADirectory) {
  file("/f");
  ASSERT_TRUE(mkdir("/d"));
  EXPECT_TRUE(rename_into("/f", "/d"));
  EXPECT_TRUE(exists("/d/f"));
  EXPECT_TRUE(rename_into("/d/f", "/d/f")) << "a file to itself";
  EXPECT_TRUE(rename_into("/d/f", "/")) << "the root is a directory, too";
  EXPECT_TRUE(exists("/f"));
  file("/d/f");
  EXPECT_FALSE(rename_into("/f", "/d")) << "the name is taken";
  EXPECT_FALSE(rename_into("/d", "/d"));
  EXPECT_FALSE(rename_into("/none", "/x"));
  EXPECT_THAT(names_in("/"), ElementsAre("d", "f"));
}

TEST(StorageFailures, AreOfHadoopsClasses) {
  EXPECT_EQ(exception_class(Kind::file_not_found), "java.io.FileNotFoundException");
  EXPECT_THAT(std::string(exception_class(Kind::lease_expired)),
              HasSubstr("namenode.LeaseExpiredException"));
}

}  // namespace
}  // namespace tracebed
