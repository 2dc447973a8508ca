// Hadoop's XML files as trees.
#include "coordinator/config/xml_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "core/text.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(XmlFile, IsATreeWithTextAttributesAndPlaces) {
  const XmlElement root = parse_xml(
      "<?xml version=\"1.0\"?>\n"
      "<!-- a remark -->\n"
      "<allocations>\n"
      "  <queue name=\"a\" type='parent'>\n"
      "    <weight>  2.0\n </weight><queue name=\"b &amp; c\"/>\n"
      "  </queue>\n"
      "</allocations>\n",
      "fair.xml");
  EXPECT_EQ(root.name, "allocations");
  EXPECT_EQ(root.where, "fair.xml:3");
  ASSERT_EQ(root.children.size(), 1u);
  const XmlElement& queue = root.children[0];
  EXPECT_EQ(*queue.attribute("type"), "parent");
  EXPECT_EQ(queue.attribute("weight"), nullptr);
  EXPECT_EQ(queue.child("weight")->text, "  2.0\n ");
  EXPECT_EQ(queue.child("weight")->where, "fair.xml:5");
  EXPECT_EQ(*queue.child("queue")->attribute("name"), "b & c");
  EXPECT_EQ(queue.child("minResources"), nullptr);
}

TEST(XmlFile, AnElementHasABoundedNumberOfAttributes) {
  std::string attributes;
  for (std::size_t i = 0; i <= xml_attributes_max; ++i) {
    attributes += " a" + std::to_string(i) + "='1'";
  }
  EXPECT_THAT([&] { parse_xml("<a" + attributes + "/>", "f"); },
              ThrowsMessage<InputError>("f:1: <a>: expected at most 100 attributes, got more"));
}

TEST(XmlFile, TextInPiecesIsOneText) {
  const XmlElement root = parse_xml("<a> x<!-- y --><![CDATA[ <z> ]]></a>", "f");
  EXPECT_EQ(root.text, " x <z> ");
}

// To Hadoop's access control lists, a blank is not the same as nothing.
TEST(XmlFile, TextThatIsBlankIsKept) {
  EXPECT_EQ(parse_xml("<a> </a>", "f").text, " ");
  EXPECT_EQ(parse_xml("<a></a>", "f").text, "");
}

// Places and the white space around elements are not kept.
bool are_alike(const XmlElement& a, const XmlElement& b) {
  const bool is_leaf = a.children.empty();
  if (a.name != b.name || a.attributes != b.attributes || a.children.size() != b.children.size() ||
      (is_leaf ? a.text != b.text : trimmed(a.text) != trimmed(b.text))) {
    return false;
  }
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!are_alike(a.children[i], b.children[i])) return false;
  }
  return true;
}

TEST(XmlFile, IsWrittenAsItWasRead) {
  for (const char* text :
       {"<a/>", "<a>text</a>", "<a>  two  words </a>", "<a b=\"1\" c=\"x y\"><d/><e>f</e></a>",
        "<a>&lt;b&gt; &amp;amp; &quot;c&quot; &#10; d</a>",
        "<a b=\"&lt;&amp;&quot;&#10;&#9;&#13;'\"/>", "<a><![CDATA[<b>&]]></a>",
        "<a> mixed <b> in </b> text </a>", "<a><!-- gone --><b/></a>",
        "<\u00e4 b=\"\u00fc\">\u00df</\u00e4>", "<a><b><c><d>deep</d></c></b></a>"}) {
    SCOPED_TRACE(text);
    const XmlElement read = parse_xml(text, "a.xml");
    const std::string written = xml_text(read);
    EXPECT_TRUE(are_alike(read, parse_xml(written, "b.xml"))) << written;
    EXPECT_EQ(xml_text(parse_xml(written, "b.xml")), written);
  }
}

TEST(XmlFile, WhatIsNotXmlIsRefusedWithItsLine) {
  const char* const bad[] = {"", "no element", "<a>\n<b></a>", "<a b=c/>", "<a/><"};
  for (const char* text : bad) {
    EXPECT_THAT([&] { parse_xml(text, "f.xml"); },
                ThrowsMessage<InputError>(AllOf(StartsWith("f.xml:"), HasSubstr("expected"))))
        << text;
  }
  EXPECT_THAT([] { parse_xml("<a>\n\n<b></a>", "f.xml"); },
              ThrowsMessage<InputError>(StartsWith("f.xml:3: ")));
}

