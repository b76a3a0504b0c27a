/**
 * Staged changes of memory files, until the end of a turn: below `.held`, a folder per staging key contains the new and
 * the previous state of each file. One rename, to `.kept` or `.dropped`, commits or discards a key; if the process then
 * dies, the next process that uses memory files completes the work.
 */
import { Directory } from "@bough/disk"
import * as ProcessLock from "@bough/disk/ProcessLock"
import { Canonical, ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import * as FileSystem from "node:fs"
import { join } from "node:path"
import * as FileFolders from "./FileFolders.ts"
import * as MarkdownFolder from "./MarkdownFolder.ts"

export interface Changes {
  readonly changed: MarkdownFolder.MarkdownFolder
  /** The changed files before their first staged change; a file that is missing here is new. */
  readonly before: MarkdownFolder.MarkdownFolder
}

/** The maximum time that another process may take for one change. */
const lockMillis = 5000

const changesBelow = (folder: string): Changes => ({
  changed: MarkdownFolder.make(join(folder, "changed")),
  before: MarkdownFolder.make(join(folder, "before"))
})

const nameOf = (hold: string): string => Canonical.digestOf(hold).slice(7, 39)

const folderOf = (directory: string, hold: string): string => join(FileFolders.stagedFolder(directory), nameOf(hold))

/** Returns the changes of a user under a key. `userFolder`: the user's folder below `directory`. */
export const changesOf = (directory: string, hold: string, userFolder: string): Changes =>
  changesBelow(join(folderOf(directory, hold), userFolder))

export const withLock = <A>(
  directory: string,
  body: Effect.Effect<A, ToolError.ToolError>
): Effect.Effect<A, ToolError.ToolError> =>
  Effect.scoped(
    Effect.flatMap(ProcessLock.acquire(join(directory, "files.lock"), lockMillis), (mine) =>
      mine
        ? body
        : Effect.fail(
            new ToolError.ExecutionError({
              message: "another process is changing memory files, or their folder cannot be written",
              hint: "try again, or make the folder writable"
            })
          )
    )
  )

/**
 * Returns the path for a change to a file that another session has changed in the meantime. The same change always gets
 * the same path.
 */
const besideOf = (path: string, content: string): string => {
  const name = Array.from(path.slice(0, -".md".length).replaceAll("/", "-")).slice(0, 60).join("")
  return `conflicts/${name}-${Canonical.digestOf(`${path} ${content}`).slice(7, 15)}.md`
}

/** Copies all changes; it can be repeated after a partial run. */
const keepAll = Effect.fnUntraced(function* (shared: MarkdownFolder.MarkdownFolder, { before, changed }: Changes) {
  for (const path of yield* changed.paths) {
    const content = (yield* changed.read(path)) ?? ""
    const base = yield* before.read(path)
    // A path that is no longer a file is also a conflict.
    const now = yield* Effect.catchTag(shared.read(path), "ValidationError", () => Effect.undefined)
    if (now !== content) yield* shared.write(now === base ? path : besideOf(path, content), content)
  }
})

const namesIn = (folder: string): ReadonlyArray<string> =>
  FileSystem.existsSync(folder) ? FileSystem.readdirSync(folder) : []

const removeFolder = (folder: string) =>
  MarkdownFolder.fileCall(() => FileSystem.rmSync(folder, { recursive: true, force: true }))

const keepHold = Effect.fnUntraced(function* (directory: string, folder: string) {
  for (const user of yield* MarkdownFolder.fileCall(() => namesIn(folder))) {
    yield* keepAll(MarkdownFolder.make(join(directory, user)), changesBelow(join(folder, user)))
  }
  yield* removeFolder(folder)
})

/**
 * Performs the pending commits and discards. A failed commit is kept for a later attempt, and does not block others.
 */
const finish = Effect.fnUntraced(function* (directory: string) {
  yield* removeFolder(FileFolders.discardedFolder(directory))
  const keptDirectory = FileFolders.committedFolder(directory)
  const names = yield* MarkdownFolder.fileCall(() => namesIn(keptDirectory))
  const done = yield* Effect.forEach(names, (name) => Effect.result(keepHold(directory, join(keptDirectory, name))))
  const failed = done.find(Result.isFailure)
  if (failed !== undefined) return yield* failed.failure
  yield* removeFolder(keptDirectory)
})

/** Finishes the work of a process that died; after a failure, the next process tries again. */
export const finishInterrupted = (directory: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const isUnfinished = [FileFolders.committedFolder(directory), FileFolders.discardedFolder(directory)].some(
      (folder) => FileSystem.existsSync(folder)
    )
    return isUnfinished ? Effect.ignore(withLock(directory, finish(directory))) : Effect.void
  })

const decide = (directory: string, name: string, end: "Keep" | "Drop"): void => {
  const from = join(FileFolders.stagedFolder(directory), name)
  if (!FileSystem.existsSync(from)) return
  const to = end === "Keep" ? FileFolders.committedFolder(directory) : FileFolders.discardedFolder(directory)
  Directory.make(to)
  FileSystem.renameSync(from, join(to, randomUUID()))
  for (const folder of [to, FileFolders.stagedFolder(directory), directory]) Directory.sync(folder)
  if (namesIn(FileFolders.stagedFolder(directory)).length === 0)
    FileSystem.rmdirSync(FileFolders.stagedFolder(directory))
}

/** Commits or discards all staged changes under the key, of every user. Without staged changes it does nothing. */
export const settle = (
  directory: string,
  hold: string,
  end: "Keep" | "Drop"
): Effect.Effect<void, ToolError.ToolError> =>
  withLock(
    directory,
    Effect.andThen(
      MarkdownFolder.fileCall(() => decide(directory, nameOf(hold), end)),
      finish(directory)
    )
  )

/**
 * Discards changes that are staged under other keys than these, because their sessions no longer exist. The keys are
 * read after the staged changes are listed, so that changes staged in the meantime are kept.
 */
export const dropOthers = <E>(
  directory: string,
  holds: Effect.Effect<ReadonlyArray<string>, E>
): Effect.Effect<void, ToolError.ToolError | E> =>
  Effect.gen(function* () {
    const stagedNames = yield* MarkdownFolder.fileCall(() => namesIn(FileFolders.stagedFolder(directory)))
    if (stagedNames.length === 0) return
    const known = new Set((yield* holds).map(nameOf))
    const unlisted = stagedNames.filter((name) => !known.has(name))
    if (unlisted.length === 0) return
    yield* withLock(
      directory,
      Effect.andThen(
        MarkdownFolder.fileCall(() => {
          for (const name of unlisted) decide(directory, name, "Drop")
        }),
        finish(directory)
      )
    )
  })
