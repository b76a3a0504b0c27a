/**
 * A folder of Markdown files without links. Each file is written completely or not at all: it is synced under a
 * temporary name and then renamed.
 */
import { Directory, SystemError } from "@bough/disk"
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import * as FileSystem from "node:fs"
import { join } from "node:path"

export interface MarkdownFolder {
  /** All paths, with `/` as separator, sorted. */
  readonly paths: Effect.Effect<ReadonlyArray<string>, ToolError.ToolError>
  /**
   * Reads a file; null: there is none. A path that leads out of the folder, or to something other than a file, is a
   * ValidationError.
   */
  readonly read: (path: string) => Effect.Effect<string | null, ToolError.ToolError>
  /** Writes a file, durable on return; returns its number of bytes. No other process may write at the same time. */
  readonly write: (path: string, content: string) => Effect.Effect<number, ToolError.ToolError>
}

const maxBytes = 1_000_000
const maxDepth = 4

export const invalid = (message: string) => new ToolError.ValidationError({ message, field: "path", issues: [] })

const segment = (): RegExp => /^[\p{L}\p{N}_][\p{L}\p{N}\p{M} ._-]{0,99}$/u

/** Splits a path into its parts, or returns its fault. */
const partsOf = (path: string): ReadonlyArray<string> | ToolError.ValidationError => {
  const parts = path.split("/")
  if (!path.endsWith(".md")) return invalid(`a memory file is Markdown: ${JSON.stringify(path)} does not end in .md`)
  if (parts.length > maxDepth) return invalid(`a memory file is at most ${maxDepth - 1} folders deep`)
  const wrong = parts.find((part) => !segment().test(part) || part.includes("..") || /[ .]$/.test(part))
  return wrong === undefined
    ? parts
    : invalid(
        `${JSON.stringify(path)} is not a path below the memory folder: write names such as facts/people.md, without "..", a leading "/" or "."`
      )
}

/** Returns the entry at a path; null: there is none. */
const kindOf = (path: string): "file" | "folder" | "other" | null => {
  const found = FileSystem.lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other"
}

export const fileCall = <A>(body: () => A): Effect.Effect<A, ToolError.ExecutionError> =>
  Effect.try({
    try: body,
    catch: (cause) =>
      new ToolError.ExecutionError({
        message: `the memory folder cannot be used: ${SystemError.reason(cause)}`,
        hint: "free some space, or make the folder writable"
      })
  })

/** Removes partly written files: only one process writes at a time, so their writers were killed. */
const sweep = (folder: string): void => {
  for (const name of FileSystem.readdirSync(folder)) {
    if (/^\.[0-9a-f-]{36}\.new$/.test(name)) FileSystem.rmSync(join(folder, name), { force: true })
  }
}

const writeWhole = (folder: string, path: string, content: string): void => {
  Directory.make(folder)
  sweep(folder)
  const building = join(folder, `.${randomUUID()}.new`)
  const descriptor = FileSystem.openSync(building, "wx", 0o600)
  const done = Effect.runSyncExit(
    Effect.sync(() => {
      FileSystem.writeFileSync(descriptor, content)
      FileSystem.fsyncSync(descriptor)
    })
  )
  FileSystem.closeSync(descriptor)
  if (done._tag === "Failure") {
    FileSystem.rmSync(building, { force: true })
    throw new Error("the file could not be written: is the disk full?")
  }
  FileSystem.renameSync(building, path)
  Directory.sync(folder)
}

const readWhole = (path: string): string => {
  const descriptor = FileSystem.openSync(path, FileSystem.constants.O_RDONLY | FileSystem.constants.O_NOFOLLOW)
  const text = FileSystem.readFileSync(descriptor, "utf8")
  FileSystem.closeSync(descriptor)
  return text
}

/** Lists the files below a folder, sorted; links are not followed. */
const filesBelow = (folder: string, prefix: string, depth: number): ReadonlyArray<string> => {
  if (depth > maxDepth || kindOf(folder) !== "folder") return []
  return FileSystem.readdirSync(folder)
    .filter((name) => segment().test(name))
    .toSorted()
    .flatMap((name) => {
      const path = prefix + name
      if (kindOf(join(folder, name)) === "folder") return filesBelow(join(folder, name), `${path}/`, depth + 1)
      return name.endsWith(".md") && kindOf(join(folder, name)) === "file" ? [path] : []
    })
}

export const make = (root: string): MarkdownFolder => {
  /** Resolves a path after checking that each of its parent parts is a folder. */
  const locate = (path: string) =>
    Effect.gen(function* () {
      const parts = partsOf(path)
      if (parts instanceof ToolError.ValidationError) return yield* parts
      let folder = root
      for (const part of parts.slice(0, -1)) {
        folder = join(folder, part)
        const kind = yield* fileCall(() => kindOf(folder))
        if (kind !== null && kind !== "folder") return yield* invalid(`${part} is not a folder`)
      }
      const file = join(folder, parts[parts.length - 1])
      const kind = yield* fileCall(() => kindOf(file))
      if (kind !== null && kind !== "file") return yield* invalid(`${path} is not a file`)
      return { folder, file, exists: kind === "file" }
    })

  return {
    paths: fileCall(() => filesBelow(root, "", 1)),
    read: Effect.fnUntraced(function* (path) {
      const { exists, file } = yield* locate(path)
      return exists ? yield* fileCall(() => readWhole(file)) : null
    }),
    write: Effect.fnUntraced(function* (path, content) {
      const bytes = Buffer.byteLength(content)
      if (bytes > maxBytes) {
        return yield* new ToolError.ValidationError({
          message: `a memory file may have at most ${maxBytes} bytes; this one would have ${bytes}`,
          issues: []
        })
      }
      const { file, folder } = yield* locate(path)
      yield* fileCall(() => writeWhole(folder, file, content))
      return bytes
    })
  }
}
