// Records for two sinks.
#pragma once

#include "core/records.h"

namespace tracebed {

class RecordTee final : public RecordSink {
 public:
  // Both outlive this; `second` may be null.
  RecordTee(RecordSink& first, RecordSink* second) : first_(first), second_(second) {}

  void leaf_named(LeafId leaf, const std::string& path) override {
    first_.leaf_named(leaf, path);
    if (second_ != nullptr) second_->leaf_named(leaf, path);
  }
  void attempt_ended(const AttemptRecord& record) override {
    first_.attempt_ended(record);
    if (second_ != nullptr) second_->attempt_ended(record);
  }
  void job_ended(const JobRecord& record) override {
    first_.job_ended(record);
    if (second_ != nullptr) second_->job_ended(record);
  }
  void preemption_ended(const PreemptionRecord& record) override {
    first_.preemption_ended(record);
    if (second_ != nullptr) second_->preemption_ended(record);
  }
  void sampled(const ClusterSample& sample) override {
    first_.sampled(sample);
    if (second_ != nullptr) second_->sampled(sample);
  }

 private:
  RecordSink& first_;
  RecordSink* second_;
};

}  // namespace tracebed
