/**
 * Resolves a path to an open directory and a name in it. Each directory on the way is opened below the
 * previous one, never through a link; links are read and their targets are resolved the same way, so that no step
 * leaves the root, even if entries are swapped during the walk.
 */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { type Access, quote, refuse } from "../Refusal.ts"
import * as Sensitive from "../Sensitive.ts"
import { syncDirectory } from "./durable.ts"
import { areSame, belowRoot, namesOf, pathOf, split } from "./pathText.ts"
import { type Directory, isOperators, type Root } from "./root.ts"
import { call, failWith, report } from "./systemCall.ts"

export interface WalkOptions {
  readonly path: string
  readonly access: Access
  /** True to follow a link at the end of the path. */
  readonly follow: boolean
  /**
   * The treatment of missing directories on the way: `fail` stops; `make` creates them, `imagine` continues as if they
   * existed and were empty.
   */
  readonly missing: "fail" | "make" | "imagine"
  /** True if the path belongs to a tree that is copied or removed as a unit, in which keys are not refused. */
  readonly isWithinTree?: boolean
}

/** A resolved path, which is valid while `visit` runs. */
export interface WalkLocation {
  readonly parent: Directory
  readonly name: string
  /** The path for the operating system: the name in its open directory. */
  readonly at: string
  /** The names below the root, with every link resolved except one at the end. */
  readonly entry: ReadonlyArray<string>
  /** The names below the root, with every link resolved. */
  readonly segments: ReadonlyArray<string>
  readonly path: string
  /** The state of the entry; for a link, that of the link unless it is followed; null: nothing exists there. */
  readonly stats: fs.BigIntStats | null
}

/** Walks to the path and keeps the directories on the way open while `use` runs. */
export const visit = <A, E>(
  root: Root,
  options: WalkOptions,
  use: (location: WalkLocation) => Effect.Effect<A, E>
): Effect.Effect<A, E | ToolError.ToolError> =>
  Effect.acquireUseRelease(
    Effect.sync((): Walker => ({
      root,
      options,
      opened: [],
      trail: [root.directory],
      pending: [],
      links: 0,
      changes: 0,
      entry: null,
      isImagined: false,
      permitted: null
    })),
    (walker) => Effect.flatMap(walk(walker), use),
    (walker) => Effect.sync(() => walker.opened.forEach(({ fd }) => fs.closeSync(fd)))
  )

/** A name that is still to be walked; `link` is the link whose text contains it. */
interface Step {
  readonly name: string
  readonly link: string | null
}

interface Walker {
  readonly root: Root
  readonly options: WalkOptions
  /** All directories to close. */
  readonly opened: Array<Directory>
  /** The directories from the root to here. */
  readonly trail: Array<Directory>
  /** The remaining names, the next one last. */
  readonly pending: Array<Step>
  links: number
  changes: number
  /** The end of the path before its own link is followed; null: not reached, or the path has no name at the end. */
  entry: ReadonlyArray<string> | null
  /** True after the last existing name. */
  isImagined: boolean
  /** The path that was permitted last; null: none yet. */
  permitted: ReadonlyArray<string> | null
}

const maxLinks = 40
const maxDepth = 200
/** The maximum number of times that a directory may be swapped before the walk enters it. */
const maxChanges = 1000

const walk = Effect.fnUntraced(function* (walker: Walker): Effect.fn.Return<WalkLocation, ToolError.ToolError> {
  const { access, path } = walker.options
  const names = yield* namesOf(walker.root, path, access)
  yield* permit(walker, names)
  yield* plan(walker, names, null)
  for (;;) {
    const step = walker.pending.pop()
    if (step === undefined) return yield* placeOf(walker, null)
    if (step.name === "..") yield* enterParent(walker, step)
    else if (walker.pending.length > 0) yield* enterDirectory(walker, step)
    else {
      walker.entry ??= [...trailNames(walker), step.name]
      const place = yield* finishWalk(walker, step)
      if (place !== null) return place
    }
  }
})

const plan = (
  walker: Walker,
  names: ReadonlyArray<string>,
  link: string | null
): Effect.Effect<void, ToolError.ToolError> => {
  if (walker.pending.length + walker.trail.length + names.length > maxDepth) {
    return Effect.fail(failWith("ENAMETOOLONG", walker.options.path, `at most ${maxDepth} directories deep`))
  }
  walker.pending.push(...names.map((name) => ({ name, link })).toReversed())
  return Effect.void
}

