// The master of an application, with where it runs: in the engine, as an object that is notified at
// once (YARN: unmanaged), or in a container, where a ManagedMaster represents it.
#pragma once

#include <memory>
#include <utility>

#include "coordinator/engine/managed_master.h"
#include "core/application_master.h"

namespace tracebed {

class MasterHandle {
 public:
  MasterHandle() = default;  // none yet
  static MasterHandle in_engine(std::unique_ptr<ApplicationMaster> master) {
    return {std::move(master), Place::engine};
  }
  static MasterHandle in_container(std::unique_ptr<ManagedMaster> master) {
    return {std::move(master), Place::container};
  }

  ApplicationMaster* operator->() const { return master_.get(); }
  // Null if it runs in the engine.
  ManagedMaster* managed() const {
    return place_ == Place::container ? static_cast<ManagedMaster*>(master_.get()) : nullptr;
  }

 private:
  enum class Place : bool { engine, container };

  MasterHandle(std::unique_ptr<ApplicationMaster> master, Place place)
      : master_(std::move(master)), place_(place) {}

  std::unique_ptr<ApplicationMaster> master_;
  Place place_ = Place::engine;  // container: `master_` is a ManagedMaster
};

}  // namespace tracebed
