/**
 * Splits the file that every start loads into a script and a module that runs it, because the compiled functions of a
 * script can be cached (src/bin/CompiledScript.ts).
 */
import { build, type BuildOptions } from "esbuild"
import { createHash } from "node:crypto"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { builtins } from "./builtins.ts"
import { inAscii } from "./inAscii.ts"
import { scriptOf } from "./scriptOf.ts"

const runner = fileURLToPath(new URL("../src/bin/CompiledScript.ts", import.meta.url))

/** A file of the bundle. */
export interface OutputFile {
  readonly path: string
  readonly text: string
}

/** Returns the script, and the module that replaces the given one. */
export const startScript = async (
  { path, text }: OutputFile,
  options: BuildOptions
): Promise<ReadonlyArray<OutputFile>> => {
  const { exports, imports, script } = scriptOf(inAscii(text))
  if (/[^\0-\x7F]/u.test(script)) throw new Error(`${path} has characters outside of ASCII`)
  const name = `bough-${createHash("sha256").update(script).digest("hex").slice(0, 16)}.cjs`
  const { outputFiles = [] } = await build({
    ...options,
    stdin: { contents: moduleOf(name, { exports, imports }), resolveDir: dirname(runner) },
    external: [...imports],
    plugins: [builtins]
  })
  return [
    { path: join(dirname(path), name), text: script },
    ...outputFiles.map((file) => ({ path, text: inAscii(file.text) }))
  ]
}

/** Exports read from the script's result, so the names have their own variables: some are reserved words. */
const moduleOf = (
  name: string,
  { exports, imports }: { readonly exports: ReadonlyArray<string>; readonly imports: ReadonlyArray<string> }
): string => {
  const quoted = (value: string): string => JSON.stringify(value)
  return [
    `import { run } from ${quoted(runner)}`,
    ...imports.map((path, at) => `import * as i${at} from ${quoted(path)}`),
    `const imports = { ${imports.map((path, at) => `${quoted(path)}: i${at}`).join(", ")} }`,
    "const load = (path) => import(path)",
    `const { ${exports.map((exported, at) => `${exported}: e${at}`).join(", ")} } =`,
    `  run(${quoted(name)}, { imports, load, meta: import.meta })`,
    `export { ${exports.map((exported, at) => `e${at} as ${exported}`).join(", ")} }`
  ].join("\n")
}
