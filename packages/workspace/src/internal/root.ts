/**
 * The workspace root as an open directory, and paths of names below an open directory for the operating system. On
 * Linux `/proc/self/fd/N/name` is resolved in the open directory itself, even if it was moved or replaced at its old
 * path.
 */
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as Sensitive from "../Sensitive.ts"
import { call } from "./systemCall.ts"
import type { Temporaries } from "./temporaries.ts"

/** An open directory. `prefix` ends in "/": append a name to get its path in this directory. */
export interface Directory {
  readonly fd: number
  readonly prefix: string
  readonly name: string
}

export interface Root {
  readonly directory: Directory
  /** The path without links. */
  readonly path: string
  /** The path as the caller gave it. */
  readonly givenPath: string
  /** The names from the root to the directory from which relative paths are resolved. */
  readonly start: ReadonlyArray<string>
  /** False: relative paths are resolved from another root, and this root is addressed by absolute paths. */
  readonly isStart: boolean
  readonly ownerUid: number
  readonly handles: Handles
  readonly temporaries: Temporaries
  /** The paths below the root that tools cannot reach, regardless of their names. */
  readonly protectedPlaces: ReadonlyArray<ReadonlyArray<string>>
  /** Returns the absolute paths, without links, of files that are secret regardless of their names; they may change. */
  readonly secretPaths: () => ReadonlyArray<string>
  /** The targets of one call's paths when it was judged; absent: no paths were judged. */
  readonly judged?: ToolContext.JudgedPaths
}

export interface Handles {
  /** True if names are looked up in open directories, so that directories cannot be swapped in between. */
  readonly areSafe: boolean
  readonly open: (parent: Directory | null, path: string, name: string) => Directory
}

/** True if the path is in a protected directory of the operator. */
export const isOperators = (root: Root, segments: ReadonlyArray<string>): boolean =>
  root.protectedPlaces.some((place) => Sensitive.isAtOrBelow(segments, place))

/** True if the path contains a protected directory of the operator, which would move together with the path. */
export const holdsOperators = (root: Root, segments: ReadonlyArray<string>): boolean =>
  root.protectedPlaces.some((place) => Sensitive.isAtOrBelow(place, segments))

/** True if the path contains credentials: according to its name, or because a secret was copied there. */
export const isSecret = (root: Root, segments: ReadonlyArray<string>): boolean =>
  Sensitive.sensitivity(segments) === "secret" || isSecretCopy(root, segments)

/** True if a secret was copied to the path. */
export const isSecretCopy = (root: Root, segments: ReadonlyArray<string>): boolean => {
  const paths = root.secretPaths()
  return paths.length > 0 && paths.includes([root.path === "/" ? "" : root.path, ...segments].join("/"))
}

/** The root cannot be opened as a directory. */
export class RootUnusable extends Schema.TaggedError<RootUnusable>()("RootUnusable", {
  path: Schema.String,
  message: Schema.String
}) {}

// Linux; absent from `fs.constants`.
const O_PATH = 0o10000000
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = fs.constants

const descriptors = (place: string): Handles => ({
  areSafe: true,
  open: (_parent, path, name) => {
    const fd = fs.openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)
    return { fd, prefix: `${place}/${fd}/`, name }
  }
})

const names: Handles = {
  areSafe: false,
  open: (parent, path, name) => ({
    fd: fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
    prefix: parent === null ? `${path}/` : `${parent.prefix}${name}/`,
    name
  })
}

/**
 * Opens the root until the scope ends.
 *
 * - `start`: the directory from which relative paths are resolved, at or below the root; null: it is in another root
 * - `descriptorPlace`: the directory in which the platform lists open descriptors by number, `/proc/self/fd` on Linux;
 *   `handles.areSafe` is false if a probe finds that names are not looked up in open directories there
 */
export const openRoot = (
  { path: givenPath, start }: { readonly path: string; readonly start: string | null },
  protectedPaths: ReadonlyArray<string>,
  {
    descriptorPlace,
    secretPaths,
    temporaries
  }: Pick<Root, "secretPaths" | "temporaries"> & {
    readonly descriptorPlace: string
  }
): Effect.Effect<Root, RootUnusable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const handles = (yield* isLookedUpInside(descriptorPlace)) ? descriptors(descriptorPlace) : names
      return yield* call(() => {
        const path = fs.realpathSync.native(givenPath)
        const startNames = start === null ? [] : (pathsBelow(path, fs.realpathSync.native(start))[0] ?? [])
        const directory = handles.open(null, path, "")
        return {
          directory: path === "/" && !handles.areSafe ? { ...directory, prefix: "/" } : directory,
          path,
          givenPath: givenPath.replace(/(?<=.)\/+$/, ""),
          start: startNames,
          isStart: start !== null,
          ownerUid: fs.fstatSync(directory.fd).uid,
          handles,
          temporaries,
          protectedPlaces: protectedPaths.flatMap((place) => pathsBelow(path, place)),
          secretPaths
        }
      })
    }),
    ({ directory }) => Effect.sync(() => fs.closeSync(directory.fd))
  ).pipe(Effect.mapError(({ message }) => new RootUnusable({ path: givenPath, message })))

/** Returns the paths that are below the root, both as written and with links resolved. */
export const pathsBelow = (root: string, place: string): ReadonlyArray<ReadonlyArray<string>> => {
  const real = fs.existsSync(place) ? fs.realpathSync.native(place) : place
  const base = root === "/" ? "/" : `${root}/`
  return [place, real]
    .filter((path) => path.startsWith(base))
    .map((path) =>
      path
        .slice(base.length)
        .split("/")
        .filter((name) => name !== "")
    )
}

/** True if the platform resolves a name after a descriptor in that directory without following a link. */
const isLookedUpInside = (place: string): Effect.Effect<boolean> =>
  call(() => {
    const fd = fs.openSync("/proc", O_PATH | O_DIRECTORY)
    const stats = fs.fstatSync(fd)
    const through = fs.lstatSync(`${place}/${fd}/.`, { throwIfNoEntry: false })
    const link = fs.lstatSync(`${place}/${fd}/self`, { throwIfNoEntry: false })
    return { fd, found: through?.ino === stats.ino && through.dev === stats.dev && link?.isSymbolicLink() === true }
  }).pipe(
    Effect.flatMap(({ fd, found }) =>
      // Opening the link as a directory must fail.
      call(() => fs.openSync(`${place}/${fd}/self`, O_PATH | O_DIRECTORY | O_NOFOLLOW)).pipe(
        Effect.map((followed) => {
          fs.closeSync(followed)
          return false
        }),
        Effect.orElseSucceed(() => found),
        Effect.ensuring(Effect.sync(() => fs.closeSync(fd)))
      )
    ),
    Effect.orElseSucceed(() => false)
  )
