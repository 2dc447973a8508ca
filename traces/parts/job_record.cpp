#include "traces/parts/job_record.h"

#include <cstring>
#include <type_traits>
#include <vector>

#include "core/check.h"

namespace tracebed {
namespace {

class Writer {
 public:
  explicit Writer(std::string& record) : record_(record) {}

  template <class Plain>
  void value(const Plain& plain) {
    static_assert(std::is_trivially_copyable_v<Plain>);
    record_.append(reinterpret_cast<const char*>(&plain), sizeof(plain));
  }
  void text(std::string_view text) {
    value(static_cast<std::uint32_t>(text.size()));
    record_.append(text);
  }
  template <class Plain>
  void list(const std::vector<Plain>& values) {
    static_assert(std::is_trivially_copyable_v<Plain>);
    value(static_cast<std::uint32_t>(values.size()));
    if (values.empty()) return;
    record_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Plain));
  }
  void texts(const std::vector<std::string>& texts) {
    value(static_cast<std::uint32_t>(texts.size()));
    for (const std::string& each : texts) text(each);
  }

 private:
  std::string& record_;
};

class Reader {
 public:
  explicit Reader(std::string_view record) : rest_(record) {}

  template <class Plain>
  void value(Plain& plain) {
    std::memcpy(&plain, take(sizeof(plain)), sizeof(plain));
  }
  std::string_view text() {
    const std::size_t size = count();
    return {take(size), size};
  }
  template <class Plain>
  void list(std::vector<Plain>& values) {
    values.resize(count());
    const std::size_t bytes = values.size() * sizeof(Plain);
    if (bytes > 0) std::memcpy(values.data(), take(bytes), bytes);
  }
  void texts(std::vector<std::string>& texts) {
    texts.resize(count());
    for (std::string& each : texts) each.assign(text());
  }
  std::size_t count() {
    std::uint32_t count = 0;
    value(count);
    return count;
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  const char* take(std::size_t bytes) {
    TRACEBED_CHECK(bytes <= rest_.size(), "a record of a job is whole");
    const char* const at = rest_.data();
    rest_.remove_prefix(bytes);
    return at;
  }

  std::string_view rest_;
};

void append_demand(const Resources& demand, Writer& to) {
  to.value(static_cast<std::uint8_t>(demand.dimensions_used()));
  for (std::size_t i = 0; i < demand.dimensions_used(); ++i) to.value(demand[i]);
}

void read_demand(Reader& from, Resources& demand) {
  demand = Resources();
  std::uint8_t dimensions = 0;
  from.value(dimensions);
  for (std::size_t i = 0; i < dimensions; ++i) from.value(demand[i]);
}

void append_stage(const Stage& stage, Writer& to) {
  to.value(stage.kind);
  append_demand(stage.demand, to);
  to.list(stage.runs);
  to.text(stage.input_path);
  to.texts(stage.places.hosts);
  to.list(stage.places.ends);
  to.list(stage.places.entries);
  to.list(stage.needs);
  to.value(stage.delay);
  to.texts(stage.node_labels);
}

void read_stage(Reader& from, Stage& stage) {
  from.value(stage.kind);
  read_demand(from, stage.demand);
  from.list(stage.runs);
  stage.input_path.assign(from.text());
  from.texts(stage.places.hosts);
  from.list(stage.places.ends);
  from.list(stage.places.entries);
  from.list(stage.needs);
  from.value(stage.delay);
  from.texts(stage.node_labels);
}

}  // namespace

void append_job(const Job& job, const Names& names, std::string& record) {
  Writer to(record);
  to.text(job.name);
  to.text(names.users.name(job.user));
  to.text(names.queues.name(job.queue));
  to.value(job.priority);
  to.value(job.kind);
  to.value(job.requested_time);
  to.value(job.deadline);
  to.value(static_cast<std::uint32_t>(job.stages.size()));
  for (const Stage& stage : job.stages) append_stage(stage, to);
}

void read_job(std::string_view record, Names& names, SpareStages& spare, Job& job) {
  Reader from(record);
  job.name.assign(from.text());
  job.user = names.users.intern(from.text());
  job.queue = names.queues.intern(from.text());
  from.value(job.priority);
  from.value(job.kind);
  from.value(job.requested_time);
  from.value(job.deadline);
  spare.resize(job.stages, from.count());
  for (Stage& stage : job.stages) read_stage(from, stage);
  TRACEBED_CHECK(from.is_at_end(), "a record holds one job");
}

}  // namespace tracebed
