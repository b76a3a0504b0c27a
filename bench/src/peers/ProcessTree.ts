/** The memory of a process and all that it has started, on Linux. */
import { readFileSync } from "node:fs"

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    // The process has ended.
    return ""
  }
}

const childrenOf = (pid: number): ReadonlyArray<number> =>
  contentOf(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number)

/**
 * Returns the sum of the tree's proportional set sizes in megabytes; 0: the process has ended, or the system does not
 * report the sizes.
 */
export const megabytesOf = (pid: number): number => {
  const kilobytes = Number(/^Pss:\s+(\d+) kB/m.exec(contentOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  return childrenOf(pid).reduce((sum, child) => sum + megabytesOf(child), kilobytes / 1000)
}
