/**
 * Builds the `bough` command: one bundle, cut where something is loaded only when it is needed, with schemas and
 * version put in as text. Beside it the JSON Schemas of the configuration files.
 */
import { build, type Plugin } from "esbuild"
import { chmodSync, globSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { configSchemas, toolSchemas, version } from "./derived.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const dist = join(root, "dist")

/** Modules that the bundle holds as values. */
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

/**
 * Node's own modules as plain objects. An import of one as an ES module reads each of its exports, and a getter of
 * node:http loads an HTTP client that nobody here uses: a tenth of the whole start.
 */
const builtins: Plugin = {
  name: "builtins",
  setup: (bundle) => {
    bundle.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: "builtin" }))
    bundle.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      loader: "js",
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`
    }))
  }
}

for (const old of globSync("{bough.js,bough-*.js}", { cwd: dist })) rmSync(join(dist, old))

await build({
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
  plugins: [derived, builtins],
  // Names stay: the traces of --verbose can be read, and nothing has to put them back at every start.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning"
})
chmodSync(join(dist, "bough.js"), 0o755)
for (const [file, schema] of Object.entries(configSchemas())) {
  writeFileSync(join(dist, file), `${JSON.stringify(schema, null, 2)}\n`)
}
