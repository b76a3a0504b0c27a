/**
 * Reads the branch of a directory's repository, and whether it has uncommitted changes, without running programs that
 * the repository configures: `git status` would run its filters over changed files.
 */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as RepositoryHead from "./internal/RepositoryHead.ts"
import { environment } from "./repository/GitSettings.ts"

export interface RepositoryState {
  /** Null: no branch is checked out. */
  readonly branch: string | null
  /**
   * Null: git did not answer in time, or the repository is too large to be compared. Files that git does not track do
   * not count.
   */
  readonly changed: boolean | null
}

export interface RepositoryStateOptions {
  readonly directory: string
  readonly timeoutMillis: number
}

const maxOutputBytes = 16 * 1024 ** 2
const maxFiles = 50_000
/** The number of files whose status is read at once. */
const concurrentFiles = 32

/** Returns null if no repository encloses the directory. */
export const repositoryState = Effect.fnUntraced(function* ({ directory, timeoutMillis }: RepositoryStateOptions) {
  const found = yield* Effect.sync(() => RepositoryHead.find(directory))
  if (found === null) return null
  const changed = yield* hasChanges(found.root).pipe(Effect.timeoutOption(timeoutMillis), Effect.map(Option.getOrNull))
  return { branch: RepositoryHead.branch(found), changed } satisfies RepositoryState
})

/**
 * Returns the branch that is checked out around a directory, read only from its files; null: there is no branch or no
 * repository.
 */
export const branchOf = (directory: string): string | null => {
  const head = RepositoryHead.find(directory)
  return head === null ? null : RepositoryHead.branch(head)
}

const hasChanges = Effect.fnUntraced(
  function* (root: string) {
    const { run } = yield* ProcessRunner.ProcessRunner
    const git = (...args: ReadonlyArray<string>) =>
      run({ program: "git", args: ["--no-pager", ...args], cwd: root, env: environment(), maxOutputBytes })
    const [staged, listed] = yield* Effect.all(
      [git("diff-index", "--cached", "--quiet", "HEAD", "--"), git("ls-files", "-z", "--debug")],
      { concurrency: 2 }
    )
    if (staged.exitCode === 1) return true
    if (staged.exitCode !== 0 || listed.exitCode !== 0 || listed.truncated) return null
    const files = parse(new TextDecoder().decode(listed.stdout))
    if (files === null) return null
    const differences = yield* Effect.forEach(files, (file) => differs(root, file), { concurrency: concurrentFiles })
    return differences.includes(true)
  },
  Effect.orElseSucceed(() => null)
)

interface IndexedFile {
  readonly name: string
  readonly seconds: number
  readonly nanoseconds: number
  readonly bytes: number
}

const record = /([^\0]+)\0 {2}ctime: \d+:\d+\n {2}mtime: (\d+):(\d+)\n[^\0]*?size: (\d+)\tflags: [^\n]*\n/gu

/** Returns null if git prints another format, or more files than are compared. */
const parse = (text: string): ReadonlyArray<IndexedFile> | null => {
  const files = Array.from(text.matchAll(record), ([, name, seconds, nanoseconds, bytes]) => ({
    name,
    seconds: Number(seconds),
    nanoseconds: Number(nanoseconds),
    bytes: Number(bytes)
  }))
  return files.length > maxFiles || files.length !== text.split("\0").length - 1 ? null : files
}

/**
 * Compares the size and times that git itself compares first. The index contains size 0 for a file that may have
 * changed while git read it.
 */
const differs = (root: string, { bytes, name, nanoseconds, seconds }: IndexedFile): Effect.Effect<boolean> =>
  Effect.promise(() =>
    fs.lstat(path.join(root, name), { bigint: true }).then(
      (stats) =>
        !stats.isDirectory() &&
        (Number(stats.size & 0xffff_ffffn) !== bytes ||
          Number(stats.mtimeNs / 1_000_000_000n) !== seconds ||
          Number(stats.mtimeNs % 1_000_000_000n) !== nanoseconds),
      () => true
    )
  )
