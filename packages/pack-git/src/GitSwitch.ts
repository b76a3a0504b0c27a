/** `git_switch`: checks out a branch. Uncommitted changes are never overwritten. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Outputs from "./internal/outputs.ts"
import * as Raise from "./internal/Raise.ts"

export const GitSwitch = Tool.make("git_switch", {
  version: 1,
  description: "Check out a branch; fails where it would overwrite what is not committed",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceRead, Capability.RepositoryRead, Capability.RepositoryWrite],
  parameters: Schema.Struct({ branch: Schema.NonEmptyString }),
  output: Schema.Struct({ branch: Schema.String, commit: Schema.String, files: Schema.Array(Schema.String) }),
  forModel: ({ branch, commit, files }) =>
    `On ${branch} at ${Outputs.short(commit)}; ${Outputs.countOf(files.length, "file")} changed`,
  classify: Effect.fnUntraced(function* ({ branch }) {
    const repository = yield* Capability.RepositoryRead
    const { commit } = yield* repository.status(1)
    // The handler reports a missing branch.
    const target = yield* Effect.orElseSucceed(repository.commit(`refs/heads/${branch}`), () => null)
    if (commit === null || target === null || commit === target.id) return { tier: "Workspace" }
    const { files, hidden } = yield* repository.diff({
      sides: { _tag: "between", from: commit, to: target.id },
      paths: [],
      contextLines: 0,
      maxBytes: 1
    })
    return yield* Raise.forFiles([...files.map(({ path }) => path), ...hidden], ["instructions", "configuration"])
  }),
  findExisting: Effect.fnUntraced(function* ({ branch }) {
    const repository = yield* Capability.RepositoryRead
    const status = yield* repository.status(1)
    return status.branch === branch && status.commit !== null ? result(branch, status.commit, []) : null
  }),
  execute: Effect.fnUntraced(function* ({ branch }) {
    const repository = yield* Capability.RepositoryWrite
    const switched = yield* repository.switchTo(branch)
    return result(branch, switched.commit, switched.files)
  })
})

const result = (branch: string, commit: string, files: ReadonlyArray<string>) =>
  Tool.result({
    output: { branch, commit, files },
    display: `Switched to ${branch}: ${Outputs.countOf(files.length, "file")} changed`
  })
