/**
 * Restores stored files: each is written under a temporary name, synced, then renamed. Directories are opened one below
 * the other, and no link is followed, so that nothing outside of the workspace is changed.
 */
import { SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { hash } from "node:crypto"
import * as fs from "node:fs"
import { runFinally, orElse } from "./attempt.ts"
import * as ByteName from "./ByteName.ts"
import * as Directories from "./Directories.ts"
import type { ObjectStore } from "./ObjectStore.ts"
import type { Step } from "./Plan.ts"
import * as ReadContent from "./ReadContent.ts"
import { contentId, type Entry, type FileEntry } from "./TreeObject.ts"

export interface RestoreContext {
  readonly root: Directories.Root
  readonly store: ObjectStore
  /**
   * The seed of temporary names. It is the same in every attempt at one restoration, so that the next attempt finds the
   * temporary files of a killed process.
   */
  readonly secret: string
  /** The paths of the whole restoration: an attempt that was killed may have left their temporary files. */
  readonly places: ReadonlyArray<ReadonlyArray<string>>
}

/** A path that could not be restored, and the reason. */
export interface Fault {
  readonly segments: ReadonlyArray<string>
  readonly message: string
}

/** The number of files that are written at a time: their syncs then share the disk's work. */
const concurrency = 8

/**
 * Returns the errors; an empty list means complete success. Each failed step leaves its path unchanged, and so does each
 * step whose path is no longer as planned.
 */
export const apply = Effect.fnUntraced(function* (
  restoring: RestoreContext,
  steps: ReadonlyArray<Step>
): Effect.fn.Return<ReadonlyArray<Fault>> {
  const { root } = restoring
  const faults: Array<Fault> = []
  const failed = new Set<string>()
  const fail = (segments: ReadonlyArray<string>, error: SystemError.SystemError) =>
    Effect.sync(() => {
      const key = segments.join("/")
      if (!failed.has(key)) faults.push({ segments, message: withoutPath(error) })
      failed.add(key)
    })
  const attempt = (segments: ReadonlyArray<string>, work: (directory: Directories.Directory) => RestoreEffect) =>
    // A step whose entry could not be removed is over.
    failed.has(segments.join("/"))
      ? Effect.void
      : inDirectory(root, segments.slice(0, -1), work).pipe(Effect.catch((error) => fail(segments, error)))
  const each = (
    some: ReadonlyArray<Step>,
    work: (step: Step) => (parent: Directories.Directory) => RestoreEffect,
    atOnce = 1
  ) => Effect.forEach(some, (step) => attempt(step.segments, work(step)), { concurrency: atOnce, discard: true })

  const shallowFirst = steps.toSorted((a, b) => a.segments.length - b.segments.length)
  const deepestFirst = shallowFirst.toReversed()
  const directories = shallowFirst.filter(({ to }) => to?.kind === "directory")
  const above = [
    ...new Map(steps.map(({ segments }) => [segments.slice(0, -1).join("/"), segments.slice(0, -1)])).values()
  ]
  const closed = yield* openUp(root, above)
  yield* Effect.forEach(restoring.places, (segments) => sweep(restoring, segments), { discard: true })
  // Removals that make room come first, the deepest entries before their directories.
  yield* each(deepestFirst.filter(isRemoved), remove(restoring))
  yield* each(directories, makeDirectory(root))
  yield* each(
    shallowFirst.filter(({ to }) => to?.kind === "file" || to?.kind === "link"),
    put(restoring),
    concurrency
  )
  // Directories get their own modes once their content is complete, the deepest first: one above may be closed then.
  const planned = new Set(directories.map(({ segments }) => segments.join("/")))
  const modes = [
    ...directories.map((step) => ({ segments: step.segments, set: attempt(step.segments, setMode(root)(step)) })),
    ...closed
      .filter(({ segments }) => !planned.has(segments.join("/")))
      .map(({ mode, segments }) => ({ segments, set: Effect.ignore(chmod(root, segments, mode)) }))
  ]
  yield* Effect.forEach(
    modes.toSorted((a, b) => b.segments.length - a.segments.length),
    ({ set }) => set,
    { discard: true }
  )
  for (const segments of above) {
    yield* inDirectory(root, segments, (directory) => attemptCall(() => Directories.sync(directory))).pipe(
      // A directory that was removed needs no sync.
      Effect.catch((error) =>
        error.code === "ENOENT" || error.code === "ENOTDIR" ? Effect.void : fail(segments, error)
      )
    )
  }
  return faults
})

/** Returns the message alone: a path through a descriptor tells a user nothing. */
const withoutPath = ({ code, message, path }: SystemError.SystemError): string =>
  path === null ? message : SystemError.reason(Object.assign(new Error(code), { code }))

type RestoreEffect = Effect.Effect<void, SystemError.SystemError>

const attemptCall = SystemError.attempt

/** Makes a call that may wait for a disk. */
const wait = (run: (done: (error: Error | null) => void) => void): RestoreEffect =>
  Effect.callback((resume) =>
    run((error) => resume(error === null ? Effect.void : Effect.fail(SystemError.toSystemError(error))))
  )

/** Opens the directory of these names while `use` runs. */
const inDirectory = (
  root: Directories.Root,
  segments: ReadonlyArray<string>,
  use: (directory: Directories.Directory) => RestoreEffect
): RestoreEffect => {
  const openDirectories: Array<Directories.Directory> = []
  return Effect.suspend(() =>
    Effect.flatMap(
      attemptCall(() => {
        for (const name of segments)
          openDirectories.push(Directories.open(root, openDirectories.at(-1) ?? root.directory, name))
      }),
      () => use(openDirectories.at(-1) ?? root.directory)
    )
  ).pipe(Effect.ensuring(Effect.sync(() => openDirectories.forEach(({ fd }) => fs.closeSync(fd)))))
}

const nameOf = ({ segments }: Step): string => segments.at(-1) ?? ""

/** True if a step removes the existing entry first. A file that replaces a file or a link is only renamed over it. */
const isRemoved = ({ from, to }: Step): boolean =>
  from !== null && (to === null || (from.kind === "directory") !== (to.kind === "directory"))

const keptDirectory = "it is a directory with entries that no snapshot contains, such as .git: move it away first"

const remove =
  (restoring: RestoreContext) =>
  (step: Step) =>
  ({ prefix }: Directories.Directory): RestoreEffect =>
    Effect.gen(function* () {
      const at = prefix + nameOf(step)
      const stats = Directories.statsOf(at)
      if (stats === null || (stats.isDirectory() && step.to?.kind === "directory")) return
      if (!stats.isDirectory()) yield* requireState(restoring, step.from, at)
      yield* attemptCall(() => {
        if (stats.isDirectory()) fs.rmdirSync(ByteName.toPath(at))
        else fs.unlinkSync(ByteName.toPath(at))
      })
    }).pipe(
      Effect.mapError((error) =>
        step.to !== null && error.code === "ENOTEMPTY" ? SystemError.toSystemError(new Error(keptDirectory)) : error
      ),
      // Keeps the directory, because it contains other files.
      Effect.catchIf(
        ({ code }) => step.to === null && code === "ENOTEMPTY",
        () => Effect.void
      )
    )

const ownerMode = 0o700

const makeDirectory =
  (root: Directories.Root) =>
  (step: Step) =>
  (parent: Directories.Directory): RestoreEffect =>
    attemptCall(() => {
      const at = parent.prefix + nameOf(step)
      if (Directories.statsOf(at)?.isDirectory() === true)
        return changeMode(root, { parent, name: nameOf(step) }, ownerMode)
      fs.mkdirSync(ByteName.toPath(at), ownerMode)
      changeOwner(root, (uid, gid) => fs.lchownSync(ByteName.toPath(at), uid, gid))
    })

const setMode =
  (root: Directories.Root) =>
  (step: Step) =>
  (parent: Directories.Directory): RestoreEffect =>
    attemptCall(() => {
      if (step.to?.kind === "directory") changeMode(root, { parent, name: nameOf(step) }, step.to.mode)
    })

interface NamedEntry {
  readonly parent: Directories.Directory
  readonly name: string
}

/** Changes a mode through the open directory, so that a link that replaced the entry is not followed. */
const changeMode = (root: Directories.Root, { name, parent }: NamedEntry, mode: number): void => {
  const directory = Directories.open(root, parent, name)
  runFinally(
    () => changeOwnMode(directory, mode),
    () => fs.closeSync(directory.fd)
  )
}

/** The name of the descriptor itself: a name in the directory is not found while the directory is closed to its owner. */
const changeOwnMode = ({ prefix }: Directories.Directory, mode: number): void =>
  fs.chmodSync(ByteName.toPath(prefix.slice(0, -1)), mode)

const chmod = (root: Directories.Root, segments: ReadonlyArray<string>, mode: number): RestoreEffect =>
  segments.length === 0
    ? attemptCall(() => changeOwnMode(root.directory, mode))
    : inDirectory(root, segments.slice(0, -1), (parent) =>
        attemptCall(() => changeMode(root, { parent, name: segments.at(-1) ?? "" }, mode))
      )

/**
 * Makes directories temporarily writable for their owner while files are written into them; returns their original
 * modes.
 */
const openUp = Effect.fnUntraced(function* (root: Directories.Root, directories: ReadonlyArray<ReadonlyArray<string>>) {
  const closed: Array<{ readonly segments: ReadonlyArray<string>; readonly mode: number }> = []
  for (const segments of directories.toSorted((a, b) => a.length - b.length)) {
    const open = (stats: fs.Stats | null, change: (mode: number) => void): void => {
      if (stats?.isDirectory() !== true || (stats.mode & ownerMode) === ownerMode) return
      change((stats.mode & 0o777) | ownerMode)
      closed.push({ segments, mode: stats.mode & 0o777 })
    }
    const name = segments.at(-1)
    const work =
      name === undefined
        ? attemptCall(() => open(fs.fstatSync(root.directory.fd), (mode) => changeOwnMode(root.directory, mode)))
        : inDirectory(root, segments.slice(0, -1), (parent) =>
            attemptCall(() =>
              open(Directories.statsOf(parent.prefix + name), (mode) => changeMode(root, { parent, name }, mode))
            )
          )
    // If a directory cannot be made writable, the steps that need it fail.
    yield* Effect.ignore(work)
  }
  return closed
})

const temporaryName = ({ secret }: RestoreContext, segments: ReadonlyArray<string>): string =>
  `.bough-${hash("sha256", `${secret}/${segments.join("/")}`, "hex").slice(0, 24)}.tmp`

/** Removes the temporary files of a killed attempt. */
const sweep = (restoring: RestoreContext, segments: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.ignore(
    inDirectory(restoring.root, segments.slice(0, -1), ({ prefix }) =>
      attemptCall(() => fs.rmSync(ByteName.toPath(prefix + temporaryName(restoring, segments)), { force: true }))
    )
  )

const put =
  (restoring: RestoreContext) =>
  (step: Step) =>
  ({ prefix }: Directories.Directory): RestoreEffect => {
    const temporary = ByteName.toPath(prefix + temporaryName(restoring, step.segments))
    const place = ByteName.toPath(prefix + nameOf(step))
    const { to } = step
    const replacement =
      to?.kind === "file"
        ? writeFile(restoring, to, { temporary, before: Directories.statsOf(prefix + nameOf(step)) })
        : attemptCall(() => {
            if (to?.kind !== "link") return
            fs.symlinkSync(ByteName.toPath(to.target), temporary)
            changeOwner(restoring.root, (uid, gid) => fs.lchownSync(temporary, uid, gid))
          })
    return replacement.pipe(
      // A removal has made room already.
      Effect.andThen(requireState(restoring, isRemoved(step) ? null : step.from, prefix + nameOf(step))),
      Effect.andThen(attemptCall(() => fs.renameSync(temporary, place))),
      Effect.onError(() => Effect.ignore(attemptCall(() => fs.rmSync(temporary, { force: true }))))
    )
  }

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants

/** Fails if another program or a user changed the entry after the plan was made. */
const requireState = ({ root }: RestoreContext, planned: Entry | null, path: string): RestoreEffect =>
  Effect.flatMap(isAsPlanned(root, planned, path), (isSame) =>
    isSame ? Effect.void : Effect.fail(SystemError.toSystemError(new Error("it was changed while files were restored")))
  )

const isAsPlanned = Effect.fnUntraced(function* (
  root: Directories.Root,
  planned: Entry | null,
  path: string
): Effect.fn.Return<boolean> {
  const stats = Directories.statsOf(path)
  // Its content is in no snapshot, and only a forced restoration replaces it, or one that opens a closed directory.
  if (planned?.kind === "excluded") return true
  if (stats === null || planned === null) return stats === planned
  switch (planned.kind) {
    case "file": {
      if (!stats.isFile() || stats.size !== planned.bytes || (stats.mode & 0o777) !== planned.mode) return false
      const found = yield* ReadContent.read(path, { maxBytes: planned.bytes, ownerUid: root.uid })
      return found.kind === "content" && contentId(found.content) === planned.id
    }
    case "link":
      return orElse(
        () => fs.readlinkSync(ByteName.toPath(path), "latin1") === planned.target,
        () => false
      )
    case "directory":
      return stats.isDirectory()
  }
})

interface Target {
  readonly temporary: string | Buffer
  /** The file that it replaces; null: there is none. */
  readonly before: fs.Stats | null
}

const writeFile = (
  { root, store }: RestoreContext,
  { id, mode }: FileEntry,
  { before, temporary }: Target
): RestoreEffect =>
  Effect.acquireUseRelease(
    attemptCall(() => fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)),
    (fd) =>
      attemptCall(() => {
        const content = store.content(id)
        if (content === null) throw new Error("its content is no longer in the snapshot store")
        for (let written = 0; written < content.length;) written += fs.writeSync(fd, content, written)
        const owner = before?.isFile() === true ? before : root
        changeOwner(owner, (uid, gid) => fs.fchownSync(fd, uid, gid))
        fs.fchmodSync(fd, mode)
      }).pipe(Effect.andThen(wait((done) => fs.fsync(fd, done)))),
    (fd) => Effect.sync(() => fs.closeSync(fd))
  )

/** Changes the owner of a file to that of the workspace, if the process runs as root. */
const changeOwner = (
  { gid, uid }: Pick<Directories.Root, "uid" | "gid">,
  change: (uid: number, gid: number) => void
): void => {
  if (process.geteuid?.() !== 0) return
  // Ignored, because some file systems have no owners.
  orElse(
    () => change(uid, gid),
    () => undefined
  )
}
