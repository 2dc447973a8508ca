#include "traces/trace_texts.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <zlib.h>
#include <zstd.h>

#include "core/input_error.h"

namespace tracebed::testing {

ReadTrace read_trace(std::string_view text, const TraceOptions& options) {
  ReadTrace result;
  const auto reader = open_trace("t", bytes_in_memory(text), options, result.names);
  Job job;
  while (reader->next(job)) result.jobs.push_back(job);
  EXPECT_FALSE(reader->next(job)) << "the end stays the end";
  result.report = reader->report();
  result.bad_rows = reader->bad_rows().total();
  return result;
}

std::string read_error(std::string_view text, const TraceOptions& options) {
  try {
    read_trace(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TraceOptions with_rule(std::string_view name, std::string_view value, TraceOptions options) {
  const Status status = set_rule(options.rules, name, value);
  EXPECT_TRUE(status.has_value()) << name << " = " << value;
  return options;
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  constexpr int gzip_window = 16 + MAX_WBITS;
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string result(deflateBound(&stream, text.size()) + 64, '\0');
  std::string input(text);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::string zstd(std::string_view text) {
  std::string result(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(result.data(), result.size(), text.data(), text.size(), 3);
  EXPECT_FALSE(ZSTD_isError(size));
  result.resize(size);
  return result;
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace tracebed::testing
