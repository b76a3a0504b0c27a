/**
 * What a process holds in memory, as Linux counts it. Pss shares a page among all who map it: with this very Node
 * running beside it, the pages of Node's own program count half. Rss counts them whole: the most that it holds alone.
 */
import { readFileSync } from "node:fs"

export interface Memory {
  readonly pssMegabytes: number
  readonly rssMegabytes: number
}

/** Null: the process is gone, or the system has no such count. */
export const read = (pid: number): Memory | null => {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
    const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1000
    return { pssMegabytes: megabytes("Pss"), rssMegabytes: megabytes("Rss") }
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
