/**
 * Identifies the files and directories that a sandbox mounts. Replacing an entry after the sandbox was made removes its
 * mount.
 */
import { lstatSync } from "node:fs"
import type * as Bubblewrap from "../Bubblewrap.ts"

type Entries = Pick<Bubblewrap.View, "absent" | "emptied" | "hidden" | "mounts" | "pinned" | "replaced" | "roots">

/** "": the path does not exist. */
export const identityAt = (path: string): string => {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? "" : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`
}

/** Returns the identities of the entries by path. */
export const identities = ({
  absent,
  emptied,
  hidden,
  mounts,
  pinned,
  replaced,
  roots
}: Entries): ReadonlyMap<string, string> =>
  new Map(
    [
      ...[...roots, ...mounts].map(({ path, source = path }) => source),
      ...absent,
      ...emptied,
      ...hidden,
      ...pinned,
      ...replaced
    ].map((path) => [path, identityAt(path)])
  )

/** Returns a line for each entry. Sandboxes with equal lines and arguments have the same view. */
export const identitiesIn = (view: Entries): ReadonlyArray<string> => [...identities(view).values()]
