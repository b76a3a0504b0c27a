/**
 * Builds the `bough` command: an entry that any Node can parse, and the program, split into files that are loaded on
 * demand, with schemas and version inlined as text. Beside them the JSON Schemas of the configuration files and of
 * exports, and the manual page.
 */
import { build, type BuildOptions } from "esbuild"
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { unbundled } from "../src/own/unbundled.ts"
import { builtins } from "./builtins.ts"
import { inAscii } from "./inAscii.ts"
import { configSchemas, exportSchemas } from "./derived.ts"
import { manPage } from "./manPage.ts"
import { besides, plugins } from "./plugins.ts"

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
  // Keeps names, so that the traces of --verbose are readable and no start has to restore them.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  // Every Node that runs the program supports these literals, and caches their compiled form between two calls.
  supported: { "regexp-unicode-property-escapes": true },
  metafile: true,
  logLevel: "warning"
} as const satisfies BuildOptions

const program = await build({
  ...options,
  entryPoints: { "bough-program": "src/bin/program.ts" },
  chunkNames: "bough-[hash]",
  splitting: true,
  external: [...unbundled],
  plugins: plugins(join(root, "src/bin/program.ts"))
})
// Bundled separately: files that it shared with the program would be loaded before the compile cache is on.
const entry = await build({
  ...options,
  entryPoints: { bough: "src/bin/bough.ts" },
  plugins: [builtins, besides("./program.ts", "./bough-program.js")]
})
// Removes the old files last: a running command may still load them.
const made = new Set(
  [program, entry].flatMap(({ metafile }) => Object.keys(metafile.outputs).map((path) => basename(path)))
)
for (const name of globSync("bough-*.js", { cwd: dist })) if (!made.has(name)) rmSync(join(dist, name))
for (const name of made) {
  if (!name.endsWith(".js")) continue
  const text = readFileSync(join(dist, name), "utf8")
  const plain = inAscii(text)
  if (plain !== text) writeFileSync(join(dist, name), plain)
}
chmodSync(join(dist, "bough.js"), 0o755)
writeFileSync(join(dist, "bough.1"), await manPage())
for (const [file, schema] of Object.entries({ ...configSchemas(), ...exportSchemas() })) {
  writeFileSync(join(dist, file), `${JSON.stringify(schema, null, 2)}\n`)
}
