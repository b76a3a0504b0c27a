/** Opens directories safely within a walk, and lists them. */
import type { ToolError } from "@bough/protocol"
import type { WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import type { Access } from "../Refusal.ts"
import type { Directory, Root } from "./root.ts"
import { call, failWith, report } from "./systemCall.ts"
import { type WalkLocation, visit } from "./walk.ts"

/** Opens the directory of this name in `parent` while `use` runs; never through a link. */
export const withEntryOpen = <A, E>(
  root: Root,
  { name, parent, path }: Pick<WalkLocation, "name" | "parent" | "path">,
  use: (directory: Directory) => Effect.Effect<A, E>
): Effect.Effect<A, E | ToolError.ToolError> =>
  Effect.acquireUseRelease(
    call(() => root.handles.open(parent, parent.prefix + name, name)).pipe(Effect.mapError(report(path))),
    use,
    ({ fd }) => Effect.sync(() => fs.closeSync(fd))
  )

/** Opens the directory at this path while `use` runs; links that stay inside the root are followed. */
export const withDirectory = <A, E>(
  root: Root,
  path: string,
  use: (directory: Directory, location: WalkLocation) => Effect.Effect<A, E>
): Effect.Effect<A, E | ToolError.ToolError> =>
  visit(root, { path, access: "read", follow: true, missing: "fail" }, (place) =>
    place.stats === null
      ? Effect.fail(failWith("ENOENT", path))
      : withEntryOpen(root, place, (directory) => use(directory, place))
  )

/** Returns up to `limit` names, sorted; `complete` false: there are more. */
export const namesIn = (
  directory: Directory,
  limit: number,
  path: string
): Effect.Effect<{ readonly names: ReadonlyArray<string>; readonly complete: boolean }, ToolError.ToolError> =>
  Effect.acquireUseRelease(
    call(() => fs.opendirSync(`${directory.prefix}.`, { bufferSize: 256 })),
    (opened) =>
      call(() => {
        const names: Array<string> = []
        for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
          if (names.length === limit) return { names: names.toSorted(byCodeUnit), complete: false }
          names.push(entry.name)
        }
        return { names: names.toSorted(byCodeUnit), complete: true }
      }),
    (opened) => Effect.sync(() => opened.closeSync())
  ).pipe(Effect.mapError(report(path)))

/** Orders names in the same way in every locale. */
const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const infoOf = (path: string, stats: fs.BigIntStats): WorkspaceRead.FileInfo => ({
  path,
  kind: kindOf(stats),
  bytes: Number(stats.size),
  modifiedAtMillis: Number(stats.mtimeMs),
  changedAtMillis: Number(stats.ctimeMs),
  mode: permissionBits(stats).toString(8).padStart(3, "0")
})

/** Returns the permissions without setuid, setgid and sticky. */
export const permissionBits = (stats: fs.BigIntStats): number => Number(stats.mode & 0o777n)

const kindOf = (stats: fs.BigIntStats): WorkspaceRead.FileKind =>
  stats.isFile() ? "file" : stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "symlink" : "other"

/** Returns the state of the path; for a link, that of the link itself. */
export const lookAt = (
  root: Root,
  path: string,
  access: Access
): Effect.Effect<{ readonly path: string; readonly stats: fs.BigIntStats | null }, ToolError.ToolError> =>
  visit(root, { path, access, follow: false, missing: "fail" }, (place) =>
    Effect.succeed({ path: place.path, stats: place.stats })
  )
