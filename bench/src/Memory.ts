/**
 * Memory of a process, as Linux counts it. Pss divides a page by the processes that map it, so that the pages of Node's
 * own program would count for less if more of it runs elsewhere. Here a shared page counts half, whatever the number of
 * processes that map it: as if the measuring process were the only other one.
 */
import { readFileSync } from "node:fs"

export interface Memory {
  readonly pssMegabytes: number
  /** Every page in full: the maximum if it runs alone on a machine. */
  readonly rssMegabytes: number
}

/** Null: the process has ended, or the system has no such count. */
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

/** The larger of each. */
export const max = (a: Memory | null, b: Memory | null): Memory | null =>
  a === null || b === null
    ? (a ?? b)
    : {
        pssMegabytes: Math.max(a.pssMegabytes, b.pssMegabytes),
        rssMegabytes: Math.max(a.rssMegabytes, b.rssMegabytes)
      }
