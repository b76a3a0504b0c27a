/** The order of the files: those that take longest first, so that none of them runs alone at the end. */
import { existsSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Ten seconds and more, longest first. A machine that has run them before knows the times of all the others. */
const long = [
  "apps/gateway/test/Restart.test.ts",
  "apps/cli/test/crash/crash.test.ts",
  "apps/cli/test/crash/storm/storm.test.ts",
  "packages/memory/test/Faults.test.ts",
  "packages/pack-git/test/Hostile.test.ts",
  "apps/cli/test/converse.test.ts",
  "apps/cli/test/ui/tui/conversation.test.ts",
  "packages/memory/test/Phases.test.ts",
  "packages/sandbox/test/Lifetime.test.ts",
  "apps/cli/test/approvals.test.ts",
  "apps/cli/test/undecided/undecided.test.ts",
  "apps/cli/test/modelOfTheHub.test.ts",
  "packages/runtime/test/approval/ApprovalMachine.test.ts",
  "packages/models/test/Contract.test.ts",
  "apps/cli/test/failures.test.ts",
  "apps/cli/test/crash/tree/crashPoints.test.ts",
  "packages/host/test/injection/Injection.test.ts",
  "packages/host/test/jobs/OrdinaryJobs.test.ts",
  "packages/memory/test/Memory.test.ts",
  "apps/cli/test/undo.test.ts",
  "apps/cli/test/crash/undo.test.ts",
  "packages/snapshots/test/Killed.test.ts",
  "apps/gateway/test/page/Page.test.ts",
  "packages/snapshots/test/EveryTurn.test.ts"
]

for (const file of long) {
  if (!existsSync(new URL(`../${file}`, import.meta.url))) throw new Error(`${import.meta.filename}: no ${file}`)
}

const rank = ({ moduleId }: TestSpecification): number => {
  const index = long.findIndex((file) => moduleId.endsWith(file))
  return index === -1 ? long.length : index
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the base class's own, which leaves its argument as it is
    const ordered = await super.sort(files)
    return ordered.toSorted((left, right) => rank(left) - rank(right))
  }
}
