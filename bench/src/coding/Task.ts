/** A small task in a separate repository, with a check that the agent does not see. */

type Files = Readonly<Record<string, string>>

export interface Task {
  readonly name: string
  readonly prompt: string
  /** The initial repository. */
  readonly files: Files
  /** An ES module in the root of the repository that throws if the task is not done. */
  readonly check: string
  /** The files that solve the task; an empty file is removed. */
  readonly solution: Files
}

export const lines = (...text: ReadonlyArray<string>): string => `${text.join("\n")}\n`

/** Returns a check that can use `assert`, `read`, `exists` and `run`. */
export const checkScript = (...text: ReadonlyArray<string>): string =>
  lines(
    'import assert from "node:assert/strict"',
    'import { execFileSync } from "node:child_process"',
    'import { existsSync as exists, readFileSync } from "node:fs"',
    'const read = (path) => readFileSync(path, "utf8")',
    'const run = (...argv) => execFileSync(process.execPath, argv, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })',
    "const tried = (work) => { try { return { value: work() } } catch (error) { return { error } } }",
    ...text
  )
