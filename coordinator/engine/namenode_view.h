// What modelled machines see of an engine's namenode.
#pragma once

#include "coordinator/engine/engine.h"
#include "core/storage_view.h"

namespace tracebed {

class NamenodeView final : public StorageView {
 public:
  // The engine, which has storage, outlives this.
  explicit NamenodeView(const Engine& engine) : engine_(engine) {}

  std::vector<LocatedBlock> locate(std::uint64_t file, std::int64_t offset, std::int64_t length,
                                   NodeId reader) const override;
  std::vector<NodeId> datanodes_with_orders() const override;

 private:
  const Engine& engine_;
};

}  // namespace tracebed