// What pugixml takes, and XML 1.0 does not.
TEST(XmlFile, IsOneRootInUtf8WithKnownReferencesAlone) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case bad[] = {
      {"<a/>\n<b/>", "f.xml:2: expected one root element, got another, <b>, behind <a>"},
      {"<a/>\n<a/>", "f.xml:2: expected one root element"},
      {"<a/> junk", "text outside of the root"},
      {"junk <a/>", "text outside of the root"},
      {"<a/><![CDATA[x]]>", "text outside of the root"},
      {"<!-- only a remark -->", "expected XML; a root element, got none"},
      {"<a>\n<b x='1' x='2'/></a>", "f.xml:2: <b>: expected attributes of different names"},
      {"<a>\n&nbsp;</a>", "f.xml:2: expected a predefined XML reference"},
      {"<a>a & b</a>", "expected a predefined XML reference, such as &amp;, got & b</a>"},
      {"<a>&amp</a>", "expected a predefined XML reference"},
      {"<a>&#0;</a>", "expected a predefined XML reference"},
      {"<a>&#xD800;</a>", "expected a predefined XML reference"},
      {"<a>&#x110000;</a>", "expected a predefined XML reference"},
      {"<a>\n\xff</a>", "f.xml:2: expected text in UTF-8"},
  };
  for (const Case& each : bad) {
    EXPECT_THAT([&] { parse_xml(each.text, "f.xml"); },
                ThrowsMessage<InputError>(AllOf(StartsWith("f.xml:"), HasSubstr(each.message))))
        << each.text;
  }
  EXPECT_THAT([] { parse_xml(std::string_view("<a/>\0<b/>", 9), "f.xml"); },
              ThrowsMessage<InputError>(HasSubstr("a byte 0")));
  EXPECT_EQ(
      parse_xml("<!-- & --><?x & ?><a b='&#65;&lt;'><![CDATA[&]]>&#x42;</a>\n<!-- -->\n", "f").text,
      "&B");
}

// Lines are counted once for all elements, not for each from the start.
TEST(XmlFile, IsReadInOnePassWhateverTheNumberOfElements) {
  std::string text = "<configuration>\n";
  constexpr int properties = 100'000;
  for (int i = 0; i < properties; ++i) {
    text += "<property><name>n</name>\n<value>v</value></property>\n";
  }
  const XmlElement root = parse_xml(text + "</configuration>", "f");
  ASSERT_EQ(root.children.size(), std::size_t{properties});
  EXPECT_EQ(root.children.back().where, "f:200000");
  EXPECT_EQ(root.children.back().children.back().where, "f:200001");
}

TEST(XmlFile, HasABoundedNumberOfElements) {
  std::string text = "<a>";
  for (std::size_t i = 0; i < xml_elements_max; ++i) text += "<b/>\n";
  EXPECT_THAT([&] { parse_xml(text + "</a>", "f.xml"); },
              ThrowsMessage<InputError>(HasSubstr("expected at most 500000 elements, got more")));
}

TEST(XmlFile, DocumentTypesAreRefused) {
  EXPECT_THAT(
      [] { parse_xml("<!DOCTYPE a [<!ENTITY e SYSTEM \"/etc/passwd\">]><a>&e;</a>", "f.xml"); },
      ThrowsMessage<InputError>(HasSubstr("document type")));
}

TEST(XmlFile, AreNotNestedWithoutEnd) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "<a>";
  for (int i = 0; i < 100'000; ++i) text += "</a>";
  EXPECT_THAT([&] { parse_xml(text, "f.xml"); }, ThrowsMessage<InputError>(HasSubstr("64 levels")));
}

TEST(XmlFile, AreNamedWhenTheyCannotBeRead) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "none.xml";
  EXPECT_THAT([&] { read_xml_file(file); },
              ThrowsMessage<InputError>(
                  AllOf(StartsWith(file.string()), HasSubstr("No such file or directory"))));
  EXPECT_THAT([&] { read_xml_file(folder.path()); },
              ThrowsMessage<InputError>(StartsWith(folder.path().string())));
  EXPECT_THAT([&] { read_xml_file(folder.write("large.xml", std::string((16 << 20) + 1, ' '))); },
              ThrowsMessage<InputError>(HasSubstr("at most 16777216 bytes, got 16777217")));
  EXPECT_EQ(read_xml_file(folder.write("good.xml", "<a>1</a>")).text, "1");
}

}  // namespace
}  // namespace tracebed
