/**
 * The repository of a workspace, and runs of git in it: with fixed settings, and without programs that the repository
 * configures.
 */
import { SystemError } from "@bough/disk"
import { ToolError } from "@bough/protocol"
import type { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Buffer, isUtf8 } from "node:buffer"
import * as fs from "node:fs"
import { basename, dirname, isAbsolute, join, normalize, relative, resolve } from "node:path"
import type { Root } from "../internal/root.ts"
import { quote } from "../Refusal.ts"
import * as GitSettings from "./GitSettings.ts"

export interface Git {
  readonly root: Root
  readonly run: (args: ReadonlyArray<string>, options?: RunOptions) => Effect.Effect<Output, ToolError.ToolError>
  /** Runs git with further settings. */
  readonly runWith: (settings: ReadonlyArray<GitSettings.Setting>) => Git["run"]
  /** The git directory of this worktree. */
  readonly directory: string
}

export interface RunOptions {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** Exit codes that count as success; default: only 0. */
  readonly successCodes?: ReadonlyArray<number>
  readonly maxBytes?: number
}

export interface Output {
  readonly exitCode: number
  readonly bytes: Uint8Array
  readonly text: string
  readonly truncated: boolean
}

export interface OpenContext {
  readonly root: Root
  readonly runner: ProcessRunner.ProcessRunner["Service"]
}

const defaultMaxBytes = 16 * 1024 ** 2

/** Opens the repository whose worktree is the root. Its files are read without filters. */
export const open = Effect.fnUntraced(function* ({
  root,
  runner
}: OpenContext): Effect.fn.Return<Git, ToolError.ToolError> {
  const directory = yield* gitDirectory(root.path)
  const repositoryVariables = { GIT_DIR: directory, GIT_WORK_TREE: root.path, GIT_LITERAL_PATHSPECS: "1" }
  const withSettings =
    (settings: ReadonlyArray<GitSettings.Setting>): Git["run"] =>
    (args, { successCodes = [0], env = {}, input, maxBytes = defaultMaxBytes } = {}) =>
      runner
        .run({
          program: "git",
          args: ["--no-pager", ...args],
          cwd: root.path,
          env: { ...GitSettings.environment(settings), ...repositoryVariables, ...env },
          maxOutputBytes: maxBytes,
          ...(input === undefined ? {} : { input: typeof input === "string" ? Buffer.from(input) : input })
        })
        .pipe(
          Effect.catch(({ message }) => Effect.fail(failed(`git cannot be started: ${message}`, "install git"))),
          Effect.flatMap((result) => outputOf(result, successCodes))
        )
  const filters = (yield* filtersOf(withSettings([]), root.path)).flatMap(GitSettings.filterOff)
  return {
    root,
    directory,
    run: withSettings(filters),
    runWith: (settings) => withSettings([...filters, ...settings])
  }
})

const outputOf = (
  { exitCode, stderr, stdout, truncated }: ProcessRunner.HelperResult,
  successCodes: ReadonlyArray<number>
): Effect.Effect<Output, ToolError.ToolError> => {
  if (!truncated && (exitCode === null || !successCodes.includes(exitCode)))
    return Effect.fail(failed(messageIn(stderr)))
  const bytes = Buffer.from(stdout)
  return Effect.succeed({ exitCode: exitCode ?? 0, bytes, text: bytes.toString("utf8"), truncated })
}

/** Returns git's messages without its labels. */
const messageIn = (stderr: string): string => {
  const lines = stderr
    .split("\n")
    .filter((line) => !line.startsWith("hint: "))
    .map((line) => line.replace(/^(?:fatal|error|warning): /u, "").trim())
  const text = lines.filter((line) => line !== "").join("; ")
  return text === "" ? "git failed and printed no error message" : `git: ${text}`
}

export const failed = (message: string, hint?: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message, ...(hint === undefined ? {} : { hint }) })

export const invalid = (field: string, message: string): ToolError.ValidationError =>
  new ToolError.ValidationError({ message, field, issues: [{ path: field, message }] })

/** Returns the names of settings that match, including those of included files; none if there is no such source. */
export const settingNames = (
  run: Git["run"],
  pattern: string,
  source: ReadonlyArray<string> = []
): Effect.Effect<ReadonlyArray<string>, ToolError.ToolError> =>
  Effect.flatMap(
    run(["config", ...source, "--null", "--name-only", "--get-regexp", pattern], {
      successCodes: source.length === 0 ? [0, 1] : [0, 1, 128]
    }),
    ({ bytes, text, truncated }) => (truncated || !isUtf8(bytes) ? unsupportedNames() : Effect.succeed(records(text)))
  )

/** A name that is not decoded exactly cannot be overridden. */
const unsupportedNames = (): Effect.Effect<never, ToolError.ExecutionError> =>
  Effect.fail(
    failed("git: the repository's configuration names programs in a way that is not supported", "use a command")
  )

