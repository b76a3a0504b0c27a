/**
 * The adapter of the workspace capabilities: each root is opened once, and everything below it is found by walking open
 * directories.
 */
import {
  Capability,
  type Grant,
  ProcessRunner,
  type RepositoryPush,
  type RepositoryRead,
  type RepositoryWrite,
  type Snapshots,
  ToolContext,
  type WorkspaceRead,
  type WorkspaceWrite
} from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Changes from "./internal/changes.ts"
import { withNotes } from "./internal/noting.ts"
import type { View } from "./internal/openFile.ts"
import { reads } from "./internal/reads.ts"
import { replaceFile } from "./internal/replaceFile.ts"
import { bundled } from "./internal/ripgrep.ts"
import { openRoot, type Root, type RootUnusable } from "./internal/root.ts"
import * as Route from "./internal/route.ts"
import * as Temporaries from "./internal/temporaries.ts"
import { unsavedContents } from "./internal/unsaved.ts"
import * as Withheld from "./internal/withheld.ts"
import * as Capabilities from "./repository/Capabilities.ts"
import * as HostProgram from "./repository/HostProgram.ts"
import type { UserVariables } from "./repository/Identity.ts"

export { RootUnusable } from "./internal/root.ts"

/** A directory outside of the root that belongs to the workspace. Absolute. */
export interface AdditionalDirectory {
  readonly path: string
  readonly writable: boolean
}

export interface WorkspaceOptions {
  /** The directory from which relative paths are resolved. */
  readonly root: string
  /** The repository around the root, all of which belongs to the workspace; default: only the root. */
  readonly repository?: string
  readonly additionalDirectories?: ReadonlyArray<AdditionalDirectory>
  /** Absolute paths that are refused if they are below the root, such as the data directory. */
  readonly protectedPaths?: ReadonlyArray<string>
  /**
   * Returns, at each use, the absolute, resolved paths of files that are secret regardless of their names; default:
   * none.
   */
  readonly secretPaths?: () => ReadonlyArray<string>
  /**
   * A private directory of the program outside of the root, for the list of its temporary files. With it, temporary
   * files that a killed process left in any workspace are removed.
   */
  readonly temporariesDirectory?: string
  /** The ripgrep program; default: the one in the package `@vscode/ripgrep`. */
  readonly ripgrep?: string
  /** Examines the workspace, and returns the files that an undo can restore: deleting them loses nothing. */
  readonly restorable?: Snapshots.Snapshots["restorable"]
  /**
   * The user's variables, with which git finds the author of commits and the access to other repositories; default:
   * none.
   */
  readonly variables?: UserVariables
  /** The directory in which the platform lists open descriptors by number; default `/proc/self/fd`. */
  readonly descriptorPlace?: string
}

type Grants = ReadonlyArray<Grant.Grant>

export interface Workspace {
  /** The directory from which relative paths are resolved, without links. */
  readonly root: string
  /** False: this platform does not support lookups in open directories, so every write is refused. */
  readonly isWritable: boolean
  /**
   * Makes the capability for one call: a `Path` grant opens a secret file, walks leave out withheld paths, and a judged
   * path must lead to the same location as when it was judged.
   */
  readonly read: (
    grants: Grants,
    withheld?: ToolContext.WithheldLocations,
    more?: Pick<ToolContext.Bounds, "judged" | "reads">
  ) => WorkspaceRead.WorkspaceRead["Service"]
  readonly write: (
    grants: Grants,
    withheld?: ToolContext.WithheldLocations,
    judged?: ToolContext.JudgedPaths
  ) => WorkspaceWrite.WorkspaceWrite["Service"]
  /** Reads the repository of the root. Files that a call may not read are left out. */
  readonly repository: (
    grants: Grants,
    withheld?: ToolContext.WithheldLocations
  ) => RepositoryRead.RepositoryRead["Service"]
  readonly repositoryWrite: (
    grants: Grants,
    withheld?: ToolContext.WithheldLocations
  ) => RepositoryWrite.RepositoryWrite["Service"]
  readonly repositoryPush: RepositoryPush.RepositoryPush["Service"]
  /** The features of pushing that are not available here, each with the reason. They are determined at each call. */
  readonly lacks: () => Readonly<Record<string, string>>
}

/** The features of pushing that are not available for this repository, each with the reason. */
export const lacksOf = (host: HostProgram.HostSearch): Readonly<Record<string, string>> => {
  const reason = HostProgram.missingProgramReason(host)
  return reason === null ? {} : { pullRequests: reason }
}

