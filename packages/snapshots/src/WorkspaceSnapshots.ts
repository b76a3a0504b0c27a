/** The adapter of `Snapshots` for one workspace, with undo and redo of recorded changes. */
import type { Snapshots } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { rmSync } from "node:fs"
import * as ByteName from "./internal/ByteName.ts"
import * as Collect from "./internal/Collect.ts"
import * as Engine from "./internal/Engine.ts"
import * as Limits from "./internal/Limits.ts"
import * as Undo from "./Undo.ts"

export type { Bounds } from "./internal/Collect.ts"
export type { Limits } from "./internal/Limits.ts"

export interface SnapshotOptions {
  /** The workspace, without links in its path. */
  readonly root: string
  /** A private directory outside of every workspace, created for the first snapshot. */
  readonly directory: string
  /** Absolute paths that no snapshot contains, such as the data directory if it is in the workspace. */
  readonly outside?: ReadonlyArray<string>
  /** Returns, at each use, the absolute paths of files that no snapshot may contain; default: none. */
  readonly secretPaths?: () => ReadonlyArray<string>
  readonly limits?: Partial<Limits.Limits>
  readonly bounds?: Partial<Collect.Bounds>
  /** True: the kernel reports changes, and only reported entries are read; default: true on Linux. */
  readonly isWatching?: boolean
}

export interface WorkspaceSnapshots extends Snapshots.Snapshots, Undo.Undo {}

/** Deletes the snapshots of a workspace that no longer exists; no process may have them open. */
export const remove = ({ directory, root }: Pick<SnapshotOptions, "root" | "directory">): Effect.Effect<void> =>
  Effect.sync(() => {
    const file = Engine.fileOf(directory, root)
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true })
  })

/** Opens and reads the workspace on first use, and closes it when the scope ends. */
export const make = Effect.fnUntraced(function* (
  options: SnapshotOptions
): Effect.fn.Return<WorkspaceSnapshots, never, Scope.Scope> {
  const engine = yield* Engine.make({
    root: options.root,
    directory: options.directory,
    outside: options.outside ?? [],
    secretPaths: options.secretPaths ?? (() => []),
    limits: { ...Limits.defaults, ...options.limits },
    bounds: { ...Collect.defaults, ...options.bounds },
    isWatching: options.isWatching ?? true
  })
  return {
    prepare: Effect.ignore(engine.use((_, take) => take(false))),
    before: engine.use((_, take) => take(true)),
    // Runs while the model processes the result of the call.
    after: Effect.tap(
      engine.use((_, take) => take(false)),
      () => engine.lookAround
    ),
    restorable: engine.use(({ index }, take) =>
      Effect.map(take(false), (): Snapshots.IsRestorable => (path) => {
        const base = options.root === "/" ? "/" : `${options.root}/`
        return path.startsWith(base) && index.isRestorable(ByteName.fromText(path.slice(base.length)).split("/"))
      })
    ),
    ...Undo.make(engine)
  }
})
