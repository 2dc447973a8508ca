#include "coordinator/storage/path_components.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

StorageFailureKind fault_of(std::string_view path) {
  const auto components = components_of(path);
  return components ? StorageFailureKind::io : components.error().kind;
}

TEST(PathComponents, AreTheNamesBetweenTheSlashes) {
  EXPECT_THAT(*components_of("/"), IsEmpty());
  EXPECT_THAT(*components_of("/a"), ElementsAre("a"));
  EXPECT_THAT(*components_of("/a/b c/%41/ü"), ElementsAre("a", "b c", "%41", "ü"));
  EXPECT_THAT(*components_of("/a/b/"), ElementsAre("a", "b"));
  EXPECT_THAT(*components_of("/.a/b..c/..."), ElementsAre(".a", "b..c", "..."));
}

TEST(PathComponents, AreRefusedWhereHdfsRefusesThem) {
  for (const char* path : {"", "a", "a/b", "//", "/a//b", "/./a", "/a/..", "/../a", "/a:b"}) {
    EXPECT_EQ(fault_of(path), StorageFailureKind::invalid_path) << path;
  }
  EXPECT_EQ(fault_of(std::string_view("/a\0b", 4)), StorageFailureKind::invalid_path);
}

TEST(PathComponents, AreBounded) {
  const std::string name(component_bytes_max, 'a');
  EXPECT_THAT(*components_of("/" + name), ElementsAre(name));
  EXPECT_EQ(fault_of("/" + name + "a"), StorageFailureKind::path_component_too_long);
  std::string deep;
  for (std::size_t i = 0; i < path_depth_max; ++i) deep += "/a";
  EXPECT_EQ(components_of(deep)->size(), path_depth_max);
  EXPECT_EQ(fault_of(deep + "/a"), StorageFailureKind::invalid_path);
  std::string longest;
  while (longest.size() + 201 <= path_bytes_max) longest += "/" + std::string(200, 'b');
  EXPECT_TRUE(components_of(longest));
  EXPECT_EQ(fault_of(longest + "/" + name), StorageFailureKind::invalid_path);
}

TEST(PathComponents, TellWhatLiesBelow) {
  EXPECT_TRUE(is_same_or_below("/a", "/a"));
  EXPECT_TRUE(is_same_or_below("/a", "/a/"));
  EXPECT_TRUE(is_same_or_below("/a/", "/a/b"));
  EXPECT_TRUE(is_same_or_below("/", "/a"));
  EXPECT_FALSE(is_same_or_below("/a", "/ab"));
  EXPECT_FALSE(is_same_or_below("/a/b", "/a"));
}

}  // namespace
}  // namespace tracebed
