/** `--packs FILE` on the command line: runs the program of the `@bough/cli` that is installed beside the file. */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { resolveOwn } from "../own/resolveOwn.ts"

export interface PacksFlag {
  readonly _tag: "Packs"
  readonly file: string
  /** The other words of the command line. */
  readonly words: ReadonlyArray<string>
}

/** The flag has no value. */
export interface PacksMissing {
  readonly _tag: "Missing"
}

/**
 * Reads the flag; null: it is absent. The file is relative to `--cwd`, else to `directory`, which is only called with the
 * flag: the current directory may have been removed.
 */
export const packsFlag = (args: ReadonlyArray<string>, directory: () => string): PacksFlag | PacksMissing | null => {
  const flag = valueOf("--packs", args)
  if (flag === null) return null
  const { at, count, value } = flag
  if (value === "" || (count === 2 && value.startsWith("-"))) return { _tag: "Missing" }
  const root = resolve(directory(), valueOf("--cwd", args)?.value ?? ".")
  return { _tag: "Packs", file: resolve(root, value), words: args.toSpliced(at, count) }
}

/** Finds a flag with its value among the words before `--`; `count`: the number of its words. */
const valueOf = (name: string, args: ReadonlyArray<string>) => {
  const separator = args.indexOf("--")
  const before = separator === -1 ? args : args.slice(0, separator)
  const at = before.findIndex((word) => word === name || word.startsWith(`${name}=`))
  if (at === -1) return null
  return before[at] === name
    ? { at, count: 2, value: before[at + 1] ?? "" }
    : { at, count: 1, value: before[at].slice(name.length + 1) }
}

/** Loads the program beside the file, so that it and the packs use the same copy of the tool contract. */
export const runWith = async (flag: PacksFlag | PacksMissing): Promise<void> => {
  if (flag._tag === "Missing") return fail("--packs needs a file", "--packs FILE, such as bough.packs.ts", 2)
  const resolved = resolveOwn(flag.file, "own")
  if (resolved._tag === "Fault") return fail(resolved.message, resolved.hint, 1)
  const program = (await import(pathToFileURL(resolved.path).href)) as typeof import("../own/run.ts")
  await program.runFile(flag.file, flag.words)
}

const fail = (message: string, hint: string, code: 1 | 2): void => {
  process.stderr.write(`bough: ${message}${hint === "" ? "" : ` — ${hint}`}\n`)
  process.exitCode = code
}
