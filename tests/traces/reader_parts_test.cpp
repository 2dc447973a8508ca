// Parts of readers whose quick way must give what the plain one gives.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "traces/csv/csv_rows.h"
#include "traces/json/bracket_scanner.h"
#include "traces/parts/byte_masks.h"
#include "traces/parts/job_record.h"
#include "traces/parts/recent_names.h"
#include "traces/parts/rounding.h"
#include "traces/parts/seen_filter.h"
#include "traces/parts/text_map.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {
namespace {

std::string drawn(Random& random, std::string_view letters, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += letters[random.below(letters.size())];
  return text;
}

// Byte by byte, a backslash taking effect on quotes alone; one above the bracket that closes the
// first, 0 if none does.
std::size_t plain_end(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  bool is_escaped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const bool was_escaped = std::exchange(is_escaped, false);
    if (letter == '\\') {
      is_escaped = !was_escaped;
    } else if (letter == '"') {
      in_string ^= !was_escaped;
    } else if (!in_string && (letter == '{' || letter == '[')) {
      ++depth;
    } else if (!in_string && (letter == '}' || letter == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

TEST(BracketScanner, FindsTheEndThatAByteByByteScanFinds) {
  Random random(3);
  int closed = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string_view letters = random.below(2) == 0 ? "{}[]\"\\\nab" : "{}\"\\aaaaaaaaaaaa\n";
    const std::string text = "{" + drawn(random, letters, random.below(400));
    const std::string padded = text + std::string(BracketScanner::slack, '}');
    const std::size_t end = plain_end(text);
    BracketScanner scanner;
    std::size_t at = 0;
    // In pieces of any size, as a file is read.
    while (at < text.size() && !scanner.is_closed()) {
      const std::size_t piece = std::min<std::size_t>(1 + random.below(150), text.size() - at);
      at += scanner.scan(padded.data() + at, piece);
    }
    ASSERT_EQ(scanner.is_closed(), end > 0) << text;
    if (end == 0) continue;
    ++closed;
    ASSERT_EQ(at, end) << text;
    EXPECT_EQ(scanner.lines(),
              static_cast<std::uint64_t>(
                  std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n')));
  }
  EXPECT_GT(closed, 1000);
}

TEST(SplitLine, GivesTheColumnsOfThePlainSplit) {
  Random random(5);
  std::vector<std::string_view> quick;
  std::vector<std::string_view> plain;
  for (int round = 0; round < 5'000; ++round) {
    const std::string line = drawn(random, ",,abcdef", random.below(200));
    const std::string padded = line + std::string(mask_bytes, ',');
    const std::string_view in_slack = std::string_view(padded).substr(0, line.size());
    split_columns(line, ',', plain);
    quick.assign(plain.size(), {});
    ASSERT_EQ(split_line(in_slack, ',', quick), plain.size()) << line;
    ASSERT_EQ(quick, plain) << line;
    quick.pop_back();  // no room for the last one
    ASSERT_EQ(split_line(in_slack, ',', quick), plain.size()) << line;
    ASSERT_TRUE(std::equal(quick.begin(), quick.end(), plain.begin())) << line;
  }
}

TEST(ScanIsAscii, LooksAtTheTextAndNotBehindIt) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::string padded = std::string(size, 'a') + std::string(decimal_slack, '\xC3');
    const auto text = [&] { return std::string_view(padded).substr(0, size); };
    EXPECT_TRUE(scan_is_ascii(text())) << size;
    for (std::size_t at = 0; at < size; ++at) {
      padded[at] = '\x80';
      EXPECT_FALSE(scan_is_ascii(text())) << at << " of " << size;
      padded[at] = 'a';
    }
  }
}

TEST(Rounding, GivesWhatTheLibraryGives) {
  Random random(3);
  for (const double value : {0.0, 0.49999999999999994, 0.5, 1.5, 2.5, 4503599627370495.5,
                             4503599627370497.0, 9007199254740993.0, 1e18}) {
    EXPECT_EQ(nearest_whole(value), std::llround(value)) << value;
    EXPECT_EQ(floored(value), static_cast<std::int64_t>(std::floor(value))) << value;
  }
  for (int round = 0; round < 10'000; ++round) {
    const double value = std::ldexp(random.unit(), static_cast<int>(random.below(62)));
    ASSERT_EQ(nearest_whole(value), std::llround(value)) << value;
  }
}

TEST(ScanWhole, ReadsWhatThePlainWayReads) {
  Random random(4);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = drawn(random, "0123456789", random.below(22));
    if (random.below(4) == 0) text.insert(random.below(text.size() + 1), "-");
    const std::string padded = text + drawn(random, "0189,", decimal_slack);
    const Whole quick = scan_whole(std::string_view(padded).substr(0, text.size()));
    const Whole plain = read_whole(text);
    ASSERT_EQ(quick.fault, plain.fault) << text;
    if (plain.fault == NumberFault::none) {
      ASSERT_EQ(quick.value, plain.value) << text;
    }
  }
}

TEST(TextMap, KnowsWhatWasPutInSinceItWasEmptied) {
  Random random(6);
  TextMap<int> table;
  for (int round = 0; round < 50; ++round) {
    table.clear();
    EXPECT_TRUE(table.empty());
    std::map<std::string, int> plain;
    for (std::uint64_t i = random.below(300); i > 0; --i) {
      plain.try_emplace(drawn(random, "ab", random.below(20)), static_cast<int>(i));
    }
    for (const auto& [text, value] : plain) {
      EXPECT_TRUE(table.try_emplace(text, value).second);
      EXPECT_FALSE(table.try_emplace(text, -1).second);
    }
    for (int i = 0; i < 300; ++i) {
      const std::string text = drawn(random, "ab", random.below(20));
      const auto wanted = plain.find(text);
      const int* const found = table.find(text);
      ASSERT_EQ(found != nullptr, wanted != plain.end()) << text;
      if (found != nullptr) {
        EXPECT_EQ(*found, wanted->second) << text;
      }
    }
  }
}

TEST(SeenFilter, NeverForgetsAndSeldomErrs) {
  SeenFilter filter(1 << 14);
  std::uint64_t wrongly = 0;
  for (std::uint64_t i = 0; i < 1 << 14; ++i) wrongly += filter.add(mix(i)) ? 1U : 0U;
  EXPECT_LT(wrongly, (1U << 14) * 3 / 100);
  for (std::uint64_t i = 0; i < 1 << 14; ++i) EXPECT_TRUE(filter.add(mix(i)));
}

TEST(RecentNames, GivesTheTablesIds) {
  NameTable<UserId> plain;
  NameTable<UserId> table;
  RecentNames<UserId> recent(table);
  Random random(8);
  for (int round = 0; round < 5'000; ++round) {
    const std::string name = drawn(random, "abc", random.below(12));
    ASSERT_EQ(recent.intern(name), plain.intern(name)) << name;
  }
}

Job full_job(Names& names) {
  Job job;
  job.name = "j";
  job.user = names.users.intern("u");
  job.queue = names.queues.intern("q");
  job.priority = -3;
  job.kind = JobKind::dag;
  job.requested_time = seconds(9);
  job.deadline = seconds(11);
  Stage maps;
  maps.demand = Resources(1500, 2048);
  maps.demand[3] = 7;
  maps.runs = {{2, {.duration = seconds(1), .input_bytes = 5}}, {1, {.duration = seconds(2)}}};
  maps.input_path = "/in";
  maps.places = {{"a", "b"}, {1, 1, 2}, {0, 1}};
  Stage reduces;
  reduces.kind = StageKind::reduce;
  reduces.runs = {{1, {.shuffle_bytes = 9}}};
  reduces.needs = {0};
  reduces.delay = seconds(4);
  reduces.node_labels = {"gpu", ""};
  job.stages = {maps, reduces};
  return job;
}

TEST(JobRecord, GivesTheWholeJobBackOverWhateverWasThere) {
  Names names;
  const Job job = full_job(names);
  std::string record = "left from before";
  record.clear();
  append_job(job, names, record);
  Names other;
  other.users.intern("first");
  SpareStages spare;
  Job read;
  read.stages.resize(5);
  for (int round = 0; round < 2; ++round) {
    read_job(record, other, spare, read);
    EXPECT_EQ(other.users.name(read.user), "u");
    EXPECT_EQ(read.user, UserId(1u));
    read.user = job.user;
    EXPECT_EQ(read, job);
    spare.resize(read.stages, 0);  // their memory comes back, and nothing else
  }
}

}  // namespace
}  // namespace tracebed