const inclusion = String.raw`^include(if\..*)?\.path$`

/**
 * Returns the names of the filter settings. The repository's own configuration must not include a file of the workspace:
 * a command or a stash may change such a file at any time, and git would run the programs that it names. Git reads the
 * other included files only after this check.
 */
const filtersOf = Effect.fnUntraced(function* (
  run: Git["run"],
  root: string
): Effect.fn.Return<ReadonlyArray<string>, ToolError.ToolError> {
  const args = ["config", "--no-includes", "--null", "--get-regexp", `${inclusion}|${GitSettings.filters}`]
  const entries = settingsIn(yield* run(args, { successCodes: [0, 1] }))
  if (entries === null) return yield* unsupportedNames()
  const included = entries.filter(([key]) => key.startsWith("include"))
  const inside = included.find(([, path]) => !isOutside(root, path))
  if (inside !== undefined) {
    return yield* failed(`git: the repository's configuration includes the file ${quote(inside[1])}`, "use a command")
  }
  return included.length > 0 ? yield* settingNames(run, GitSettings.filters) : entries.map(([key]) => key)
})

/** Splits the output of `git config --null`; null: the output is cut, or a name is not UTF-8. */
const settingsIn = ({ bytes, truncated }: Output): ReadonlyArray<GitSettings.Setting> | null => {
  // Latin-1 keeps each byte as one character.
  const settings = records(Buffer.from(bytes).toString("latin1")).map((record): readonly [Buffer, Buffer] => {
    const end = record.indexOf("\n")
    // A setting without a value has no end of a line.
    const [key, value] = end === -1 ? [record, ""] : [record.slice(0, end), record.slice(end + 1)]
    return [Buffer.from(key, "latin1"), Buffer.from(value, "latin1")]
  })
  return truncated || !settings.every(([key]) => isUtf8(key))
    ? null
    : settings.map(([key, value]) => [key.toString("utf8"), value.toString("utf8")])
}

/** True if a path does not lead into the workspace. A relative path begins in the git directory. */
const isOutside = (root: string, path: string): boolean =>
  path.startsWith("~") ||
  (isAbsolute(path) &&
    relative(root, path).startsWith("..") &&
    // A link of a process, such as /proc/self/cwd, leads git elsewhere than this program.
    !/^\/+(?:proc|dev)(?:\/|$)/u.test(normalize(path)) &&
    relative(root, realPath(path)).startsWith(".."))

const realPath = (path: string): string => {
  const real = Result.try(() => fs.realpathSync.native(path))
  return Result.getOrElse(real, () => path)
}

/** Splits output that ends each record with a NUL. */
export const records = (text: string): ReadonlyArray<string> => text.split("\0").filter((record) => record !== "")

/** Returns the part of an output up to the last end of a record, since a long output is cut anywhere. */
export const completeRecords = ({ text, truncated }: Pick<Output, "text" | "truncated">, end: string): string =>
  truncated ? text.slice(0, text.lastIndexOf(end) + 1) : text

/**
 * Returns the git directory. A `.git` file alone is not trusted: the repository that it names must also name the
 * worktree.
 */
const gitDirectory = (root: string): Effect.Effect<string, ToolError.ToolError> =>
  Effect.try({
    try: () => {
      const dotGit = join(root, ".git")
      const stats = fs.lstatSync(dotGit, { throwIfNoEntry: false })
      if (stats?.isDirectory() === true) return dotGit
      const linked = stats?.isFile() === true ? linkedTo(dotGit) : null
      return linked === null ? null : fs.realpathSync.native(linked)
    },
    catch: (cause) => failed(`git: the repository cannot be read: ${SystemError.reason(cause)}`)
  }).pipe(
    Effect.flatMap((found) =>
      found === null
        ? Effect.fail(failed(`git: ${quote(root)} is not a git repository`, "make one with a command: git init"))
        : Effect.succeed(found)
    )
  )

const linkedTo = (file: string): string | null => {
  const named = /^gitdir: (.+)$/mu.exec(fs.readFileSync(file, "utf8"))?.[1]
  if (named === undefined) return null
  const path = resolve(dirname(file), named.trimEnd())
  if (basename(dirname(path)) === "worktrees") {
    const back = fs.readFileSync(join(path, "gitdir"), "utf8").trimEnd()
    return isSame(resolve(path, back), file) ? path : null
  }
  const worktree = /^\s*worktree\s*=\s*(.+)$/mu.exec(fs.readFileSync(join(path, "config"), "utf8"))?.[1]
  return worktree !== undefined && isSame(resolve(path, worktree.trim()), dirname(file)) ? path : null
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((path) => fs.lstatSync(path, { throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}
