// JSON documents that follow each other with nothing but white space between, as Rumen and SLS
// write them; one alone is such a file too. A scanner (traces/json/bracket_scanner.h) finds where
// each ends, so that one document is in memory at a time, and none above the largest allowed.
#pragma once

#include <cstdint>
#include <memory>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

#include "traces/json/bracket_scanner.h"
#include "traces/parts/bad_rows.h"
#include "traces/parts/byte_source.h"

namespace tracebed {

class JsonDocuments {
 public:
  // `name` is the path for messages. `bytes` are plain (traces/parts/byte_source.h decompresses).
  JsonDocuments(std::string name, std::unique_ptr<ByteSource> bytes,
                std::size_t document_bytes_max);

  // The next document; false at the end. What is not a document (another text, one cut off, one too
  // large, one that simdjson refuses) is reported to `bad_rows`; reading continues after it if its
  // end can be found. Throws InputError if the bytes are damaged.
  bool next(BadRows& bad_rows);

  // Of the current document. It and its text are valid until the next call of next().
  simdjson::dom::element root() const { return root_; }
  std::string_view text() const { return {buffer_.data() + begin_, size_}; }
  std::uint64_t offset() const { return offset_; }  // of its first byte
  std::uint64_t line() const { return line_; }      // of its first byte, from 1
  // "document at byte 1234"
  std::string place() const;

  // The beginning of the text, for format detection; reads if there is none. Does not consume.
  std::string_view peek();

  const std::string& name() const { return name_; }
  std::uint64_t text_bytes() const { return consumed_ + begin_; }
  std::string_view compression() const { return bytes_->compression(); }

 private:
  enum class Found { document, nothing, not_json, cut_off, too_large };

  // The next stretch that is a document by its brackets.
  Found find();
  bool skip_white();
  // Reads on behind end_, where the document begins at begin_; false at the end of the bytes.
  bool fill();
  // Scans on from `at`, up to the end of the document that is open or of what was read.
  void scan(std::size_t& at);
  void skip_to_end();
  void report(BadRows& bad_rows, Found found) const;

  std::string name_;
  std::unique_ptr<ByteSource> bytes_;
  std::size_t document_bytes_max_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;       // of the document at hand, or of what is not consumed yet
  std::size_t size_ = 0;        // of the document at hand
  std::size_t end_ = 0;         // of what was read
  std::uint64_t consumed_ = 0;  // bytes before the buffer's
  bool ended_ = false;
  std::uint64_t offset_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t next_line_ = 1;
  BracketScanner scanner_;
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

}  // namespace tracebed
