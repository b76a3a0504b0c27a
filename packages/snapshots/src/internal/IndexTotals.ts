/** The number and size of the files in a workspace index, against the limits of a snapshot. */
import type { StepCount } from "@bough/disk/IgnoreRules"
import type { Snapshots } from "@bough/tool"
import * as Failures from "./Failures.ts"
import type { Limits } from "./Limits.ts"
import type * as Nodes from "./Nodes.ts"

export interface Size {
  readonly entries: number
  readonly bytes: number
}

export interface IndexTotals {
  /** Adds the size of an entry of the directory; a negative size subtracts it. */
  readonly add: (node: Nodes.DirectoryNode, size: Size) => void
  /** Adds the size of a file that was found in the directory but not read yet. */
  readonly addUnread: (node: Nodes.DirectoryNode, bytes: number) => void
  readonly clearUnread: () => void
  /** Adds the size of rules of .gitignore; a negative size subtracts it. */
  readonly addRules: (bytes: number) => void
  /** The steps of comparisons with these rules in this update. */
  readonly ruleCount: StepCount
  /** Returns true if an ignored directory is too large to be part of a snapshot. */
  readonly isTooLarge: (ignored: Nodes.IgnoredRoot) => boolean
  /** Returns the failure of a snapshot of too many or too large files that git does not ignore; null: they fit. */
  readonly excess: () => Snapshots.SnapshotFailed | null
}

export const make = (limits: Limits): IndexTotals => {
  let entries = 0
  let bytes = 0
  let unreadBytes = 0
  let ruleBytes = 0
  const ruleCount: StepCount = { steps: 0 }
  return {
    ruleCount,
    addRules: (more) => {
      ruleBytes += more
    },
    add: (node, size) => {
      entries += size.entries
      bytes += size.bytes
      if (node.ignored === null) return
      node.ignored.entries += size.entries
      node.ignored.bytes += size.bytes
    },
    addUnread: (node, more) => {
      if (node.ignored === null) unreadBytes += more
      else node.ignored.unreadBytes += more
    },
    clearUnread: () => {
      unreadBytes = 0
    },
    isTooLarge: (ignored) =>
      ignored.entries > limits.maxIgnoredEntries || ignored.bytes + ignored.unreadBytes > limits.maxIgnoredBytes,
    excess: () => {
      if (entries > limits.maxEntries)
        return Failures.tooLarge(`the workspace has more than ${limits.maxEntries} files and directories`)
      if (bytes + unreadBytes > limits.maxBytes)
        return Failures.tooLarge(`the workspace has more than ${Math.round(limits.maxBytes / 1024 ** 2)} MiB`)
      if (ruleBytes > limits.maxRuleBytes)
        return Failures.tooLarge(
          `the .gitignore files of the workspace have more than ${Math.round(limits.maxRuleBytes / 1024 ** 2)} MiB`
        )
      if (ruleCount.steps > limits.maxRuleSteps)
        return Failures.tooLarge("the .gitignore files of the workspace take too long to compare with its names")
      return null
    }
  }
}
