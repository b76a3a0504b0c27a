/**
 * Puts all code that every start loads into one file. Each file is searched for, read and linked separately: 25 files
 * took a tenth of the start time.
 */
import type { Plugin } from "esbuild"
import { dirname } from "node:path"

/** The namespace of modules that are loaded at run time. */
const late = "late"

/**
 * Makes Bough's lazily loaded modules depend on the entire program. Otherwise the bundler would move code that only
 * some of them share into separate files.
 */
export const startInOneFile = (program: string): Plugin => ({
  name: "start-in-one-file",
  setup: (bundle) => {
    bundle.onResolve({ filter: /^(\.|@bough\/)/ }, async ({ importer, kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined
      const resolved = await bundle.resolve(path, { kind: "import-statement", importer, resolveDir })
      return resolved.path.endsWith(".ts") ? { path: resolved.path, namespace: late } : resolved
    })
    bundle.onLoad({ filter: /.*/, namespace: late }, ({ path }) => ({
      loader: "js",
      resolveDir: dirname(path),
      contents: [`import ${JSON.stringify(program)}`, `export * from ${JSON.stringify(path)}`].join("\n")
    }))
  }
})
