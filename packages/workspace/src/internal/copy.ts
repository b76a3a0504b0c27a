/** Copies under a temporary name first: a copy is complete or does not exist. */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { quote, refuse } from "../Refusal.ts"
import { syncDirectory, writeAll } from "./durable.ts"
import { fill, type OpenFile, useAt } from "./openFile.ts"
import { pathOf } from "./pathText.ts"
import type { Root } from "./root.ts"
import { call, failWith, report, wait } from "./systemCall.ts"
import { temporaryName } from "./temporaries.ts"
import { byDirectory, entriesBelow, nameOf, removeEntries, type TreeEntry, withEntry } from "./tree.ts"
import { lookUp, type WalkLocation } from "./walk.ts"

const maxBytes = 1024 ** 3
const chunkBytes = 1024 ** 2
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants

/** The number of files of one directory that are copied at a time: their syncs then share the disk's work. */
const concurrency = 8

/** Copies a file, a link or a whole directory; returns the number of files and links. `target` must not exist. */
export const copyTree = Effect.fnUntraced(function* (
  root: Root,
  source: WalkLocation,
  target: WalkLocation
): Effect.fn.Return<{ readonly files: number }, ToolError.ToolError> {
  const entries = yield* entriesBelow(root, source, { access: "write", state: "refuse" })
  yield* copyable(entries)
  const name = temporaryName()
  const segments = [...target.segments.slice(0, -1), name]
  const temporary = pathOf(root, segments)
  const at = target.parent.prefix + name
  const copies = entries.map((entry) => ({
    ...entry,
    path: entry.inner === "" ? temporary : `${temporary}/${entry.inner}`
  }))
  const temporaryCopies = root.temporaries.list([root.path, ...segments].join("/"))
  yield* copyEntry(root, entries[0], { from: source.at, to: at }).pipe(
    Effect.andThen(
      Effect.forEach(byDirectory(entries), ({ children, directory }, index) =>
        copyChildren(root, children, { from: directory.path, to: byDirectory(copies)[index].directory.path })
      )
    ),
    Effect.andThen(putInPlace(at, target, entries[0])),
    Effect.onError(() => Effect.ignore(removeEntries(root, copies, { at, isPartial: true }))),
    Effect.ensuring(Effect.sync(temporaryCopies))
  )
  yield* syncDirectory(target.parent, target.path)
  return { files: entries.filter(({ kind }) => kind !== "directory").length }
})

const copyable = (entries: ReadonlyArray<TreeEntry>): Effect.Effect<void, ToolError.ToolError> => {
  const other = entries.find(({ kind }) => kind === "other")
  if (other !== undefined) {
    return Effect.fail(refuse("NotRegular", "write", `${quote(other.path)} is not a file, directory or link`))
  }
  const bytes = entries.reduce((sum, entry) => sum + (entry.kind === "file" ? entry.bytes : 0), 0)
  return bytes > maxBytes
    ? Effect.fail(refuse("TooLarge", "write", `${bytes} bytes are to be copied, the limit is ${maxBytes}`))
    : Effect.void
}

interface Ends {
  readonly from: string
  readonly to: string
}

/** Copies the direct children of a directory; directories among them are created empty. */
const copyChildren = (
  root: Root,
  children: ReadonlyArray<TreeEntry>,
  { from, to }: Ends
): Effect.Effect<void, ToolError.ToolError> =>
  withEntry(root, from, (source) =>
    withEntry(root, to, (target) =>
      Effect.forEach(
        children,
        (child) => {
          const name = nameOf(child)
          return copyEntry(root, child, { from: source.prefix + name, to: target.prefix + name })
        },
        { concurrency, discard: true }
      ).pipe(Effect.andThen(syncDirectory(target, to)))
    )
  )

/** Copies one entry from a name in an open directory to another. */
const copyEntry = (root: Root, entry: TreeEntry, { from, to }: Ends): Effect.Effect<void, ToolError.ToolError> => {
  const { kind, path } = entry
  if (kind === "directory") return call(() => fs.mkdirSync(to)).pipe(Effect.mapError(report(path)))
  if (kind === "symlink") {
    return call(() => fs.symlinkSync(fs.readlinkSync(from), to)).pipe(Effect.mapError(report(path)))
  }
  return Effect.flatMap(lookUp(from, path), (stats) => {
    const mode = Number((stats?.mode ?? 0o666n) & 0o777n)
    return useAt(root, { at: from, path, stats }, (file) => copyBytes(file, to, mode)).pipe(
      Effect.flatMap((done) => (done === null ? Effect.fail(failWith("EBUSY", path)) : Effect.void))
    )
  })
}

const copyBytes = (file: OpenFile, to: string, mode: number): Effect.Effect<void, ToolError.ToolError> =>
  Effect.acquireUseRelease(
    call(() => fs.openSync(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)).pipe(
      Effect.mapError(report(file.path))
    ),
    (fd) =>
      Effect.gen(function* () {
        const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, file.bytes + 1))
        for (let position = 0; ;) {
          const read = yield* fill(file, chunk, position)
          yield* writeAll(fd, chunk.subarray(0, read), position).pipe(Effect.mapError(report(file.path)))
          position += read
          if (position > maxBytes) return yield* refuse("TooLarge", "write", `${quote(file.path)} keeps growing`)
          if (read < chunk.length) break
        }
        yield* wait<void>((done) => fs.fsync(fd, (error) => done(error))).pipe(Effect.mapError(report(file.path)))
      }),
    (fd) => Effect.sync(() => fs.closeSync(fd))
  )

const putInPlace = (at: string, target: WalkLocation, { kind }: TreeEntry): Effect.Effect<void, ToolError.ToolError> =>
  call(() => {
    if (kind !== "file") return fs.renameSync(at, target.at)
    fs.linkSync(at, target.at)
    return fs.unlinkSync(at)
  }).pipe(Effect.mapError(report(target.path)), Effect.uninterruptible)
