/**
 * Builds the `bough` command: an entry that any Node can read, and the program, cut where something is loaded only when
 * it is needed, with schemas and version put in as text. Beside them the JSON Schemas of the configuration files and of exports, and the
 * manual page.
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
  // Names stay: the traces of --verbose can be read, and nothing has to put them back at every start.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  // Every Node that runs the program reads these literals, and keeps what it compiled of one between two calls.
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
// By itself: what it would share with the program would be files of its own, loaded before the compile cache is on.
const entry = await build({
  ...options,
  entryPoints: { bough: "src/bin/bough.ts" },
  plugins: [builtins, besides("./program.ts", "./bough-program.js")]
})
// Only now: a command that is running may still load what was there before.
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
