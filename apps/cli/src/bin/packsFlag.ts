/** `--packs FILE` on the command line: runs the program of the `@bough/cli` that is installed beside the file. */
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

export interface PacksFlag {
  readonly file: string
  /** The other words of the command line. */
  readonly words: ReadonlyArray<string>
}

/** Reads the flag; null if it is absent or has no value. */
export const packsFlag = (given: ReadonlyArray<string>): PacksFlag | null => {
  const separator = given.indexOf("--")
  const before = separator === -1 ? given : given.slice(0, separator)
  const at = before.findIndex((word) => word === "--packs" || word.startsWith("--packs="))
  if (at === -1) return null
  const joined = given[at] !== "--packs"
  const file = joined ? given[at].slice("--packs=".length) : (before[at + 1] ?? "")
  return file === "" ? null : { file: resolve(file), words: given.toSpliced(at, joined ? 1 : 2) }
}

/** Loads the program beside the file, so that it and the packs use the same copy of the tool contract. */
export const runWith = async ({ file, words }: PacksFlag): Promise<void> => {
  let own: string
  try {
    own = createRequire(file).resolve("@bough/cli/own")
  } catch {
    process.stderr.write(`bough: no @bough/cli is installed beside ${file} — run "npm install @bough/cli" there\n`)
    process.exitCode = 1
    return
  }
  const program = (await import(pathToFileURL(own).href)) as typeof import("../own/run.ts")
  await program.runFile(file, words)
}
