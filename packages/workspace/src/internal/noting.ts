/**
 * Notes what a call reads below a root, by facts that are cheaper than reading again: device, inode, size and times of
 * each file and of each directory on the way. Programs cannot set a change time, so a file that was changed, swapped, or
 * moved away and back has other facts: adr/0115-results-used-again.md.
 */
import type { WorkspaceRead } from "@bough/tool"
import type { ReadNotes } from "@bough/tool/ReadNotes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { dirname, relative, resolve } from "node:path"
import * as Globs from "./globs.ts"
import { namesOf, segmentsOf } from "./pathText.ts"
import * as Ripgrep from "./ripgrep.ts"
import type { Root } from "./root.ts"
import { call } from "./systemCall.ts"

type Reader = WorkspaceRead.WorkspaceRead["Service"]

/** The maximum number of noted files and directories: checking more would cost too much. */
const maxStamps = 20_000

/**
 * Two changes within this time may get the same timestamp, because the kernel's clock advances only every few
 * milliseconds.
 */
const tickMillis = 50
/** The tick of file systems whose timestamps have whole seconds. */
const coarseTickMillis = 2500

/** The files in which ripgrep finds ignore rules, in any directory. */
const ruleFiles = [".gitignore", ".ignore", ".rgignore"]

interface ListRequest {
  readonly segments: ReadonlyArray<string>
  readonly flags: ReadonlyArray<string>
  readonly found: string
}

interface NotingContext {
  readonly root: Root
  readonly ripgrep: Ripgrep.Ripgrep
  readonly notes: ReadNotes
  /** The facts of absolute paths when first noted; "": the path did not exist. */
  readonly stamps: Map<string, string>
  readonly links: Set<string>
  readonly listings: Map<string, ListRequest>
  /** True once a fact could not be noted; noting others is then useless. */
  isEnded: boolean
}

/** Wraps the service, so that each fact is noted before it is read. */
export const withNotes = (ripgrep: Ripgrep.Ripgrep, notes: ReadNotes, service: Reader): Reader => {
  const { root } = ripgrep
  const noted: NotingContext = {
    root,
    ripgrep,
    notes,
    stamps: new Map(),
    links: new Set(),
    listings: new Map(),
    isEnded: false
  }
  const secrets = root.secretPaths().join("\0")
  notes.note({
    holds: Effect.suspend(() =>
      root.secretPaths().join("\0") === secrets ? isUnchanged(noted) : Effect.succeed(false)
    )
  })
  const unnoted = Effect.sync(() => end(noted))
  return {
    readFile: (path, maxBytes) => Effect.andThen(notePath(noted, path), service.readFile(path, maxBytes)),
    readLines: (path, range) => Effect.andThen(notePath(noted, path), service.readLines(path, range)),
    info: (path) => Effect.andThen(notePath(noted, path), service.info(path)),
    inspect: (path) => Effect.andThen(notePath(noted, path), service.inspect(path)),
    find: (glob, path, limit) =>
      Effect.andThen(noteListing(noted, path, fileFlags([glob])), service.find(glob, path, limit)),
    search: (options) =>
      Effect.andThen(noteListing(noted, options.path, fileFlags(options.globs)), service.search(options)),
    // Not noted, because their results include ignored entries and the times of entire trees.
    list: (path, options) => Effect.andThen(unnoted, service.list(path, options)),
    digest: (path) => Effect.andThen(unnoted, service.digest(path))
  }
}

/** The flags that select ripgrep's files, for both searches and lists. */
const fileFlags = (globs: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...(globs.some(Globs.wantsHidden) ? ["--hidden"] : []),
  ...globs.filter((glob) => glob.startsWith("!")).map((glob) => `--glob=${glob}`),
  ...Globs.coarseGlobs(globs.filter((glob) => !glob.startsWith("!")))
]

const end = (noted: NotingContext): void => {
  noted.isEnded = true
  noted.stamps.clear()
  noted.listings.clear()
  noted.notes.noteUncacheable()
}

/** Returns the segments of the resolved path, as far as the path exists; null: it could not be noted. */
const notePath = (noted: NotingContext, path: string): Effect.Effect<ReadonlyArray<string> | null> =>
  noted.isEnded
    ? Effect.succeed(null)
    : namesOf(noted.root, path, "read").pipe(
        Effect.flatMap((names) => Clock.clockWith((clock) => noteNames(noted, names, clock.currentTimeMillisUnsafe()))),
        Effect.catch(() =>
          Effect.as(
            Effect.sync(() => end(noted)),
            null
          )
        )
      )

const noteNames = (noted: NotingContext, names: ReadonlyArray<string>, nowMillis: number) =>
  call(() => {
    let resolved: ReadonlyArray<string> | null = names
    // Each link on the way is noted, because any of them may be replaced.
    for (let links = 0; resolved !== null && links <= maxLinks; links++) {
      if (resolved.includes("..") || !stampAll(noted, resolved, nowMillis)) break
      const at = prefixes(noted, resolved).findIndex((prefix) => noted.links.has(prefix))
      if (at === -1) return resolved
      resolved = throughLink(noted, resolved, at)
    }
    end(noted)
    return null
  })

/** As many links as the kernel follows. */
const maxLinks = 40

/**
 * Replaces the first `count` names, which end in the first link, by the link's target; null: the target is outside of
 * the root, or is only known after another link.
 */
