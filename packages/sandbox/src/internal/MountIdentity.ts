/**
 * The identity of the entries that mounts of a sandbox stand on. An entry that was replaced after the sandbox was made has
 * taken its mount away.
 */
import { lstatSync } from "node:fs"
import type * as Bubblewrap from "../Bubblewrap.ts"

/** Returns a line for each entry; two sandboxes with the same lines and arguments show the same. */
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
