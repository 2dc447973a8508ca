// XML from anywhere: the control service takes schedulers' files over the network.
#include <string>

#include "coordinator/config/xml_file.h"
#include "core/check.h"
#include "core/input_error.h"
#include "fuzz/fuzz_target.h"
#include "system/utf8.h"

namespace tracebed::fuzz {
namespace {

void check(const XmlElement& element, std::size_t text_bytes) {
  TRACEBED_CHECK(!element.name.empty(), "an element has a name");
  TRACEBED_CHECK(element.where.starts_with("fuzz:"), "an element has a place");
  TRACEBED_CHECK(element.text.size() <= text_bytes, "references never make a text longer");
  TRACEBED_CHECK(is_utf8(element.text), "text stays UTF-8");
  for (const XmlElement& child : element.children) check(child, text_bytes);
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "<?xml version=\"1.0\"?>\n<!-- a remark -->\n<allocations>\n"
      "  <queue name=\"a\" type='parent'><weight>2.0</weight><queue name=\"b &amp; c\"/></queue>\n"
      "</allocations>\n",
      "<configuration><property><name>yarn.scheduler.capacity.root.queues</name>"
      "<value>a,b</value></property>\n<property><name>x</name><value><![CDATA[<&]]></value>"
      "</property></configuration>",
      "<a b='&#65;&#x42;&lt;'>&quot;&apos;&gt;</a>",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(data, data + size);
    tracebed::fuzz::check(tracebed::parse_xml(text, "fuzz"), text.size());
  } catch (const tracebed::InputError&) {
    // The documented refusal.
  }
  return 0;
}