const enterParent = (walker: Walker, { link }: Step): Effect.Effect<void, ToolError.ToolError> => {
  if (walker.trail.length > 1) {
    walker.trail.pop()
    walker.isImagined = walker.isImagined && currentDirectory(walker).fd === noLink
    return Effect.void
  }
  const { access, path } = walker.options
  return Effect.fail(
    link === null
      ? refuse("PathEscape", access, `${quote(path)} is outside the workspace`)
      : refuse("SymlinkEscape", access, `${quote(path)} leads out of the workspace by the link ${quote(link)}`)
  )
}

/** Opens the directory of that name, making it if requested; a link is replaced by the names in its text. */
const enterDirectory = (walker: Walker, step: Step): Effect.Effect<void, ToolError.ToolError> => {
  const { missing, path } = walker.options
  const parent = currentDirectory(walker)
  if (walker.isImagined) return stepWithoutFile(walker, step)
  return call(() => walker.root.handles.open(parent, parent.prefix + step.name, step.name)).pipe(
    Effect.map((directory) => {
      walker.opened.push(directory)
      walker.trail.push(directory)
    }),
    Effect.catchTag("SystemError", (error) => {
      if (error.code === "ENOTDIR" || error.code === "ELOOP") return followLink(walker, step)
      if (error.code !== "ENOENT" || missing === "fail") return Effect.fail(report(path)(error))
      return missing === "make" ? makeDirectory(walker, step) : stepWithoutFile(walker, step)
    })
  )
}

const noLink = -1

const stepWithoutFile = (walker: Walker, { name }: Step): Effect.Effect<void> =>
  Effect.sync(() => {
    walker.isImagined = true
    walker.trail.push({ fd: noLink, prefix: "", name })
  })

const makeDirectory = (walker: Walker, step: Step): Effect.Effect<void, ToolError.ToolError> =>
  Effect.andThen(mayBeMade(walker, step.name), permit(walker, [...trailNames(walker), step.name])).pipe(
    Effect.andThen(asJudged(walker, [...trailNames(walker), step.name])),
    Effect.andThen(call(() => fs.mkdirSync(currentDirectory(walker).prefix + step.name))),
    Effect.catchTag("SystemError", (error) =>
      error.code === "EEXIST" ? Effect.void : Effect.fail(report(walker.options.path)(error))
    ),
    Effect.andThen(syncDirectory(currentDirectory(walker), walker.options.path)),
    Effect.andThen(retryStep(walker, step))
  )

/** Ends the walk; null: the end was a link, whose text is now walked. */
const finishWalk = (walker: Walker, step: Step): Effect.Effect<WalkLocation | null, ToolError.ToolError> =>
  (walker.isImagined
    ? Effect.succeed(null)
    : lookUp(currentDirectory(walker).prefix + step.name, walker.options.path)
  ).pipe(
    Effect.flatMap((stats) =>
      walker.options.follow && stats?.isSymbolicLink() === true
        ? Effect.as(followLink(walker, step), null)
        : placeOf(walker, { name: step.name, stats })
    )
  )

const followLink = (walker: Walker, step: Step): Effect.Effect<void, ToolError.ToolError> => {
  const { path } = walker.options
  const at = currentDirectory(walker).prefix + step.name
  return call(() => fs.readlinkSync(at)).pipe(
    Effect.flatMap((target) => splice(walker, step, target)),
    Effect.catchTag("SystemError", (error) => {
      if (error.code !== "EINVAL" && error.code !== "ENOENT") return Effect.fail(report(path)(error))
      // The entry is not a link: it is a file where a directory should be, or it was created since the first lookup.
      return lookUp(at, path).pipe(
        Effect.flatMap((stats) =>
          stats === null || stats.isDirectory() || stats.isSymbolicLink()
            ? retryStep(walker, step)
            : Effect.fail(failWith("ENOTDIR", path))
        )
      )
    })
  )
}

const splice = (walker: Walker, step: Step, target: string): Effect.Effect<void, ToolError.ToolError> => {
  const { access, path } = walker.options
  walker.links++
  if (walker.links > maxLinks) return Effect.fail(failWith("ELOOP", path))
  const link = step.link ?? pathOf(walker.root, [...trailNames(walker), step.name])
  const isAbsolute = target.startsWith("/")
  const names = isAbsolute ? belowRoot(walker.root, target) : split(target)
  if (names === null) {
    const name = /^\/(proc|dev)(\/|$)/.test(target) ? "MagicLink" : "SymlinkEscape"
    return Effect.fail(refuse(name, access, `${quote(path)} leads to ${quote(target)} by the link ${quote(link)}`))
  }
  if (isAbsolute) walker.trail.length = 1
  return plan(walker, names, link)
}

