/** The order of the files: those that take longest first, so that none of them runs alone at the end. */
import { existsSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take about five seconds or more in either run, longest first. A machine that has run them before knows the times of all the others. */
const long = [
  "packages/host/test/injection/Leaks.test.ts",
  "packages/sandbox/test/WaysOut.test.ts",
  "packages/pack-git/test/OddRepositories.test.ts",
  "packages/pack-git/test/Hostile.test.ts",
  "apps/gateway/test/StatedLimits.test.ts",
  "apps/cli/test/conformance.test.ts",
  "packages/host/test/injection/Injection.test.ts",
  "packages/memory/test/Faults.test.ts",
  "apps/gateway/test/page/PageApprovals.test.ts",
  "packages/pack-git/test/OpenPullRequest.test.ts",
  "apps/gateway/test/page/PageStart.test.ts",
  "packages/mcp/test/conformance/conformance.test.ts",
  "packages/sandbox/test/GitRepository.test.ts",
  "apps/cli/test/ownPacks.test.ts",
  "apps/cli/test/crash/crash.test.ts",
  "apps/cli/test/crash/storm/builtProgram.test.ts",
  "packages/memory/test/Phases.test.ts",
  "apps/gateway/test/page/PageSessions.test.ts",
  "packages/host/test/injection/Exfiltration.test.ts",
  "packages/pack-git/test/GitPack.test.ts",
  "apps/cli/test/undecided/undecided.test.ts",
  "packages/runtime/test/approval/ApprovalMachine.test.ts",
  "packages/sandbox/test/Limits.test.ts",
  "apps/gateway/test/page/PageScreens.test.ts",
  "apps/gateway/test/page/PageSignIn.test.ts",
  "apps/gateway/test/Restart.test.ts",
  "apps/cli/test/converse.test.ts",
  "packages/sandbox/test/Output.test.ts",
  "packages/store-sqlite/test/Lease.test.ts",
  "packages/sandbox/test/CommandVariants.test.ts",
  "packages/snapshots/test/Killed.test.ts",
  "packages/sandbox/test/SessionShell.test.ts",
  "packages/sdk/test/CachedResults.test.ts",
  "apps/gateway/test/page/PageManagement.test.ts",
  "apps/cli/test/io/SmallHeap.test.ts",
  "apps/gateway/test/events/SlowReader.test.ts",
  "packages/pack-git/test/GitStash.test.ts",
  "apps/cli/test/doctor.test.ts",
  "packages/host/test/mcp/SessionServers.test.ts",
  "packages/sandbox/test/Roots.test.ts",
  "apps/cli/test/ui/tui/rows.test.ts",
  "apps/gateway/test/page/PageLongSessions.test.ts",
  "packages/host/test/jobs/OrdinaryJobs.test.ts",
  "packages/sandbox/test/HeldBack.test.ts",
  "packages/sandbox/test/proxy/Proxy.test.ts",
  "packages/store-sqlite/test/LargeJournal.test.ts",
  "packages/sandbox/test/GitHistory.test.ts",
  "packages/host/test/injection/Variants.test.ts",
  "packages/runtime/test/approval/TwoMains.test.ts",
  "packages/pack-git/test/Pinned.test.ts",
  "packages/sandbox/test/Ports.test.ts",
  "packages/sandbox/test/Confinement.test.ts",
  "packages/pack-git/test/RealGh.test.ts",
  "apps/cli/test/ui/tui/terminal.test.ts",
  "packages/tool/test/conformance/packSpec.test.ts",
  "packages/sandbox/test/Standby.test.ts",
  "packages/sandbox/test/Sandbox.test.ts",
  "apps/cli/test/approvals.test.ts",
  "apps/cli/test/hooks.test.ts",
  "packages/sandbox/test/Lifetime.test.ts",
  "apps/cli/test/recording/recording.test.ts",
  "test/language.test.ts",
  "apps/gateway/test/Webhooks.test.ts",
  "apps/cli/test/ui/tui/conversation.test.ts",
  "packages/sandbox/test/proxy/PackageManagers.test.ts",
  "packages/store-sqlite/test/ControlGroups.test.ts",
  "examples/deploy/test/deploy.test.ts",
  "packages/sandbox/test/BackgroundCommands.test.ts",
  "apps/cli/test/answering.test.ts",
  "apps/gateway/test/page/Reference.test.ts",
  "apps/cli/test/ui/tui/background.test.ts",
  "packages/snapshots/test/RandomHistory.test.ts",
  "apps/cli/test/crash/storm/storm.test.ts",
  "packages/store-sqlite/test/NoteStoreSql.test.ts",
  "apps/cli/test/tasks.test.ts",
  "packages/models/test/Loop.test.ts",
  "packages/vault/test/Vault.test.ts",
  "apps/cli/test/crash/longSession.test.ts",
  "apps/gateway/test/page/ForeignPage.test.ts",
  "apps/gateway/test/api/Document.test.ts",
  "apps/cli/test/crash/lostLease.test.ts",
  "apps/cli/test/accountLogin.test.ts",
  "packages/runtime/test/tree/RandomTrees.test.ts",
  "apps/cli/test/crash/undo.test.ts",
  "packages/memory/test/Memory.test.ts",
  "packages/sandbox/test/Replaced.test.ts",
  "apps/cli/test/hostile.test.ts",
  "packages/store-sqlite/test/PowerCut.test.ts",
  "apps/cli/test/ui/tui/calling.test.ts",
  "apps/cli/test/mcp.test.ts",
  "apps/cli/test/ui/tui/golden.test.ts",
  "packages/runtime/test/tree/TreeRecovery.test.ts",
  "apps/cli/test/signals.test.ts",
  "packages/memory/test/Disks.test.ts",
  "apps/cli/test/bundle.test.ts",
  "apps/cli/test/failures.test.ts",
  "apps/cli/test/run.test.ts",
  "apps/cli/test/embeddingModel.test.ts",
  "test/tokens.test.ts",
  "packages/pack-git/test/CheckedOut.test.ts",
  "packages/store-sqlite/test/Processes.test.ts",
  "packages/sandbox/test/Refusal.test.ts"
]

for (const file of long) {
  if (!existsSync(new URL(`../${file}`, import.meta.url))) throw new Error(`${import.meta.filename}: no ${file}`)
}

/** The files of one project stay together: a worker that has loaded another project's files is of no use to them. */
const projects = ["native", "processes", "all", "cli"]

const rank = ({ moduleId, project }: TestSpecification): number => {
  const index = long.findIndex((file) => moduleId.endsWith(file))
  return projects.indexOf(project.name) * (long.length + 1) + (index === -1 ? long.length : index)
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the base class's own, which leaves its argument as it is
    const ordered = await super.sort(files)
    return ordered.toSorted((left, right) => rank(left) - rank(right))
  }
}
