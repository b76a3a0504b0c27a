/** The order of the files: those that take longest first, so that none of them runs alone at the end. */
import { existsSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take about five seconds or more in either run, longest first. A machine that has run them before knows the times of all the others. */
const long = [
  "apps/gateway/test/StatedLimits.test.ts",
  "apps/cli/test/ownPacks.test.ts",
  "packages/mcp/test/conformance/conformance.test.ts",
  "apps/cli/test/crash/storm/builtProgram.test.ts",
  "packages/memory/test/Faults.test.ts",
  "packages/pack-git/test/Hostile.test.ts",
  "packages/memory/test/Phases.test.ts",
  "packages/runtime/test/approval/TwoMains.test.ts",
  "apps/cli/test/crash/crash.test.ts",
  "apps/gateway/test/page/PageApprovals.test.ts",
  "packages/runtime/test/approval/ApprovalMachine.test.ts",
  "apps/cli/test/conformance.test.ts",
  "packages/sandbox/test/WaysOut.test.ts",
  "packages/memory/test/TransformersModel.test.ts",
  "apps/cli/test/embeddingModel.test.ts",
  "packages/host/test/injection/Injection.test.ts",
  "packages/pack-git/test/OpenPullRequest.test.ts",
  "apps/gateway/test/page/PageStart.test.ts",
  "packages/sdk/test/CachedResults.test.ts",
  "packages/memory/test/Memory.test.ts",
  "apps/cli/test/crash/storm/storm.test.ts",
  "packages/sandbox/test/GitRepository.test.ts",
  "packages/pack-git/test/GitPack.test.ts",
  "packages/pack-git/test/OddRepositories.test.ts",
  "apps/cli/test/modelOfTheHub.test.ts",
  "apps/cli/test/crash/undo.test.ts",
  "packages/host/test/injection/Variants.test.ts",
  "apps/gateway/test/page/PageScreens.test.ts",
  "packages/memory/test/WithoutLanceDb.test.ts",
  "apps/cli/test/undecided/undecided.test.ts",
  "apps/cli/test/memory.test.ts",
  "packages/memory/test/Disks.test.ts",
  "packages/memory/test/NoteIndex.test.ts",
  "apps/gateway/test/Restart.test.ts",
  "apps/cli/test/converse.test.ts",
  "packages/snapshots/test/Killed.test.ts",
  "packages/store-sqlite/test/ControlGroups.test.ts",
  "apps/cli/test/ui/tui/calling.test.ts",
  "packages/models/test/Loop.test.ts",
  "packages/tool/test/conformance/packSpec.test.ts",
  "apps/gateway/test/page/PageLongSessions.test.ts",
  "apps/gateway/test/page/PageSessions.test.ts",
  "apps/cli/test/bundle.test.ts",
  "apps/cli/test/io/SmallHeap.test.ts",
  "apps/gateway/test/page/PageSignIn.test.ts",
  "packages/sandbox/test/Replaced.test.ts",
  "apps/cli/test/failures.test.ts",
  "packages/tool-compiler/test/plugin.test.ts",
  "packages/sandbox/test/BackgroundCommands.test.ts",
  "apps/cli/test/signals.test.ts",
  "apps/cli/test/crash/lostLease.test.ts",
  "packages/pack-git/test/RealGh.test.ts",
  "apps/cli/test/ui/tui/terminal.test.ts",
  "apps/cli/test/compiledScript.test.ts",
  "packages/host/test/jobs/OrdinaryJobs.test.ts",
  "packages/vault/test/Vault.test.ts",
  "packages/sandbox/test/Lifetime.test.ts",
  "apps/cli/test/ui/tui/golden.test.ts",
  "packages/mcp/test/client/Hostile.test.ts",
  "packages/memory/test/Durable.test.ts",
  "apps/cli/test/recording/recording.test.ts",
  "packages/pack-git/test/Pinned.test.ts",
  "packages/sandbox/test/SessionShell.test.ts",
  "apps/gateway/test/page/PageManagement.test.ts",
  "apps/gateway/test/events/SlowReader.test.ts",
  "packages/store-sqlite/test/PowerCut.test.ts",
  "packages/memory/test/VectorTable.test.ts",
  "packages/memory/test/NaturalNotes.test.ts",
  "examples/deploy/test/deploy.test.ts",
  "apps/gateway/test/Webhooks.test.ts",
  "packages/store-sqlite/test/Lease.test.ts",
  "apps/cli/test/accountLogin.test.ts",
  "packages/store-sqlite/test/NoteStoreSql.test.ts",
  "packages/host/test/mcp/SessionServers.test.ts",
  "packages/runtime/test/tree/TreeRecovery.test.ts",
  "packages/sandbox/test/Standby.test.ts",
  "apps/cli/test/hostile.test.ts",
  "apps/cli/test/run.test.ts",
  "packages/sandbox/test/Limits.test.ts",
  "packages/store-sqlite/test/Processes.test.ts",
  "packages/pack-git/test/CheckedOut.test.ts",
  "packages/models/test/Contract.test.ts",
  "apps/cli/test/answering.test.ts",
  "apps/gateway/test/events/UnreadStreams.test.ts",
  "test/tokens.test.ts",
  "apps/cli/test/approvals.test.ts",
  "packages/host/test/login/ProviderLogin.test.ts",
  "apps/cli/test/ui/tui/conversation.test.ts",
  "apps/cli/test/undo.test.ts",
  "apps/cli/test/mcp.test.ts",
  "packages/memory/test/OpenIndex.test.ts",
  "packages/policy/test/Policy.test.ts",
  "packages/sandbox/test/HeldBack.test.ts",
  "packages/mcp/test/client/Sampling.test.ts",
  "packages/runtime/test/tree/RandomTrees.test.ts",
  "apps/gateway/test/page/Reference.test.ts",
  "packages/pack-code/test/CodePack.test.ts",
  "apps/cli/test/doctor.test.ts",
  "packages/sandbox/test/Sandbox.test.ts",
  "apps/gateway/test/api/Document.test.ts",
  "apps/cli/test/tasks.test.ts",
  "packages/sandbox/test/Refusal.test.ts",
  "packages/network/test/Limits.test.ts",
  "apps/cli/test/web.test.ts",
  "packages/sandbox/test/Output.test.ts"
]

for (const file of long) {
  if (!existsSync(new URL(`../${file}`, import.meta.url))) throw new Error(`${import.meta.filename}: no ${file}`)
}

/** The files of one project stay together: a worker that has loaded another project's files is of no use to them. */
const rank = ({ moduleId, project }: TestSpecification): number => {
  const index = long.findIndex((file) => moduleId.endsWith(file))
  return (project.name === "native" ? 0 : long.length + 1) + (index === -1 ? long.length : index)
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the base class's own, which leaves its argument as it is
    const ordered = await super.sort(files)
    return ordered.toSorted((left, right) => rank(left) - rank(right))
  }
}
