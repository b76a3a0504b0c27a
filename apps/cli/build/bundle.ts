/**
 * Builds the `bough` command: an entry that any Node version can parse, and the program, split into files that are
 * loaded on demand, with schemas and version inlined as text. Also writes the JSON Schemas of the configuration files
 * and of exports, and the manual page.
 */
import { build, type BuildOptions } from "esbuild"
import { globSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { unbundled } from "../src/own/unbundled.ts"
import { builtins } from "./builtins.ts"
import { configSchemas, exportSchemas } from "./derived.ts"
import { inAscii } from "./inAscii.ts"
import { manPage } from "./manPage.ts"
import { besides, plugins } from "./plugins.ts"
import { startScript } from "./startScript.ts"
import { writeChanged } from "./writeChanged.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const dist = join(root, "dist")

const options = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22",
  mainFields: ["module", "main"],
  // Keeps names, so the traces of --verbose are readable without code that restores names at each start.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  // Every Node that runs the program supports these literals, and caches their compiled form between two calls.
  supported: { "regexp-unicode-property-escapes": true },
  write: false,
  logLevel: "warning"
} as const satisfies BuildOptions

const program = await build({
  ...options,
  entryPoints: { "bough-program": "src/bin/program.ts" },
  chunkNames: "bough-[hash]",
  splitting: true,
  external: [...unbundled],
  metafile: true,
  plugins: plugins(join(root, "src/bin/program.ts"))
})
// The entry is bundled separately, because files that it shared with the program would be loaded before the compile
// cache is enabled.
const entry = await build({
  ...options,
  entryPoints: { bough: "src/bin/bough.ts" },
  plugins: [builtins, besides("./program.ts", "./bough-program.js")]
})
const programOutput = Object.entries(program.metafile.outputs).find(([, { inputs }]) => "src/bin/program.ts" in inputs)
if (programOutput === undefined) throw new Error("no file of the bundle holds the program")
const [startPath] = programOutput
const isStart = ({ path }: { readonly path: string }): boolean => path === join(root, startPath)
const start = await Promise.all(program.outputFiles.filter(isStart).map((file) => startScript(file, options)))
const others = [...program.outputFiles.filter((file) => !isStart(file)), ...entry.outputFiles]
const code = [...start.flat(), ...others.map(({ path, text }) => ({ path, text: inAscii(text) }))].map((file) => ({
  ...file,
  name: basename(file.path)
}))
// Files that import others are replaced after them, and old files are removed last, so a command that starts during the
// build finds all of its files.
const entries = ["bough-program.js", "bough.js"]
for (const { name, path, text } of code.toSorted((a, b) => entries.indexOf(a.name) - entries.indexOf(b.name))) {
  writeChanged(path, text, name === "bough.js" ? 0o755 : 0o644)
}
const names = new Set(code.map(({ name }) => name))
for (const name of globSync("bough-*.{js,cjs}", { cwd: dist })) if (!names.has(name)) rmSync(join(dist, name))
writeChanged(join(dist, "bough.1"), await manPage())
for (const [file, schema] of Object.entries({ ...configSchemas(), ...exportSchemas() })) {
  writeChanged(join(dist, file), `${JSON.stringify(schema, null, 2)}\n`)
}