const retryStep = (walker: Walker, step: Step): Effect.Effect<void, ToolError.ToolError> => {
  walker.pending.push(step)
  walker.changes++
  return walker.changes > maxChanges ? Effect.fail(failWith("EBUSY", walker.options.path)) : Effect.void
}

const currentDirectory = (walker: Walker): Directory => walker.trail[walker.trail.length - 1]

const trailNames = (walker: Walker): Array<string> => walker.trail.slice(1).map(({ name }) => name)

/** Makes the result of a walk. `end` null: the directory in which the resolution ended. */
const placeOf = (
  walker: Walker,
  end: { readonly name: string; readonly stats: fs.BigIntStats | null } | null
): Effect.Effect<WalkLocation, ToolError.ToolError> => {
  const parent = currentDirectory(walker)
  const segments = trailNames(walker)
  if (end !== null) segments.push(end.name)
  const name = end?.name ?? "."
  const at = parent.prefix + name
  const place = { parent, name, at, entry: walker.entry ?? segments, segments, path: pathOf(walker.root, segments) }
  return Effect.andThen(permit(walker, segments), asJudged(walker, segments, true)).pipe(
    Effect.andThen(
      end === null && !walker.isImagined ? lookUp(at, walker.options.path) : Effect.succeed(end?.stats ?? null)
    ),
    Effect.tap((stats) =>
      stats === null && walker.options.missing === "make" ? mayBeMade(walker, name) : Effect.void
    ),
    Effect.map((stats) => ({ ...place, stats }))
  )
}

/**
 * Fails if the path leads to another location than when its call was judged. `segments`: the names resolved so far, or
 * all of them.
 */
const asJudged = (
  { options: { access, follow, path }, root }: Walker,
  segments: ReadonlyArray<string>,
  isEnd = false
): Effect.Effect<void, ToolError.ToolError> => {
  const judged = root.judged?.get(path)
  if (judged === undefined) return Effect.void
  const there = follow ? judged.place : judged.entry
  if (segments.every((name, index) => name === there[index]) && (!isEnd || segments.length === there.length)) {
    return Effect.void
  }
  const [now, then] = [quote(pathOf(root, segments)), quote(pathOf(root, there))]
  return Effect.fail(
    refuse("MovedPath", access, `${quote(path)} leads to ${now} by now, and led to ${then} when the call was judged`)
  )
}

// Matches control characters, line separators and marks of text direction: a name with them looks like another name, or
// like two names.
const misleadingCharacters = (): RegExp => /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u

/** True if an entry of that name may be created. An existing entry may have any name; a new name must be plain text. */
const mayBeMade = (walker: Walker, name: string): Effect.Effect<void, ToolError.ToolError> => {
  const found = misleadingCharacters().exec(name)?.[0]
  if (found === undefined) return Effect.void
  const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
  const { access, path } = walker.options
  return Effect.fail(refuse("BadName", access, `${quote(path)} holds ${code}, which a new name may not`))
}

const permit = (walker: Walker, segments: ReadonlyArray<string>): Effect.Effect<void, ToolError.ToolError> => {
  const { access, isWithinTree, path } = walker.options
  // Without a link, a path resolves to its own names, which are checked once.
  if (walker.permitted !== null && areSame(walker.permitted, segments)) return Effect.void
  const isForbidden =
    isOperators(walker.root, segments) ||
    (isWithinTree === true ? Sensitive.holdsState(segments) : Sensitive.isProtected(segments, access))
  if (isForbidden) {
    return Effect.fail(
      refuse("Protected", access, `${quote(path)} may not be ${access === "read" ? "read" : "written"}`)
    )
  }
  walker.permitted = segments
  return Effect.void
}

/** Returns the state of the name itself, never through a link. */
export const lookUp = (at: string, path: string): Effect.Effect<fs.BigIntStats | null, ToolError.ToolError> =>
  call(() => fs.lstatSync(at, { bigint: true, throwIfNoEntry: false }) ?? null).pipe(Effect.mapError(report(path)))
