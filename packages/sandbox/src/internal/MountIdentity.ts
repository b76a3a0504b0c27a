/**
 * Identifies the files and directories that a sandbox mounts. If one was replaced after the sandbox was made, the mount
 * shows the old one.
 */
import { lstatSync } from "node:fs"
import type * as Bubblewrap from "../Bubblewrap.ts"

/** Returns a line for each of them; two sandboxes with equal lines and arguments show the same. */
export const identitiesIn = ({
  absent,
  emptied,
  hidden,
  mounts,
  pinned,
  replaced,
  roots
}: Bubblewrap.View): ReadonlyArray<string> =>
  [
    ...[...roots, ...mounts].map(({ path, source = path }) => source),
    ...absent,
    ...emptied,
    ...hidden,
    ...pinned,
    ...replaced
  ].map((path) => {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? "" : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`
  })
