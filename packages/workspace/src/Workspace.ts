/**
 * The adapter of the workspace capabilities: one root, opened once, below which everything is found by walking open
 * directories.
 */
import {
  Capability,
  type Grant,
  ProcessRunner,
  type RepositoryRead,
  ToolContext,
  type WorkspaceRead,
  type WorkspaceWrite
} from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Changes from "./internal/changes.ts"
import type { View } from "./internal/openFile.ts"
import { reads } from "./internal/reads.ts"
import { replaceFile } from "./internal/replaceFile.ts"
import { bundled } from "./internal/ripgrep.ts"
import { openRoot, type RootUnusable } from "./internal/root.ts"
import * as Temporaries from "./internal/temporaries.ts"
import { unsaved } from "./internal/unsaved.ts"
import * as Withheld from "./internal/withheld.ts"

export { RootUnusable } from "./internal/root.ts"

export interface WorkspaceOptions {
  readonly root: string
  /** Absolute paths that are out of bounds where they lie below the root, such as the data directory. */
  readonly protectedPaths?: ReadonlyArray<string>
  /**
   * A private directory of the program, outside of the root, for the list of its temporary files: with it what a killed process
   * left in any workspace is removed here.
   */
  readonly temporariesDirectory?: string
  /** The ripgrep program; default the one that the package `@vscode/ripgrep` brings. */
  readonly ripgrep?: string
  /** Where the platform shows open descriptors by number; default `/proc/self/fd`. */
  readonly descriptorPlace?: string
}

type Grants = ReadonlyArray<Grant.Grant>

export interface Workspace {
  /** The root without links. */
  readonly root: string
  /** False: names cannot be looked up in open directories on this platform, and every write is refused. */
  readonly isWritable: boolean
  /** For one call: a `Path` grant opens a secret file, and walks leave out what is withheld. */
  readonly read: (grants: Grants, withheld?: ToolContext.Withheld) => WorkspaceRead.WorkspaceRead["Service"]
  readonly write: (grants: Grants, withheld?: ToolContext.Withheld) => WorkspaceWrite.WorkspaceWrite["Service"]
  readonly repository: RepositoryRead.RepositoryRead["Service"]
}

/** Opens the root until the scope ends. */
export const make = Effect.fnUntraced(function* (
  options: WorkspaceOptions
): Effect.fn.Return<Workspace, RootUnusable, ProcessRunner.ProcessRunner | Scope.Scope> {
  const runner = yield* ProcessRunner.ProcessRunner
  const temporaries = yield* Temporaries.open(options.temporariesDirectory ?? null)
  const descriptorPlace = options.descriptorPlace ?? "/proc/self/fd"
  const root = yield* openRoot(options.root, options.protectedPaths ?? [], { descriptorPlace, temporaries })
  const program = options.ripgrep === undefined ? yield* Effect.cached(bundled) : Effect.succeed(options.ripgrep)
  const ripgrep = { runner, program, root }

  const viewFor = (grants: Grants, withheld?: ToolContext.Withheld): View => ({
    root,
    withheld: Withheld.make(root, withheld),
    mayReadSecret: (path) => grants.some((grant) => grant._tag === "Path" && grant.path === path)
  })
  const writes = (view: View): WorkspaceWrite.WorkspaceWrite["Service"] => ({
    writeFile: (path, content, expected) => replaceFile(root, path, { content, expected }),
    createDirectory: (path) => Changes.createDirectory(root, path),
    move: (from, to) => Changes.move(view, from, to),
    copy: (from, to) => Changes.copy(view, from, to),
    remove: (path) => Changes.remove(root, path)
  })
  const plainView = viewFor([])
  const plainReads = reads(plainView, ripgrep)
  const plainWrites = writes(plainView)
  return {
    root: root.path,
    isWritable: root.handles.areSafe,
    read: (grants, withheld) =>
      grants.length === 0 && withheld === undefined ? plainReads : reads(viewFor(grants, withheld), ripgrep),
    write: (grants, withheld) =>
      grants.length === 0 && withheld === undefined ? plainWrites : writes(viewFor(grants, withheld)),
    repository: { unsaved: (path, limit) => unsaved({ root, runner }, path, limit) }
  }
})

/** The context with reading, made for each call from its grants. */
export const provideReads = (context: ToolContext.ToolContext, workspace: Workspace): ToolContext.ToolContext =>
  ToolContext.provide(
    ToolContext.provide(context, Capability.WorkspaceRead, {
      make: ({ grants }, _mark, bounds) => workspace.read(grants, bounds?.withheld),
      reach: "Confined",
      preconditions: []
    }),
    Capability.RepositoryRead,
    ToolContext.constant(workspace.repository)
  )

/** The context with writing, made for each call from its grants. */
export const provideWrites = (context: ToolContext.ToolContext, workspace: Workspace): ToolContext.ToolContext =>
  ToolContext.provide(context, Capability.WorkspaceWrite, {
    make: ({ grants }, _mark, bounds) => workspace.write(grants, bounds?.withheld),
    reach: "Confined",
    preconditions: []
  })
