// Writers of jobs in a format to convert to. What a format cannot hold is counted by field.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/names.h"
#include "core/workload.h"
#include "traces/parts/statistics.h"
#include "traces/parts/trace_writer.h"

namespace tracebed {

// What was lost in the conversion, by kind: "jobs' priorities".
class Losses {
 public:
  void add(const char* field, std::uint64_t count = 1) {
    if (count > 0) counts_[field] += count;
  }
  void add_if(bool is_lost, const char* field) { add(field, is_lost ? 1 : 0); }
  // By name.
  std::vector<TraceCount> counts() const;

 private:
  std::map<std::string, std::uint64_t, std::less<>> counts_;
};

class JobWriter {
 public:
  virtual ~JobWriter() = default;
  // False if the format cannot hold such a job, which was counted as lost.
  virtual bool add(const Job& job) = 0;
  virtual void finish() = 0;
  virtual std::uint64_t bytes() const = 0;  // before compression
  const Losses& losses() const { return losses_; }
  // What is lost besides data of jobs.
  void lose(const char* field, std::uint64_t count) { losses_.add(field, count); }

 protected:
  Losses& lost() { return losses_; }

 private:
  Losses losses_;
};

// A writer into a text file, compressed if its name ends in ".gz".
class TextJobWriter : public JobWriter {
 public:
  void finish() final { file_.finish(); }
  std::uint64_t bytes() const final { return file_.bytes(); }

 protected:
  // `names` are those of the jobs, and outlive this.
  TextJobWriter(const std::string& path, const Names& names) : file_(path), names_(names) {}

  TraceWriter& file() { return file_; }
  const std::string& user_of(const Job& job) const { return names_.users.name(job.user); }
  const std::string& queue_of(const Job& job) const { return names_.queues.name(job.queue); }

 private:
  TraceWriter file_;
  const Names& names_;
};

}  // namespace tracebed
