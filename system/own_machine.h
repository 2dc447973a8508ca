// What identifies this machine to others.
#pragma once

#include <string>

namespace tracebed {

// Throws EnvironmentError if it cannot be read.
std::string host_name();

// Of the first processor, as the kernel names it; "unknown" if it does not.
std::string processor_model();

// The first IPv4 address of a network interface. Throws EnvironmentError if it has none.
std::string address_of_interface(const std::string& interface);

// Distinguishes this machine from others, also after a restart; derived from /etc/machine-id, which
// itself must not be sent over the network (machine-id(5)). The host name if there is none.
std::string host_identity();

}  // namespace tracebed
