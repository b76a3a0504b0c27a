/** Copies under a temporary name first: a copy is there whole or not at all. */
import { ToolError } from "@bough/protocol"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import { quote, refuse } from "../Refusal.ts"
import { fill, type OpenFile, useAt } from "./openFile.ts"
import { syncDirectory, temporaryName, writeAll } from "./replaceFile.ts"
import { join } from "./pathText.ts"
import type { Root } from "./root.ts"
import { call, failWith, report, wait } from "./systemCall.ts"
import { entriesBelow, type TreeEntry } from "./tree.ts"
import { type Place, visit } from "./walk.ts"

const maxBytes = 1024 ** 3
const chunkBytes = 1024 ** 2
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants

/** A file, a link or a whole directory; the number of files and links. `target` must not be there. */
export const copyTree = (
  root: Root,
  source: Place,
  target: Place
): Effect.Effect<{ readonly files: number }, ToolError.ToolError> =>
  Effect.gen(function* () {
    const entries = yield* entriesBelow(root, source, { access: "write", state: "refuse" })
    yield* copyable(entries)
    const folder = join([...target.segments.slice(0, -1), temporaryName()])
    yield* Effect.forEach(
      entries,
      (entry) => copyEntry(root, entry, entry.inner === "" ? folder : `${folder}/${entry.inner}`),
      {
        discard: true
      }
    ).pipe(
      Effect.andThen(putInPlace(root, folder, target)),
      Effect.onError(() => Effect.ignore(discard(root, folder, entries)))
    )
    yield* syncDirectory(target.parent, target.path)
    return { files: entries.filter(({ kind }) => kind !== "directory").length }
  })

const copyable = (entries: ReadonlyArray<TreeEntry>): Effect.Effect<void, ToolError.ToolError> => {
  const other = entries.find(({ kind }) => kind === "other")
  if (other !== undefined) {
    return Effect.fail(refuse("NotRegular", "write", `${quote(other.path)} is no file, directory or link`))
  }
  const bytes = entries.reduce((sum, entry) => sum + (entry.kind === "file" ? entry.bytes : 0), 0)
  return bytes > maxBytes
    ? Effect.fail(refuse("TooLarge", "write", `${bytes} bytes are to be copied, the limit is ${maxBytes}`))
    : Effect.void
}

const copyEntry = (root: Root, entry: TreeEntry, to: string): Effect.Effect<void, ToolError.ToolError> =>
  at(root, entry.path, (source) =>
    at(root, to, (target) => {
      if (source.stats?.isDirectory() === true) {
        return call(() => fs.mkdirSync(target.at)).pipe(Effect.mapError(report(to)))
      }
      if (source.stats?.isSymbolicLink() === true) {
        return call(() => fs.symlinkSync(fs.readlinkSync(source.at), target.at)).pipe(Effect.mapError(report(to)))
      }
      const mode = Number((source.stats?.mode ?? 0o666n) & 0o777n)
      return useAt(root, source, (file) => copyBytes(file, target, mode)).pipe(
        Effect.flatMap((done) => (done === null ? Effect.fail(failWith("EBUSY", entry.path)) : Effect.void))
      )
    })
  )

const copyBytes = (file: OpenFile, target: Place, mode: number): Effect.Effect<void, ToolError.ToolError> =>
  Effect.acquireUseRelease(
    call(() => fs.openSync(target.at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)).pipe(
      Effect.mapError(report(target.path))
    ),
    (fd) =>
      Effect.gen(function* () {
        const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, file.bytes + 1))
        for (let position = 0; ;) {
          const read = yield* fill(file, chunk, position)
          yield* writeAll(fd, chunk.subarray(0, read), position).pipe(Effect.mapError(report(target.path)))
          position += read
          if (position > maxBytes) return yield* refuse("TooLarge", "write", `${quote(file.path)} keeps growing`)
          if (read < chunk.length) break
        }
        yield* wait<void>((done) => fs.fsync(fd, (error) => done(error))).pipe(Effect.mapError(report(target.path)))
      }),
    (fd) => Effect.sync(() => fs.closeSync(fd))
  )

const putInPlace = (root: Root, folder: string, target: Place): Effect.Effect<void, ToolError.ToolError> =>
  at(root, folder, (temporary) => {
    const isFile = temporary.stats?.isFile() === true
    return call(() => {
      if (!isFile) return fs.renameSync(temporary.at, target.at)
      fs.linkSync(temporary.at, target.at)
      return fs.unlinkSync(temporary.at)
    }).pipe(Effect.mapError(report(target.path)), Effect.uninterruptible)
  })

const discard = Effect.fnUntraced(function* (root: Root, folder: string, entries: ReadonlyArray<TreeEntry>) {
  for (const { inner, kind } of entries.toReversed()) {
    const path = inner === "" ? folder : `${folder}/${inner}`
    yield* Effect.ignore(
      at(root, path, (place) =>
        call(() => (kind === "directory" ? fs.rmdirSync(place.at) : fs.unlinkSync(place.at))).pipe(
          Effect.mapError(report(path))
        )
      )
    )
  }
})

const at = <A>(
  root: Root,
  path: string,
  use: (place: Place) => Effect.Effect<A, ToolError.ToolError>
): Effect.Effect<A, ToolError.ToolError> =>
  visit(root, { path, access: "write", follow: false, missing: "fail", isWithinTree: true }, use)
