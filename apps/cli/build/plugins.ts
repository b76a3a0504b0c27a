/** Differences between the bundle and its sources: values derived at build time, and unused parts of libraries left out. */
import type { Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { builtins } from "./builtins.ts"
import { toolSchemas, version } from "./derived.ts"
import { directImports } from "./directImports.ts"
import { startInOneFile } from "./startInOneFile.ts"

/** Replaces Bough's modules whose values are derived at build time. */
const derived: Plugin = {
  name: "derived",
  setup: (bundle) => {
    bundle.onLoad({ filter: /[/\\]cli[/\\]src[/\\]PrebuiltSchemas\.ts$/ }, () => ({
      loader: "js",
      // The text is parsed as JSON when it is used, which is faster than an object literal.
      contents: `export const prebuilt = JSON.parse(${JSON.stringify(JSON.stringify(toolSchemas()))})`
    }))
    bundle.onLoad({ filter: /[/\\]cli[/\\]src[/\\]Version\.ts$/ }, () => ({
      loader: "js",
      contents: `export const version = ${JSON.stringify(version())}`
    }))
  }
}

/**
 * Removes the checks of tool declarations at the start, because the build has already created and checked every tool of
 * the packs.
 */
const checkedDeclarations: Plugin = {
  name: "checked-declarations",
  setup: (bundle) => {
    bundle.onLoad({ filter: /[/\\]tool[/\\]src[/\\]DeclarationCheck\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: replacePassages(path, { "let isOn = true": "let isOn = false" })
    }))
  }
}

/** Returns the text of a package with these passages replaced. Each passage must occur exactly once. */
const replacePassages = (path: string, passages: Readonly<Record<string, string>>): string => {
  let text = readFileSync(path, "utf8")
  for (const [passage, replacement] of Object.entries(passages)) {
    if (text.split(passage).length !== 2) throw new Error(`${path} has changed: look for ${passage}`)
    text = text.replace(passage, () => replacement)
  }
  return text
}

/**
 * Replaces the global Headers, which load a second HTTP client, 62 ms of a start
 * (adr/0089-what-the-bundle-leaves-for-later.md). A map is enough, since all names are in lower case.
 */
const withoutHeaders: Plugin = {
  name: "without-headers",
  setup: (bundle) => {
    bundle.onLoad({ filter: /@ai-sdk[/\\]provider-utils[/\\]dist[/\\]index\.m?js$/ }, ({ path }) => ({
      loader: "js",
      contents: replacePassages(path, {
        "headers instanceof Headers": `Object.prototype.toString.call(headers) === "[object Headers]"`,
        "new Headers(normalizeHeaders(headers))": "new Map(Object.entries(normalizeHeaders(headers)))"
      })
    }))
  }
}

/**
 * Defers a segmenter, which takes 10 ms of every start, and the Unicode tables of these patterns, which take 3 ms. Only
 * the help measures text with them.
 */
const lateMeasures: Plugin = {
  name: "late-measures",
  setup: (bundle) => {
    bundle.onLoad({ filter: /[/\\]effect[/\\]dist[/\\]cli[/\\]CliOutput\.js$/ }, ({ path }) => ({
      loader: "js",
      contents: replacePassages(path, {
        "const graphemeSegmenter = /*#__PURE__*/new Intl.Segmenter(":
          "let made; const graphemeSegmenter = () => made ??= new Intl.Segmenter(",
        "graphemeSegmenter.segment(": "graphemeSegmenter().segment(",
        "const zeroWidthCodePoints = ": "const zeroWidthCodePoints = () => ",
        "replace(zeroWidthCodePoints,": "replace(zeroWidthCodePoints(),",
        "const emojiPresentation = ": "const emojiPresentation = () => ",
        "emojiPresentation.test(": "emojiPresentation().test("
      })
    }))
  }
}

/** Replaces a module by the file into which it is bundled separately. */
export const besides = (module: string, path: string): Plugin => ({
  name: "besides",
  setup: (bundle) => {
    bundle.onResolve({ filter: /^\./ }, (resolved) => (resolved.path === module ? { path, external: true } : undefined))
  }
})

/** Returns the plugins. `program`: the file of the entry that every start loads. */
export const plugins = (program: string): Array<Plugin> => [
  derived,
  checkedDeclarations,
  directImports,
  startInOneFile(program),
  builtins,
  withoutHeaders,
  lateMeasures
]
