/** The order of the files: those that take longest first, so that none of them runs alone at the end. */
import { existsSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take about five seconds or more, longest first. A machine that has run them before knows the times of all the others. */
const long = [
  "apps/cli/test/ownPacks.test.ts",
  "apps/gateway/test/page/PageApprovals.test.ts",
  "apps/cli/test/crash/storm/builtProgram.test.ts",
  "packages/mcp/test/conformance/conformance.test.ts",
  "packages/host/test/injection/Variants.test.ts",
  "packages/pack-git/test/Hostile.test.ts",
  "packages/memory/test/Faults.test.ts",
  "apps/cli/test/converse.test.ts",
  "apps/cli/test/approvals.test.ts",
  "packages/sandbox/test/Output.test.ts",
  "apps/gateway/test/page/PageScreens.test.ts",
  "packages/sandbox/test/WaysOut.test.ts",
  "apps/cli/test/firstRun.test.ts",
  "apps/cli/test/crash/crash.test.ts",
  "apps/cli/test/bundle.test.ts",
  "apps/gateway/test/page/PageSignIn.test.ts",
  "apps/cli/test/ui/tui/terminal.test.ts",
  "packages/sandbox/test/GitRepository.test.ts",
  "packages/sandbox/test/Lifetime.test.ts",
  "packages/runtime/test/approval/ApprovalMachine.test.ts",
  "packages/vault/test/Vault.test.ts",
  "apps/cli/test/modelOfTheHub.test.ts",
  "apps/cli/test/mcp.test.ts",
  "packages/language-servers/test/RealServers.test.ts",
  "apps/cli/test/ui/tui/golden.test.ts",
  "packages/mcp/test/client/Servers.test.ts",
  "packages/host/test/injection/Injection.test.ts",
  "packages/host/test/injection/Leaks.test.ts",
  "apps/cli/test/doctor.test.ts",
  "packages/host/test/injection/FolderTrust.test.ts",
  "packages/host/test/jobs/OrdinaryJobs.test.ts",
  "apps/cli/test/undecided/undecided.test.ts",
  "apps/gateway/test/api/Document.test.ts",
  "apps/cli/test/memory.test.ts",
  "packages/create-bough-pack/test/createPack.test.ts",
  "packages/memory/test/Memory.test.ts",
  "packages/sandbox/test/proxy/Proxy.test.ts",
  "apps/gateway/test/events/SlowReader.test.ts",
  "packages/store-sqlite/test/NoteStoreSql.test.ts",
  "apps/cli/test/undo.test.ts",
  "examples/deploy/test/deploy.test.ts",
  "packages/sandbox/test/HeldBack.test.ts",
  "apps/cli/test/crash/lostLease.test.ts",
  "apps/cli/test/signals.test.ts",
  "apps/cli/test/ui/tui/calling.test.ts",
  "packages/tool/test/contract-types.test.ts",
  "apps/cli/test/remembering.test.ts",
  "apps/cli/test/tasks.test.ts",
  "apps/cli/test/resume.test.ts",
  "packages/network/test/Limits.test.ts",
  "apps/cli/test/recording/recording.test.ts",
  "apps/gateway/test/Webhooks.test.ts",
  "apps/gateway/test/page/PageSessions.test.ts",
  "apps/cli/test/crash/undo.test.ts",
  "apps/cli/test/failures.test.ts",
  "packages/sdk/test/Withheld.test.ts",
  "apps/cli/test/ui/tui/conversation.test.ts",
  "apps/cli/test/answering.test.ts",
  "packages/store-sqlite/test/PowerCut.test.ts",
  "apps/cli/test/conformance.test.ts",
  "packages/host/test/mcp/SessionServers.test.ts",
  "apps/gateway/test/Restart.test.ts",
  "packages/sdk/test/CachedResults.test.ts",
  "packages/pack-git/test/GitPack.test.ts",
  "packages/models/test/Loop.test.ts",
  "packages/store-sqlite/test/LargeJournal.test.ts",
  "apps/cli/test/embeddingModel.test.ts",
  "packages/bridges/test/crossings.test.ts",
  "apps/gateway/test/Signals.test.ts",
  "packages/memory/test/TransformersModel.test.ts",
  "apps/cli/test/crash/storm/storm.test.ts",
  "packages/memory/test/Phases.test.ts",
  "test/coding.test.ts",
  "packages/pack-code/test/CodePack.test.ts",
  "apps/cli/test/serverTexts.test.ts",
  "packages/tool-compiler/test/plugin.test.ts",
  "apps/cli/test/hostile.test.ts",
  "packages/snapshots/test/Killed.test.ts",
  "packages/memory/test/Disks.test.ts",
  "packages/sandbox/test/Refusal.test.ts",
  "apps/cli/test/reflection.test.ts"
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
