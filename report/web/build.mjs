// Bundles the report page into one C++ file.
//   node build.mjs FOLDER_WITH_NODE_MODULES OUTPUT.cpp
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [packages, output] = process.argv.slice(2).map((path) => resolve(path));
const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const { buildSync } = createRequire(join(packages, "package.json"))("esbuild");

function bundle(entry, options) {
  const result = buildSync({
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "eof",
    target: "es2020",
    nodePaths: [join(packages, "node_modules")],
    logLevel: "warning",
    ...options,
  });
  return result.outputFiles[0].text;
}

// A script may not contain what would end its element.
const script = bundle("main.js", { format: "iife", charset: "utf8" }).replaceAll(
  "</script",
  "<\\/script",
);
const style = bundle("style.css", {});
const marks = { "@style@": style, "@script@": script };
const page = readFileSync(join(source, "page.html"), "utf8").replace(
  /@style@|@script@/g,
  (mark) => marks[mark],
);
const halves = page.split("@data@");
if (halves.length !== 2) throw new Error("page.html must hold @data@ once");

// A C++ literal of every byte that is not plain ASCII escaped in octal, which, unlike hexadecimal,
// ends after three digits. "?" is escaped for the sake of trigraphs.
function literal(bytes) {
  let text = "";
  for (const byte of bytes) {
    const plain = byte >= 32 && byte < 127 && !'"\\?'.includes(String.fromCharCode(byte));
    text += plain ? String.fromCharCode(byte) : "\\" + byte.toString(8).padStart(3, "0");
  }
  return `"${text}"`;
}

function pieces(name, half) {
  const bytes = Buffer.from(half, "utf8");
  const list = [];
  for (let at = 0; at < bytes.length; at += 16384) {
    const piece = bytes.subarray(at, at + 16384);
    list.push(`    std::string_view(${literal(piece)}, ${piece.length}),`);
  }
  return `const std::array<std::string_view, ${list.length}> ${name}{\n${list.join("\n")}\n};\n`;
}

writeFileSync(
  output,
  `// Made by report/web/build.mjs.
#include "report/html_page.h"

#include <array>

namespace tracebed {
namespace {
${pieces("before", halves[0])}${pieces("after", halves[1])}}  // namespace

std::span<const std::string_view> html_page_before_data() { return before; }
std::span<const std::string_view> html_page_after_data() { return after; }

}  // namespace tracebed
`,
);