const throughLink = (
  noted: NotingContext,
  names: ReadonlyArray<string>,
  count: number
): ReadonlyArray<string> | null => {
  const link = pathTo(noted, names.slice(0, count))
  const target = fs.readlinkSync(link)
  const parts = target.split("/").filter((part) => part !== "" && part !== ".")
  if (parts.lastIndexOf("..") > parts.findIndex((part) => part !== "..")) return null
  const inner = relative(noted.root.path, resolve(dirname(link), target))
  if (inner === ".." || inner.startsWith("../")) return null
  return [...inner.split("/").filter((part) => part !== ""), ...names.slice(count)]
}

const pathTo = ({ root: { path } }: NotingContext, names: ReadonlyArray<string>): string =>
  names.length === 0 ? path : `${path === "/" ? "" : path}/${names.join("/")}`

/** Returns the root, and each path on the way from there. */
const prefixes = (noted: NotingContext, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from({ length: names.length + 1 }, (_, count) => pathTo(noted, names.slice(0, count)))

const stampAll = (noted: NotingContext, names: ReadonlyArray<string>, nowMillis: number): boolean =>
  prefixes(noted, names).every((path) => noted.stamps.has(path) || stamp(noted, path, nowMillis))

/**
 * Notes a path; false: the file has just changed, so that a further change might go unnoticed, or there is too much to
 * note.
 */
const stamp = (noted: NotingContext, path: string, nowMillis: number): boolean => {
  const stats = lookAt(path)
  if (noted.stamps.size >= maxStamps || (stats !== null && isRecent(stats, nowMillis))) return false
  if (stats?.isSymbolicLink() === true) noted.links.add(path)
  noted.stamps.set(path, stampOf(stats))
  return true
}

const lookAt = (path: string): fs.BigIntStats | null =>
  fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null

const isRecent = ({ ctimeMs, ctimeNs }: fs.BigIntStats, nowMillis: number): boolean =>
  Number(ctimeMs) + (ctimeNs % 1_000_000_000n === 0n ? coarseTickMillis : tickMillis) > nowMillis

const stampOf = (stats: fs.BigIntStats | null): string =>
  stats === null
    ? ""
    : [
        stats.dev,
        stats.ino,
        stats.mode,
        stats.uid,
        stats.isDirectory() ? 0n : stats.size,
        stats.mtimeNs,
        stats.ctimeNs
      ].join(" ")

/** Notes the list of files, each file, and the ignore rules that apply to the files. */
const noteListing = Effect.fnUntraced(function* (
  noted: NotingContext,
  path: string,
  flags: ReadonlyArray<string>
): Effect.fn.Return<void> {
  const segments = yield* notePath(noted, path)
  if (segments === null) return
  const key = JSON.stringify([segments, flags])
  if (noted.listings.has(key)) return
  const listed = yield* Effect.option(Ripgrep.files(noted.ripgrep, segments, flags))
  if (listed._tag === "None" || listed.value.truncated) return end(noted)
  const { paths } = listed.value
  noted.listings.set(key, { segments, flags, found: paths.join("\0") })
  const nowMillis = yield* Clock.currentTimeMillis
  yield* call(() => {
    const places = paths.map((found) => segmentsOf(noted.root, found))
    const isFolder = lookAt(pathTo(noted, segments))?.isDirectory() === true
    const folders = new Set([
      ...directoriesAbove(noted.root.path),
      ...(isFolder ? prefixes(noted, segments) : []),
      ...places.flatMap((place) => prefixes(noted, place.slice(0, -1)))
    ])
    const isNoted =
      places.every((place) => stampAll(noted, place, nowMillis)) &&
      [...folders].flatMap(rulesIn).every((file) => noted.stamps.has(file) || stamp(noted, file, nowMillis))
    if (!isNoted) end(noted)
  }).pipe(Effect.catch(() => Effect.sync(() => end(noted))))
})

/**
 * Returns the files with rules in a folder. In a worktree `.git` is a file, and the repository's rules are in another
 * directory: they apply when the listing is made again.
 */
const rulesIn = (folder: string): ReadonlyArray<string> => {
  const names = lookAt(`${folder}/.git`)?.isDirectory() === true ? [...ruleFiles, ".git/info/exclude"] : ruleFiles
  return names.map((name) => `${folder}/${name}`)
}

/** Returns the directories above the root. */
const directoriesAbove = (root: string): ReadonlyArray<string> => {
  const names = root.split("/").filter((name) => name !== "")
  return names.map((_, index) => (index === 0 ? "" : `/${names.slice(0, index).join("/")}`))
}

const isUnchanged = (noted: NotingContext): Effect.Effect<boolean> =>
  call(() => !noted.isEnded && [...noted.stamps].every(([path, known]) => stampOf(lookAt(path)) === known)).pipe(
    Effect.orElseSucceed(() => false),
    Effect.flatMap((isSame) => (isSame ? areListedAlike(noted) : Effect.succeed(false)))
  )

const areListedAlike = (noted: NotingContext): Effect.Effect<boolean> =>
  Effect.reduce(
    noted.listings.values(),
    () => true,
    (still, listing) => (still ? isListedAlike(noted, listing) : Effect.succeed(false))
  )

const isListedAlike = ({ ripgrep }: NotingContext, { flags, found, segments }: ListRequest): Effect.Effect<boolean> =>
  Ripgrep.files(ripgrep, segments, flags).pipe(
    Effect.map(({ paths, truncated }) => !truncated && paths.join("\0") === found),
    Effect.orElseSucceed(() => false)
  )
