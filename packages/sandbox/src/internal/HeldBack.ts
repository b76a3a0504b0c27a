/**
 * Quarantines files that a command must not make: repositories, whose configuration names programs that the user's git
 * runs, and files that instruct agents or run in editors. They are moved below `.bough` of the workspace, which no
 * command can write.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  closeSync,
  constants,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, relative } from "node:path"
import * as ByteNames from "./ByteNames.ts"
import type { User } from "./ChildProcess.ts"
import { type Sensitivity, type SensitiveEntry, idOf } from "./Survey.ts"

/** The kinds that are quarantined. Keys are not quarantined, because they run no code and some builds create them. */
const quarantinedKinds: ReadonlySet<Sensitivity> = new Set([
  "repository",
  "state",
  "secret",
  "instructions",
  "configuration"
])

/**
 * Returns the entries of the quarantined kinds that are new in `after`. Entries that replace an earlier one are left out:
 * a command cannot remove that, so a user has replaced it.
 */
export const newEntries = (
  before: ReadonlyArray<SensitiveEntry>,
  after: ReadonlyArray<SensitiveEntry>
): ReadonlyArray<SensitiveEntry> => {
  const known = new Set(before.map(({ id }) => id))
  const idsAfter = new Set(after.map(({ id }) => id))
  // A command cannot remove a mounted entry: if it no longer exists, a user has replaced it.
  const replaced = new Set(before.flatMap(({ id, kind, path }) => (kind !== "link" && !idsAfter.has(id) ? [path] : [])))
  return after.filter(({ care, id, path }) => quarantinedKinds.has(care) && !known.has(id) && !replaced.has(path))
}

export interface QuarantinedFile {
  readonly path: string
  /** Null: the entry could not be moved, and is still there. */
  readonly to: string | null
}

const folder = [".bough", "held"]

/**
 * Moves each entry away, unless another entry is now at its path. `user`: the account that commands run as and that
 * owns created folders; null: that of this process.
 */
export const moveAwayEntries = (
  { user, workspace }: { readonly workspace: string; readonly user: User | null },
  findings: ReadonlyArray<SensitiveEntry>
): Effect.Effect<ReadonlyArray<QuarantinedFile>> =>
  Effect.forEach(findings, ({ bytes, id, path: absolute }) => {
    const path = relative(workspace, absolute)
    // Uses a name that no program looks for.
    const name = `${randomBytes(4).toString("hex")}-${basename(path).replace(/^\.+/u, "")}`
    return Effect.gen(function* () {
      const source = yield* directoryAt(workspace, dirname(path).split("/"))
      const target = yield* makeQuarantine(workspace, user)
      const from =
        bytes === undefined
          ? `${source}/${basename(path)}`
          : Buffer.concat([Buffer.from(`${source}/`), ByteNames.nameOf(bytes)])
      return yield* Effect.try(() => {
        const currentId = idOf(lstatSync(from, { bigint: true }))
        return id === currentId || id.startsWith(`${currentId}:`)
      }).pipe(
        Effect.flatMap((isSame) => (isSame ? moveEntry(from, `${target}/${name}`) : Effect.fail("another one"))),
        Effect.as([...folder, name].join("/"))
      )
    }).pipe(
      Effect.scoped,
      Effect.orElseSucceed(() => null),
      Effect.map((to) => ({ path, to }))
    )
  })

/**
 * Moves an entry. A directory that its owner may not write cannot be moved without changing its mode; a command can
 * create one.
 */
const moveEntry = (from: string | Buffer, to: string): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.try(() => renameSync(from, to)).pipe(
    Effect.catch(() =>
      Effect.flatMap(openDirectory(from), (directory) =>
        Effect.try(() => {
          chmodSync(directory, 0o700)
          renameSync(from, to)
        })
      )
    )
  )

// Linux; absent from `fs.constants`.
const O_PATH = 0o10000000

/** Opens a directory below the workspace until the scope closes; no link is followed. */
const directoryAt = Effect.fnUntraced(function* (workspace: string, names: ReadonlyArray<string>) {
  let path = workspace
  for (const name of names.filter((name) => name !== ".")) path = yield* openDirectory(`${path}/${name}`)
  return path
})

/** Makes the folder if it is missing, and makes git ignore its content. */
const makeQuarantine = Effect.fnUntraced(function* (workspace: string, user: User | null) {
  let path = workspace
  for (const name of folder) {
    const at = `${path}/${name}`
    yield* Effect.ignore(
      Effect.try(() => {
        mkdirSync(at)
        if (user !== null) lchownSync(at, user.uid, user.gid)
      })
    )
    path = yield* openDirectory(at)
  }
  yield* Effect.ignore(Effect.try(() => writeFileSync(`${path}/.gitignore`, "*\n", { flag: "wx" })))
  return path
})

const openDirectory = (path: string | Buffer): Effect.Effect<string, unknown, Scope.Scope> =>
  process.platform === "linux" ? openedByHandle(path) : Effect.try(() => realDirectory(path))

/**
 * Returns the plain path, because only Linux can address a file through an open directory. This is safe, because the
 * command has ended by now.
 */
const realDirectory = (path: string | Buffer): string => {
  if (typeof path !== "string" || !lstatSync(path).isDirectory())
    throw new Error(`${path.toString()} is not a directory`)
  return path
}

const openedByHandle = (path: string | Buffer): Effect.Effect<string, unknown, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try(() => openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)),
    (descriptor) => Effect.sync(() => closeSync(descriptor))
  ).pipe(Effect.map((descriptor) => `/proc/self/fd/${descriptor}`))

/** Formats the line in a result about the quarantined files. */
export const text = (files: ReadonlyArray<QuarantinedFile>): string =>
  files
    .map(({ path, to }) =>
      to === null
        ? `[bough: a command made ${JSON.stringify(path)}, which commands may not create, and it could not be moved away: remove it before you use git or an editor there]\n`
        : `[bough: held back ${JSON.stringify(path)}: commands may not create repositories, agents' instructions or editors' configuration; it was moved to ${to}]\n`
    )
    .join("")
