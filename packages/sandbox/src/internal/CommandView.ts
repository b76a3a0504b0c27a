/** Derives the view of a command from the survey of its workspace. */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Bubblewrap from "../Bubblewrap.ts"
import type { SandboxDirectories } from "../SandboxDirectories.ts"
import { contains } from "../Toolchains.ts"
import type * as Withheld from "../Withheld.ts"
import * as GitDirectory from "./GitDirectory.ts"
import type { Findings } from "./guarded.ts"
import type { NameState } from "./Reserved.ts"

export const make = (
  directories: SandboxDirectories,
  standings: ReadonlyArray<NameState>,
  {
    connected,
    proxied,
    repositories,
    shown,
    withheld
  }: Findings & Pick<Bubblewrap.View, "connected" | "proxied"> & { readonly withheld: Withheld.WithheldEntries }
): Effect.Effect<Bubblewrap.View, ToolError.PermissionDenied> => {
  const { hidden, readOnly } = shown
  const link = standings.find((standing) => standing._tag === "Link")
  if (link !== undefined) {
    const reason = `SandboxUnavailable: ${link.path} is a link and cannot be protected; put there what it names`
    return Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason }))
  }
  const fixed = standings.flatMap((standing) => (standing._tag === "Present" ? [standing.path] : []))
  const git = GitDirectory.view(repositories)
  const opened = new Set(repositories.map(({ path }) => path))
  const closed = [...fixed, ...readOnly].filter((path) => !opened.has(path))
  const mounts = [...closed.map((path) => ({ path, writable: false })), ...git.mounts]
  return Effect.succeed({
    roots: directories.roots,
    mounts: GitDirectory.orderMounts(mounts.filter(({ path }) => !isReadOnly(directories, path))),
    absent: standings.flatMap((standing) => (standing._tag === "Reserved" ? [standing.path] : [])),
    hidden: directories.hiddenDirectories,
    emptied: hidden,
    replaced: [...replacements({ repositories, shown, withheld }).keys()],
    pinned: [...directories.hiddenDirectories, ...withheld.files, ...shown.pinned],
    shown: directories.readOnlyDirectories,
    proxied,
    connected,
    shell: null
  })
}

/** True for a path in a read-only root; such a path needs no separate mount. */
const isReadOnly = ({ roots }: SandboxDirectories, path: string): boolean =>
  roots.findLast((root) => contains(root.path, path))?.writable === false

type ViewFindings = Findings & { readonly withheld: Withheld.WithheldEntries }

/**
 * The content of each replaced file, by its path. A withheld file is empty even if otherwise only its secrets would be
 * removed, because bubblewrap cannot replace a file twice.
 */
const replacements = ({ repositories, shown, withheld }: ViewFindings): ReadonlyMap<string, string> =>
  new Map([
    ...[...GitDirectory.view(repositories).replaced, ...shown.replaced].map(({ content, path }): [string, string] => [
      path,
      content
    ]),
    ...withheld.files.map((path): [string, string] => [path, ""])
  ])

/** The contents of the files that the view replaces, in its order. */
export const contents = (looked: ViewFindings): ReadonlyArray<string> => [...replacements(looked).values()]
