/**
 * Memory of a process, as Linux counts it. Pss divides a page by the number of processes that map it, so the pages of
 * Node's program would count less if more Node processes ran. Here a shared page always counts half, as if only the
 * measuring process shared it.
 */
import { readFileSync } from "node:fs"

export interface Memory {
  readonly pssMegabytes: number
  /** The memory with every page counted in full: the maximum, if the process is alone on a machine. */
  readonly rssMegabytes: number
}

/** Returns the memory; null: the process has ended, or the system does not report it. */
export const read = (pid: number): Memory | null => {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
    const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1000
    const alone = megabytes("Private_Clean") + megabytes("Private_Dirty")
    const shared = megabytes("Shared_Clean") + megabytes("Shared_Dirty")
    return { pssMegabytes: alone + shared / 2, rssMegabytes: megabytes("Rss") }
  } catch {
    return null
  }
}

/** Returns the larger value of each count. */
export const max = (a: Memory | null, b: Memory | null): Memory | null =>
  a === null || b === null
    ? (a ?? b)
    : {
        pssMegabytes: Math.max(a.pssMegabytes, b.pssMegabytes),
        rssMegabytes: Math.max(a.rssMegabytes, b.rssMegabytes)
      }
