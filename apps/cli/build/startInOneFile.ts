/**
 * What every start loads, in one file. Each file is found, read and linked by itself: 25 of them took a tenth of the
 * whole start.
 */
import type { Plugin } from "esbuild"
import { dirname } from "node:path"

/** The namespace of modules that are loaded while the program runs. */
const late = "late"

/**
 * A module of ours that is loaded late holds the program as well, so that nothing of the program is shared by some of
 * them alone, which would make it a file of its own.
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
