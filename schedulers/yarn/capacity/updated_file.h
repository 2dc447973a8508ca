// capacity-scheduler.xml with a change that somebody asks for while the scheduler runs, as YARN
// makes it (scheduler.capacity.conf.MutableCSConfigurationProvider and
// ConfigurationUpdateAssembler): queues are removed, added and updated, then properties are set.
// What the file says afterwards is for the scheduler to take or to refuse, as with any refresh.
// A property that is not obeyed here, and one of a queue that does not exist, are refused; YARN
// keeps them and says nothing.
#pragma once

#include "core/configuration_update.h"
#include "core/result.h"
#include "core/xml_element.h"
#include "schedulers/scheduler_entry.h"

namespace tracebed {

// Fails with a sentence that names the property or the queue.
Result<XmlElement> updated_capacity_file(const SchedulerFile& file,
                                         const ConfigurationUpdate& update);

}  // namespace tracebed
