/**
 * Builds the `bough` command: one bundle, cut where something is loaded only when it is needed, with schemas and
 * version put in as text. Beside it the JSON Schemas of the configuration files and the manual page.
 */
import { build } from "esbuild"
import { chmodSync, globSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { configSchemas } from "./derived.ts"
import { manPage } from "./manPage.ts"
import { plugins } from "./plugins.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const dist = join(root, "dist")

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { bough: "src/bin/bough.ts" },
  outdir: dist,
  chunkNames: "bough-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  mainFields: ["module", "main"],
  // Finds the binary that was installed for this platform beside itself.
  external: ["@vscode/ripgrep"],
  plugins: [...plugins],
  // Names stay: the traces of --verbose can be read, and nothing has to put them back at every start.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning"
})
// Only now: a command that is running may still load what was there before.
const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)))
for (const name of globSync("bough-*.js", { cwd: dist })) if (!made.has(name)) rmSync(join(dist, name))
chmodSync(join(dist, "bough.js"), 0o755)
writeFileSync(join(dist, "bough.1"), manPage())
for (const [file, schema] of Object.entries(configSchemas())) {
  writeFileSync(join(dist, file), `${JSON.stringify(schema, null, 2)}\n`)
}
