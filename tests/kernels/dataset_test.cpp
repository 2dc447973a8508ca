#include "kernels/dataset.h"

#include <algorithm>
#include <array>
#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "core/random.h"
#include "kernels/dataset_graph.h"
#include "kernels/dataset_points.h"
#include "kernels/dataset_terasort.h"
#include "kernels/dataset_text.h"
#include "kernels/local_job.h"

namespace tracebed::kernels {
namespace {

using testing::ElementsAre;

constexpr std::array kinds = {DatasetKind::text, DatasetKind::terasort, DatasetKind::points,
                              DatasetKind::graph};

std::unique_ptr<Dataset> dataset(DatasetKind kind, std::uint64_t seed, std::uint64_t bytes) {
  return std::move(make_dataset(kind, seed, bytes)).value();
}

std::string digits(Bytes bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += "0123456789abcdef"[std::to_integer<int>(byte) >> 4];
    text += "0123456789abcdef"[std::to_integer<int>(byte) & 15];
  }
  return text;
}

// The expected values of the next three tests come from a program in another language that follows
// the description alone.
TEST(TerasortDatasets, HaveTheseRecords) {
  const TerasortDataset records(7, 0x1234ABCDF0);
  Buffer record(terasort_record_bytes);
  records.fill(0, record);
  EXPECT_EQ(digits(record),
            "87e770a6389f8bb70b820011303030303030303030303030303030303030303030303030"
            "30303030303030308899aabb41414141363636363737373730303030454545453737373738383838"
            "3737373738383838323232323030303042424242ccddeeff");
  records.fill(0x1234ABCDEFu * terasort_record_bytes, record);
  EXPECT_EQ(text_of(record).substr(12, 32), "00000000000000000000001234ABCDEF");
  EXPECT_EQ(digits(Bytes(record).first(10)), "d07f4b3daab1bc2317b1");
}

TEST(TextDatasets, HaveThesePages) {
  const TextDataset text(7, 4);
  Buffer page(TextDataset::bytes_per_unit);
  text.fill(3 * page.size(), page);
  EXPECT_EQ(text_of(page).substr(0, 130),
            "park bel ba vun dacost koben girk nobel\nbist cing mubems huhing hubel gast wast ba "
            "yaci xuderk caca hulan bel ceng turk webo xabir");
  EXPECT_TRUE(text_of(page).ends_with("rol bujo xel hust cing\ndan fadands ....\n"));
}

TEST(GraphDatasets, HaveTheseEdges) {
  const GraphDataset graph(7, 1'000);
  const Adjacency first = graph.adjacency(1);
  EXPECT_EQ(first.vertex, 1u);
  EXPECT_EQ(first.out_degree, 8u);
  EXPECT_THAT(first.targets, testing::Each(0));  // of itself and the one before
  EXPECT_THAT(graph.adjacency(999).targets,
              ElementsAre(60, 1, 2, 958, 21, 0, 10, 80, 50, 37, 9, 0, 0, 0));
}

TEST(Datasets, AgreeWhereTwoRangesOverlap) {
  Random random(17);
  for (const DatasetKind kind : kinds) {
    const auto input = dataset(kind, 5, 20'000);
    const Buffer whole = test::whole_file(*input);
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t begin = random.below(whole.size() + 1);
      Buffer range(random.below(whole.size() - begin + 1));
      input->fill(begin, range);
      ASSERT_TRUE(std::equal(range.begin(), range.end(),
                             whole.begin() + static_cast<std::ptrdiff_t>(begin)))
          << begin << " of kind " << static_cast<int>(kind);
    }
  }
}

TEST(Datasets, DifferFromOneSeedToTheNext) {
  for (const DatasetKind kind : kinds) {
    const Buffer first = test::whole_file(*dataset(kind, 1, 5'000));
    EXPECT_LT(dataset(kind, 2, 5'000)->count_matching(0, first), 100u);
  }
}

TEST(Datasets, MatchUpToTheFirstWrongByte) {
  Random random(3);
  for (const DatasetKind kind : kinds) {
    const auto input = dataset(kind, 5, 20'000);
    Buffer range(9'000);
    input->fill(777, range);
    EXPECT_EQ(input->count_matching(777, range), range.size());
    for (int i = 0; i < 100; ++i) {
      const std::size_t wrong = random.below(range.size());
      range[wrong] ^= std::byte{64};
      ASSERT_EQ(input->count_matching(777, range), wrong);
      range[wrong] ^= std::byte{64};
    }
  }
}

TEST(Datasets, MatchNothingBeyondTheirEnd) {
  const auto input = dataset(DatasetKind::terasort, 5, 1'000);
  Buffer bytes = test::whole_file(*input);
  bytes.resize(1'100);
  EXPECT_EQ(input->count_matching(0, bytes), 1'000u);
  EXPECT_EQ(input->count_matching(~std::uint64_t{0}, bytes), 0u);
}

TEST(Datasets, AreRoundedUpToWholeUnits) {
  EXPECT_EQ(dataset(DatasetKind::terasort, 1, 101)->bytes(), 200u);
  EXPECT_EQ(dataset(DatasetKind::text, 1, 1)->bytes(), 4'096u);
  EXPECT_EQ(dataset(DatasetKind::points, 1, 64)->bytes(), 64u);
  EXPECT_EQ(dataset(DatasetKind::graph, 1, 0)->bytes(), 0u);
  EXPECT_FALSE(make_dataset(DatasetKind::graph, 1, (std::uint64_t{1} << 34) + 1).has_value());
}

TEST(Vocabularies, HaveWordsThatAllDiffer) {
  const Vocabulary vocabulary;
  std::set<std::string_view> words;
  for (std::size_t rank = 0; rank < Vocabulary::words; ++rank) {
    words.insert(vocabulary.word(rank).view());
  }
  EXPECT_EQ(words.size(), Vocabulary::words);
}

// The harmonic number of 5,000 is 9.0945: of 65,536 slots the first word has 7,206.
TEST(Vocabularies, HaveSlotsByZipfsLaw) {
  const Vocabulary vocabulary;
  std::vector<std::size_t> slots(Vocabulary::words);
  for (std::size_t slot = 0; slot < Vocabulary::slots; ++slot) {
    ++slots[vocabulary.rank_of_slot(static_cast<std::uint16_t>(slot))];
  }
  EXPECT_EQ(slots[0], 7'206u);
  EXPECT_EQ(slots[1], 3'603u);
  EXPECT_NEAR(static_cast<double>(slots[9]), 720.6, 1);
  EXPECT_GE(*std::min_element(slots.begin(), slots.end()), 1u);
}

TEST(TextDatasets, HaveLinesThatEndWithTheirPage) {
  const TextDataset text(11, 64);
  const Buffer whole = test::whole_file(text);
  std::size_t length = 0;
  std::size_t longest = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const bool ends = whole[at] == std::byte{'\n'};
    longest = std::max(longest, ++length);
    if (ends) length = 0;
    if ((at + 1) % TextDataset::bytes_per_unit == 0) {
      ASSERT_TRUE(ends) << at;
    }
  }
  EXPECT_LE(longest, TextDataset::line_bytes_max);
  EXPECT_GT(longest, 90u);
}

TEST(PointDatasets, AreNearTheirHiddenCentres) {
  const PointDataset points(3, 1'000);
  for (std::uint64_t index = 0; index < points.units(); ++index) {
    const Point point = points.point(index);
    ASSERT_TRUE(is_in_range(point));
    ASSERT_LT(squared_distance(point, points.hidden_centre_of(index)), 16u * 1'024 * 1'024);
  }
}

// Each octave up to that of a vertex is as likely for its edges as the others. Of the last octave
// of a vertex the part beyond it counts for the octave before.
TEST(GraphDatasets, HaveInDegreesByAPowerLaw) {
  const GraphDataset graph(9, 1'023);
  std::array<double, 10> edges_by_octave{};
  std::array<double, 10> expected{};
  double edges = 0;
  for (std::uint32_t vertex = 0; vertex < graph.units(); ++vertex) {
    const Adjacency adjacency = graph.adjacency(vertex);
    const std::uint32_t number = vertex + 1;
    const auto octaves = static_cast<std::size_t>(std::bit_width(number));
    const double part = adjacency.out_degree / static_cast<double>(octaves);
    for (std::size_t octave = 0; octave < octaves; ++octave) expected[octave] += part;
    const std::uint32_t first = std::bit_floor(number);
    const double beyond = part * (2 * first - 1 - number) / first;
    expected[octaves - 1] -= beyond;
    if (octaves > 1) expected[octaves - 2] += beyond;
    for (std::uint32_t edge = 0; edge < adjacency.out_degree; ++edge, ++edges) {
      ASSERT_LE(adjacency.targets[edge], vertex);
      ++edges_by_octave[static_cast<std::size_t>(std::bit_width(adjacency.targets[edge] + 1)) - 1];
    }
  }
  EXPECT_NEAR(edges / 1'023, 7, 0.5);
  for (std::size_t octave = 0; octave < 10; ++octave) {
    EXPECT_NEAR(edges_by_octave[octave], expected[octave], edges / 50) << octave;
  }
}

}  // namespace
}  // namespace tracebed::kernels
