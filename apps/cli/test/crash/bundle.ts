/** A program of these tests in one file, which starts in a fraction of the time. */
import { build } from "esbuild"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** `entry`: the module that is run. Returns the path of the file, which is in `folder`. */
export const bundle = async (entry: URL, folder: string): Promise<string> => {
  const outfile = join(folder, "process.mjs")
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
    logLevel: "warning"
  })
  return outfile
}
