/**
 * Markdown files of a user, for texts that are longer than a note. A file that is written under a staging key is
 * visible only to reads under the same key until the key is settled.
 */
import { Canonical, type ToolError } from "@bough/protocol"
import type { MemoryRead, MemoryWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as MarkdownFolder from "./MarkdownFolder.ts"
import * as StagedFiles from "./StagedFiles.ts"

export type MemoryFiles = Pick<MemoryRead.MemoryRead["Service"], "listFiles" | "readFile"> &
  Pick<MemoryWrite.MemoryWrite["Service"], "writeFile" | "editFile">

const maxFiles = 1000
const summaryLine = /^>\s*Summary:[ \t]*(.*)$/imu

/** The text of the first `> Summary:` line; "" without one. */
const summaryOf = (content: string): string => summaryLine.exec(content)?.[1]?.trim() ?? ""

/** The unique folder name of a user, readable if the name allows it. */
const folderOf = (user: string): string =>
  /^[a-z0-9][a-z0-9_-]{0,31}$/.test(user) ? user : `~${Canonical.digestOf(user).slice(7, 39)}`

/** Reads the changes under the staging key first, then the committed files. */
const underHold = (
  shared: MarkdownFolder.MarkdownFolder,
  { before, changed }: StagedFiles.Changes
): MarkdownFolder.MarkdownFolder => ({
  paths: Effect.zipWith(shared.paths, changed.paths, (all, ownPaths) => [...new Set([...all, ...ownPaths])].toSorted()),
  read: (path) =>
    Effect.flatMap(changed.read(path), (ownContent) =>
      ownContent === null ? shared.read(path) : Effect.succeed(ownContent)
    ),
  write: Effect.fnUntraced(function* (path, content) {
    const base = yield* shared.read(path)
    const first = (yield* changed.read(path)) === null
    if (first && base !== null) yield* before.write(path, base)
    return yield* changed.write(path, content)
  })
})

/**
 * Makes the files of a user. `directory` contains a folder per user. `hold`: the staging key; null: changes are
 * committed at once.
 */
export const make = (directory: string, user: string, hold: string | null = null): MemoryFiles => {
  const ownFolder = folderOf(user)
  const shared = MarkdownFolder.make(join(directory, ownFolder))
  const folder = hold === null ? shared : underHold(shared, StagedFiles.changesOf(directory, hold, ownFolder))

  const replace = (path: string, content: string) =>
    Effect.map(folder.write(path, content), (bytes) => ({ path, bytes }))

  const list = Effect.gen(function* () {
    const files: Array<MemoryRead.MemoryFile> = []
    for (const path of (yield* folder.paths).slice(0, maxFiles)) {
      // A staged path may have become a folder since.
      const content = yield* Effect.catchTag(folder.read(path), "ValidationError", () => Effect.succeed(null))
      if (content !== null) files.push({ path, summary: summaryOf(content), bytes: Buffer.byteLength(content) })
    }
    return files
  })

  const settled = <A>(body: Effect.Effect<A, ToolError.ToolError>) =>
    Effect.andThen(StagedFiles.finishInterrupted(directory), body)

  return {
    listFiles: settled(list),
    readFile: (path) =>
      Effect.flatMap(settled(folder.read(path)), (content) =>
        content === null
          ? Effect.fail(MarkdownFolder.invalid(`there is no memory file ${path}: list_memory_files names them`))
          : Effect.succeed(content)
      ),
    writeFile: (path, content) => settled(StagedFiles.withLock(directory, replace(path, content))),
    editFile: (path, edit) =>
      settled(
        StagedFiles.withLock(
          directory,
          Effect.flatMap(folder.read(path), (content) =>
            Effect.flatMap(edit(content ?? ""), (edited) => replace(path, edited))
          )
        )
      )
  }
}
