/** Differences between the bundle and its sources: values derived at build time, and unused parts of libraries left out. */
import type { Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { builtins } from "./builtins.ts"
import { toolSchemas, version } from "./derived.ts"
import { directImports } from "./directImports.ts"
import { oneCellEach } from "./LoneCharacters.ts"
import { startInOneFile } from "./startInOneFile.ts"

/** Modules of ours that are values here. */
const derived: Plugin = {
  name: "derived",
  setup: (bundle) => {
    bundle.onLoad({ filter: /[/\\]cli[/\\]src[/\\]PrebuiltSchemas\.ts$/ }, () => ({
      loader: "js",
      // Parsed as JSON when it is used: faster than as an object literal.
      contents: `export const prebuilt = JSON.parse(${JSON.stringify(JSON.stringify(toolSchemas()))})`
    }))
    bundle.onLoad({ filter: /[/\\]cli[/\\]src[/\\]Version\.ts$/ }, () => ({
      loader: "js",
      contents: `export const version = ${JSON.stringify(version())}`
    }))
  }
}

/** Text of a package, with each of these passages, which must be there once, put otherwise. */
const changed = (path: string, passages: Readonly<Record<string, string>>): string => {
  let text = readFileSync(path, "utf8")
  for (const [passage, replacement] of Object.entries(passages)) {
    if (text.split(passage).length !== 2) throw new Error(`${path} has changed: look for ${passage}`)
    text = text.replace(passage, () => replacement)
  }
  return text
}

/** The same client again: the global Headers loads it. A map does what is done with it, names being in lower case. */
const withoutHeaders: Plugin = {
  name: "without-headers",
  setup: (bundle) => {
    bundle.onLoad({ filter: /@ai-sdk[/\\]provider-utils[/\\]dist[/\\]index\.m?js$/ }, ({ path }) => ({
      loader: "js",
      contents: changed(path, {
        "headers instanceof Headers": `Object.prototype.toString.call(headers) === "[object Headers]"`,
        "new Headers(normalizeHeaders(headers))": "new Map(Object.entries(normalizeHeaders(headers)))"
      })
    }))
  }
}

/**
 * What the conversation's screen would load before its first row: an HTTP client to read a module that is text here
 * already, assertions of which one is made, and the table of all emoji to measure a dash or an arrow.
 */
const lighterScreen: Plugin = {
  name: "lighter-screen",
  setup: (bundle) => {
    bundle.onLoad({ filter: /yoga-layout[/\\]dist[/\\]binaries[/\\]yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
      loader: "js",
      contents: changed(path, { '"function"!=typeof fetch?Promise': "true?Promise" })
    }))
    bundle.onLoad({ filter: /signal-exit[/\\]index\.js$/ }, ({ path }) => ({
      loader: "js",
      contents: changed(path, { "require('assert')": "{ equal: () => {} }" })
    }))
    bundle.onLoad({ filter: /string-width[/\\]index\.js$/ }, ({ path }) => ({
      loader: "js",
      contents: changed(path, { "/^[\\u0020-\\u007E]*$/": `/^[${oneCellEach}]*$/` })
    }))
  }
}

/** Half of zod is its messages in fifty languages; English is imported apart. */
const withoutLocales: Plugin = {
  name: "without-locales",
  setup: (bundle) => {
    bundle.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      loader: "js",
      contents: "export {}"
    }))
  }
}

/** A module that is bundled by itself, as the file it becomes. */
export const besides = (module: string, path: string): Plugin => ({
  name: "besides",
  setup: (bundle) => {
    bundle.onResolve({ filter: /^\./ }, (resolved) => (resolved.path === module ? { path, external: true } : undefined))
  }
})

/** `program`: the file of the entry that every start loads. */
export const plugins = (program: string): Array<Plugin> => [
  derived,
  directImports,
  startInOneFile(program),
  builtins,
  withoutHeaders,
  withoutLocales,
  lighterScreen
]
