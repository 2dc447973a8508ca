// Whether the head of a file fits a format, one judge for each; format.h puts the verdicts
// together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/json/json_keys.h"

namespace tracebed {

// What judges look at, found once for all of them.
struct FormatHead {
  struct Row {
    std::size_t line = 0;  // from 1; 0 if there is none
    std::string_view text;
    std::size_t comments = 0;  // lines before it that begin with ';'
  };

  // `text` is the first bytes of the file: whole lines, or the whole text.
  explicit FormatHead(std::string_view text);

  bool is_document = false;  // it begins with a JSON object
  // Of a text of rows:
  // One of names for the columns, which is none of the rows; empty if there is none.
  std::string_view header;
  Row first_row;                          // behind comments, blank lines and the header
  std::vector<std::string_view> rows;     // the first that are whole and not blank, 20 at most
  std::vector<std::string_view> columns;  // of the first of `rows`, separated by commas
  // Of a document:
  JsonKeys keys;
};

struct FormatFit {
  bool fits = false;
  std::string reason;  // "line 20 has 18 numbers", or why it does not fit
};
// Those of row formats are asked about texts of rows only, those of documents about documents.
using FormatJudge = FormatFit(const FormatHead& head);

FormatJudge judge_swf;
FormatJudge judge_swim;
FormatJudge judge_hawk;
FormatJudge judge_google;
FormatJudge judge_alibaba2017;
FormatJudge judge_alibaba2018;
FormatJudge judge_pods;
FormatJudge judge_mix;
FormatJudge judge_philly;
FormatJudge judge_rumen;
FormatJudge judge_sls;
FormatJudge judge_synth;
FormatJudge judge_wfcommons;

// The format of a text of machines (traces/machines/machine_trace.h), if it is one.
std::optional<std::string_view> judge_machines(std::string_view head);

}  // namespace tracebed
