/** A program of the tests in one file: loading its hundreds of modules takes two thirds of each start. */
import { build } from "esbuild"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** `entry`: the module to run. Returns the path of the file, which is in `folder`. */
export const bundle = async (entry: URL, folder: string): Promise<string> => {
  const outfile = join(folder, "process.mjs")
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
    // The package loads a file from beside itself.
    external: ["web-tree-sitter"],
    logLevel: "warning"
  })
  return outfile
}

const kept = new Map<string, Promise<string>>()

/** Bundles once for all tests of a process, in the program's package, so that the compiled code is cached. */
export const bundled = (entry: URL): Promise<string> => {
  const known = kept.get(entry.href)
  if (known !== undefined) return known
  const made = keep(entry)
  kept.set(entry.href, made)
  return made
}

const keep = async (entry: URL): Promise<string> => {
  const source = fileURLToPath(entry)
  const folder = join(packageOf(dirname(source)), "node_modules/.cache/programs")
  mkdirSync(folder, { recursive: true })
  const apart = mkdtempSync(join(folder, "new-"))
  try {
    const path = join(folder, `${basename(source, ".ts")}.mjs`)
    // Renamed into place: tests of other processes may be starting it.
    renameSync(await bundle(entry, apart), path)
    return path
  } finally {
    rmSync(apart, { recursive: true })
  }
}

const packageOf = (folder: string): string =>
  existsSync(join(folder, "package.json")) ? folder : packageOf(dirname(folder))