/** Opens the root until the scope ends. */
export const make = Effect.fnUntraced(function* (
  options: WorkspaceOptions
): Effect.fn.Return<Workspace, RootUnusable, ProcessRunner.ProcessRunner | Scope.Scope> {
  const runner = yield* ProcessRunner.ProcessRunner
  const temporaries = yield* Temporaries.open(options.temporariesDirectory ?? null)
  const descriptorPlace = options.descriptorPlace ?? "/proc/self/fd"
  const opened = { descriptorPlace, temporaries, secretPaths: options.secretPaths ?? (() => []) }
  const protectedPaths = options.protectedPaths ?? []
  const first = yield* openRoot(
    { path: options.repository ?? options.root, start: options.root },
    protectedPaths,
    opened
  )
  const others = yield* Effect.forEach(options.additionalDirectories ?? [], ({ path, writable }) =>
    Effect.map(openRoot({ path, start: null }, protectedPaths, opened), (root): WorkspaceLocation => ({
      root,
      isWritable: writable
    }))
  )
  const places: readonly [WorkspaceLocation, ...ReadonlyArray<WorkspaceLocation>] = [
    { root: first, isWritable: true },
    ...others
  ]
  const program = options.ripgrep === undefined ? yield* Effect.cached(bundled) : Effect.succeed(options.ripgrep)

  const viewOf = (root: Root, grants: Grants, withheld: ToolContext.WithheldLocations | undefined): View => ({
    root,
    withheld: Withheld.make(root, withheld),
    mayReadSecret: (path) => grants.some((grant) => grant._tag === "Path" && grant.path === path)
  })
  const readsFor: Workspace["read"] = (grants, withheld, { judged, reads: notes } = {}) =>
    Route.reads(
      routed(places, (opened) => {
        const root = bindRoot(opened, judged)
        const ripgrep = { runner, program, root }
        const service = reads(viewOf(root, grants, withheld), ripgrep)
        return notes === undefined ? service : withNotes(ripgrep, notes, service)
      })
    )
  const writesFor: Workspace["write"] = (grants, withheld, judged) =>
    Route.writes(routed(places, (root) => writes(viewOf(bindRoot(root, judged), grants, withheld))))
  const repository = { root: first, runner, variables: options.variables ?? {} }
  const writable = places.map(({ root }) => root.path)
  const unsavedIn = Route.unsaved(
    routed(
      places,
      (root) => (path: string, limit: number) =>
        unsavedContents({ root, runner, restorable: options.restorable ?? null }, path, limit)
    )
  )
  const plainReads = readsFor([])
  const plainWrites = writesFor([])
  return {
    root: [first.path, ...first.start].join("/"),
    isWritable: first.handles.areSafe,
    read: (grants, withheld, more) =>
      grants.length === 0 && withheld === undefined && more?.judged === undefined && more?.reads === undefined
        ? plainReads
        : readsFor(grants, withheld, more),
    write: (grants, withheld, judged) =>
      grants.length === 0 && withheld === undefined && judged === undefined
        ? plainWrites
        : writesFor(grants, withheld, judged),
    repository: (grants, withheld) => ({
      ...Capabilities.reads({ ...repository, view: viewOf(first, grants, withheld) }),
      unsaved: unsavedIn
    }),
    repositoryWrite: (grants, withheld) =>
      Capabilities.writes({ ...repository, view: viewOf(first, grants, withheld) }),
    repositoryPush: Capabilities.pushes({ ...repository, writable }),
    lacks: () => lacksOf({ root: first.path, writable, variables: repository.variables })
  }
})

interface WorkspaceLocation {
  readonly root: Root
  readonly isWritable: boolean
}

const bindRoot = (root: Root, judged: ToolContext.JudgedPaths | undefined): Root =>
  judged === undefined ? root : { ...root, judged }

const routed = <A>(
  [first, ...others]: readonly [WorkspaceLocation, ...ReadonlyArray<WorkspaceLocation>],
  make: (root: Root) => A
): Route.Routes<A> => [
  { ...first, service: make(first.root) },
  ...others.map((place) => ({ ...place, service: make(place.root) }))
]

const writes = (view: View): WorkspaceWrite.WorkspaceWrite["Service"] => ({
  writeFile: (path, content, expected) => replaceFile(view.root, path, { content, expected }),
  writePrivateFile: (path, content, expected) =>
    replaceFile(view.root, path, { content, expected, newFileMode: 0o600 }),
  createDirectory: (path) => Changes.createDirectory(view.root, path),
  move: (from, to) => Changes.move(view, from, to),
  copy: (from, to) => Changes.copy(view, from, to),
  remove: (path) => Changes.remove(view.root, path)
})

/**
 * Walks to a path as a read does, without reading content, so that the code and the name patterns are compiled before
 * the first read.
 */
const rehearse = (workspace: Workspace): Effect.Effect<void> => Effect.ignore(workspace.read([]).inspect("README.md"))

/** Adds reading to the context, made for each call from its grants. */
export const provideReads = (context: ToolContext.ToolContext, workspace: Workspace): ToolContext.ToolContext =>
  ToolContext.provide(
    ToolContext.provide(context, Capability.WorkspaceRead, {
      make: ({ grants }, _mark, bounds) => workspace.read(grants, bounds?.withheld, bounds),
      notesReads: true,
      prepare: rehearse(workspace),
      reach: "Confined",
      preconditions: []
    }),
    Capability.RepositoryRead,
    {
      make: ({ grants }, _mark, bounds) => workspace.repository(grants, bounds?.withheld),
      reach: "Confined",
      preconditions: []
    }
  )

/** Adds writing to the context, made for each call from its grants. */
export const provideWrites = (context: ToolContext.ToolContext, workspace: Workspace): ToolContext.ToolContext => {
  const files = ToolContext.provide(context, Capability.WorkspaceWrite, {
    make: ({ grants }, _mark, bounds) => workspace.write(grants, bounds?.withheld, bounds?.judged),
    reach: "Confined",
    preconditions: []
  })
  const repository = ToolContext.provide(files, Capability.RepositoryWrite, {
    make: ({ grants }, _mark, bounds) => workspace.repositoryWrite(grants, bounds?.withheld),
    reach: "Confined",
    preconditions: []
  })
  return ToolContext.provide(repository, Capability.RepositoryPush, {
    make: () => workspace.repositoryPush,
    lacks: workspace.lacks(),
    reach: "Open",
    preconditions: []
  })
}
