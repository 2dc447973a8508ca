#include "coordinator/workload/kept_jobs.h"

#include <utility>

namespace tracebed {
namespace {

template <class Element>
std::size_t bytes_of(const std::vector<Element>& list) {
  return list.size() * sizeof(Element);
}

std::size_t text_bytes(const std::vector<std::string>& texts) {
  std::size_t bytes = bytes_of(texts);
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

std::size_t memory_of(const Job& job) {
  std::size_t bytes = sizeof(Job) + job.name.size();
  for (const Stage& stage : job.stages) {
    bytes += sizeof(Stage) + bytes_of(stage.runs) + stage.input_path.size() +
             text_bytes(stage.places.hosts) + bytes_of(stage.places.ends) +
             bytes_of(stage.places.entries) + bytes_of(stage.needs) + text_bytes(stage.node_labels);
  }
  return bytes;
}

template <class IdType>
void intern_up_to(std::uint32_t count, const NameTable<IdType>& known, NameTable<IdType>& names) {
  while (names.size() < count) names.intern(known.name(IdType(names.size())));
}

}  // namespace

class KeptJobs::Source final : public WorkloadSource {
 public:
  Source(const KeptJobs& kept, Names& names) : kept_(kept), names_(names) {}

  bool next(Job& job) override {
    if (position_ == kept_.jobs_.size()) return false;
    const NamesSoFar& so_far = kept_.names_so_far_[position_];
    intern_up_to(so_far.users, kept_.names_.users, names_.users);
    intern_up_to(so_far.queues, kept_.names_.queues, names_.queues);
    intern_up_to(so_far.racks, kept_.names_.racks, names_.racks);
    intern_up_to(so_far.labels, kept_.names_.labels, names_.labels);
    job = kept_.jobs_[position_++];
    return true;
  }

 private:
  const KeptJobs& kept_;
  Names& names_;
  std::size_t position_ = 0;
};

bool KeptJobs::add(const Job& job, const Names& names) {
  bytes_left_ -= static_cast<std::int64_t>(memory_of(job) + sizeof(NamesSoFar));
  if (bytes_left_ < 0) {
    jobs_ = {};
    names_so_far_ = {};
    return false;
  }
  jobs_.push_back(job);
  const auto count = [](const auto& table) { return static_cast<std::uint32_t>(table.size()); };
  names_so_far_.push_back(
      {count(names.users), count(names.queues), count(names.racks), count(names.labels)});
  return true;
}

std::unique_ptr<WorkloadSource> KeptJobs::open(Names& names) const {
  return std::make_unique<Source>(*this, names);
}

}  // namespace tracebed
