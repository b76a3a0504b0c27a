/** Finds processes that still have a deleted store of this path open, so that their writes are lost. */
import * as Effect from "effect/Effect"
import { readdirSync, readlinkSync, statSync } from "node:fs"

const orNull = <A>(body: () => A): A | null => Effect.runSync(Effect.orElseSucceed(Effect.try(body), () => null))

const fileOf = (path: string): string | null =>
  orNull(() => {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  })

/**
 * True if the process has another store of this path open than the current one. The kernel marks the name of a deleted
 * file; a moved file has its new name, but its log remains at the old path.
 */
const holdsOther = (pid: string, path: string, current: string | null): boolean => {
  const folder = `/proc/${pid}/fd`
  const files = (orNull(() => readdirSync(folder)) ?? []).map((name) => {
    const at = `${folder}/${name}`
    return { at, link: orNull(() => readlinkSync(at)) }
  })
  const has = (wanted: string): boolean => files.some(({ link }) => link === wanted)
  if (has(`${path} (deleted)`) || has(`${path}-wal (deleted)`)) return true
  return has(`${path}-wal`) && !files.some(({ at, link }) => link === path && fileOf(at) === current)
}

/** Describes each such process. Only Linux reports processes, and only those of the same user. */
export const problems = (path: string): ReadonlyArray<string> => {
  if (process.platform !== "linux") return []
  const current = fileOf(path)
  return (orNull(() => readdirSync("/proc")) ?? [])
    .filter((pid) => /^\d+$/.test(pid) && holdsOther(pid, path, current))
    .map(
      (pid) =>
        `process ${pid} has a session store open that was deleted or replaced: end it, because its writes are lost`
    )
}
