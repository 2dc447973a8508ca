#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "core/random.h"
#include "report/csv_reader.h"
#include "report/csv_writer.h"
#include "report/file_list.h"
#include "support/files.h"
#include "support/temporary_folder.h"
#include "system/input_witness.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

class Csv : public ::testing::Test {
 protected:
  // What reading `text` says is wrong with it, or "" if nothing is.
  std::string complaint_about(const std::string& text) {
    write_file(file_, text);
    try {
      CsvReader csv(file_, "name,count,real");
      while (csv.next_row()) {
        csv.text();
        csv.count();
        csv.real();
      }
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "table.csv";
};

// Rows of different lengths, of several windows.
std::string many_rows(std::size_t rows) {
  std::string text = "name,count,real\n";
  for (std::size_t i = 0; i < rows; ++i) {
    text += std::string(i % 60, 'a') + "," + std::to_string(i * 7919 % 1'000'003) + ",0.5\n";
  }
  return text;
}

TEST_F(Csv, IsReadCompressedAsItIsReadPlain) {
  const std::string text = many_rows(100'000);
  file_ += ".zst";
  const std::unique_ptr<ByteOutput> file = compressed(create_file(file_));
  for (std::size_t at = 0; at < text.size(); at += 50'000) {
    file->write(std::string_view(text).substr(at, 50'000));
  }
  file->close();
  EXPECT_LT(std::filesystem::file_size(file_), text.size() / 3);
  CsvReader csv(file_, "name,count,real");
  std::string read = "name,count,real\n";
  while (csv.next_row()) {
    read += csv.text();
    read += "," + std::to_string(csv.count());
    read += csv.real() == 0.5 ? ",0.5\n" : "?";
  }
  EXPECT_EQ(read, text);
}

TEST_F(Csv, ThatIsCompressedIsReadUpToWhatWasWrittenLast) {
  file_ += ".zst";
  const std::unique_ptr<ByteOutput> file = compressed(create_file(file_));
  file->write("name,count,real\n");
  file->write("a,1,0.5\n");
  file->write("b,2");
  // The program that wrote it was killed.
  CsvReader csv(file_, "name,count,real");
  ASSERT_TRUE(csv.next_row());
  EXPECT_EQ(csv.text(), "a");
  EXPECT_THAT([&] { csv.next_row(); },
              testing::ThrowsMessage<InputError>(
                  HasSubstr("table.csv.zst: the zstd data ends early: the file is truncated")));
}

TEST_F(Csv, ThatIsCompressedAndDamagedIsRefused) {
  const std::string text = many_rows(20'000);
  file_ += ".zst";
  const std::unique_ptr<ByteOutput> file = compressed(create_file(file_));
  file->write(text);
  file->close();
  const std::string whole = contents(file_);
  for (const std::size_t at : {std::size_t{0}, whole.size() / 3, whole.size() - 2}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    EXPECT_NE(complaint_about(damaged), "") << at;
  }
  EXPECT_THAT(complaint_about(whole.substr(0, whole.size() - 1)), HasSubstr("ends early"));
  EXPECT_THAT(complaint_about(whole.substr(0, whole.size() / 2)), HasSubstr("ends early"));
  EXPECT_THAT(complaint_about(whole + "x"), HasSubstr("table.csv.zst: the zstd data "));
  EXPECT_EQ(complaint_about(whole), "");
}

TEST_F(Csv, ReadsBackWhatWasWritten) {
  const std::string awkward = "comma, \"quote\"\nand a second line";
  {
    CsvWriter csv(file_, "name,count,real");
    csv.text(awkward);
    csv.integer(std::numeric_limits<std::int64_t>::min());
    csv.real(0.1);
    csv.end_row();
    csv.text("");
    csv.empty();
    csv.real(-1e300);
    csv.end_row();
    csv.close();
  }
  CsvReader csv(file_, "name,count,real");
  ASSERT_TRUE(csv.next_row());
  EXPECT_EQ(csv.text(), awkward);
  EXPECT_EQ(csv.integer(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(csv.real(), 0.1);
  ASSERT_TRUE(csv.next_row());
  EXPECT_EQ(csv.text(), "");
  EXPECT_TRUE(csv.skip_empty());
  EXPECT_EQ(csv.real(), -1e300);
  EXPECT_FALSE(csv.next_row());
}

TEST_F(Csv, WritesMoreThanItsBufferHolds) {
  const std::string long_field(300'000, 'x');
  {
    CsvWriter csv(file_, "name,count,real");
    for (int row = 0; row < 5; ++row) {
      csv.text(long_field);
      csv.integer(row);
      csv.empty();
      csv.end_row();
    }
    csv.close();
  }
  CsvReader csv(file_, "name,count,real");
  for (int row = 0; row < 5; ++row) {
    ASSERT_TRUE(csv.next_row());
    EXPECT_EQ(csv.text(), long_field);
    EXPECT_EQ(csv.integer(), row);
  }
}

TEST_F(Csv, KeepsWhatWasBufferedWhenTheRunIsCutShort) {
  {
    CsvWriter csv(file_, "a");
    csv.integer(1);
    csv.end_row();
  }
  EXPECT_EQ(contents(file_), "a\n1\n");
}

TEST_F(Csv, RefusesToWriteOverAFile) {
  write_file(file_, "precious");
  EXPECT_THROW(CsvWriter(file_, "a"), EnvironmentError);
  EXPECT_EQ(contents(file_), "precious");
}

TEST_F(Csv, SaysWhereABadFieldStandsAndWhatItExpected) {
  struct Case {
    const char* rows;
    const char* complaint;
  };
  constexpr std::array cases{
      Case{"a,1,2\nb,x,3\n", "table.csv:3: count: expected a whole number, got \"x\""},
      Case{"a,-1,2\n", "table.csv:2: count: expected a whole number from 0 to 4294967295"},
      Case{"a,4294967296,2\n", "table.csv:2: count: expected a whole number from 0"},
      Case{"a,1,nan\n", "table.csv:2: real: expected a number, got \"nan\""},
      Case{"a,1,2.5x\n", "table.csv:2: real: expected a number, got \"2.5x\""},
      Case{"a,1\n", "table.csv:2: expected 3 fields, got 2"},
      Case{"a,1,2,3\n", "table.csv:2: expected 3 fields, got 4"},
      Case{"a,1,2", "table.csv:2: the file ends inside this row"},
      Case{"\"a,1,2\n", "table.csv:2: a quoted field has no closing quote"},
      Case{"\"a\"b,1,2\n", "table.csv:2: expected a comma after a closing quote"},
      Case{"\"two\nlines\",1,2\nb,1,\n", "table.csv:4: real: expected a number, got \"\""},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(complaint_about(std::string("name,count,real\n") + c.rows), HasSubstr(c.complaint))
        << c.rows;
  }
  EXPECT_EQ(complaint_about("name,count,real\na,1,2\n"), "");
}

TEST_F(Csv, RefusesAnotherHeader) {
  EXPECT_THAT(complaint_about("name,real,count\n"),
              HasSubstr("table.csv:1: expected the header \"name,count,real\""));
  EXPECT_THAT(complaint_about(""), HasSubstr("table.csv:1: expected the header"));
}

TEST_F(Csv, SaysThatAFileCannotBeRead) {
  try {
    CsvReader csv(folder_.path() / "absent.csv", "a");
    FAIL() << "there is no such file";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("absent.csv"));
  }
}

// Of several windows: fields, quotes and lines that begin in one and end in the next.
TEST_F(Csv, ReadsFilesThatAreLargerThanWhatItHolds) {
  Random random = Random::stream(1, "csv");
  std::vector<std::string> texts;
  {
    CsvWriter csv(file_, "name,count,real");
    for (int row = 0; row < 6'000; ++row) {
      std::string text;
      for (std::int64_t left = random.between(0, 1'200); left > 0; --left) {
        text += "ab,\"\n"[random.below(5)];
      }
      csv.text(text);
      csv.integer(row);
      csv.real(0.5);
      csv.end_row();
      texts.push_back(std::move(text));
    }
    csv.close();
  }
  ASSERT_GT(std::filesystem::file_size(file_), std::uintmax_t{4} << 20);
  CsvReader csv(file_, "name,count,real");
  for (std::uint32_t row = 0; row < texts.size(); ++row) {
    ASSERT_TRUE(csv.next_row());
    ASSERT_EQ(csv.text(), texts[row]) << row;
    ASSERT_EQ(csv.count(), row);
    ASSERT_EQ(csv.real(), 0.5);
  }
  EXPECT_FALSE(csv.next_row());
}

TEST_F(Csv, RefusesAFileThatIsNotTheOneThatWasChecked) {
  const std::string text = "name,count,real\na,1,2\n";
  write_file(file_, text);
  InputWitness witness;
  (void)checksum_of_file(file_, &witness);
  EXPECT_TRUE(CsvReader(file_, "name,count,real", &witness).next_row());
  for (const char* other : {"name,count,real\na,1,3\n", "name,count,real\na,1,2\nb,1,2\n"}) {
    write_file(file_, other);
    EXPECT_THROW(CsvReader(file_, "name,count,real", &witness), InputError) << other;
  }
}

// Mapped memory would end the process.
TEST_F(Csv, RefusesAFileThatIsCutWhileItIsRead) {
  std::string text = "name,count,real\n";
  while (text.size() < (std::size_t{3} << 20)) text += "a name,1,2\n";
  write_file(file_, text);
  CsvReader csv(file_, "name,count,real");
  std::filesystem::resize_file(file_, 100);
  EXPECT_THROW(while (csv.next_row()){}, InputError);
}

}  // namespace
}  // namespace tracebed
