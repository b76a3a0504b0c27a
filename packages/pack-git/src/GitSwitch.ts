/** `git_switch`: checks out a branch. Uncommitted changes are never overwritten. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FileTier from "./internal/fileTier.ts"
import * as Outputs from "./internal/outputs.ts"
import * as Pinned from "./internal/Pinned.ts"

export const GitSwitch = Tool.make("git_switch", {
  version: 1,
  description: "Check out a branch; fails if it would overwrite uncommitted changes",
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
    const facts = [Pinned.fact(keyOf(branch), target?.id ?? null)]
    if (commit === null || target === null || commit === target.id) return { tier: "Workspace", facts }
    const { files, hidden } = yield* changesBetween(commit, target.id)
    const named = [...files.map(({ path }) => path), ...hidden]
    return { ...(yield* FileTier.classifyFiles(named, ["instructions", "configuration"])), facts }
  }),
  preview: Effect.fnUntraced(function* ({ branch }) {
    const repository = yield* Capability.RepositoryRead
    const { commit } = yield* repository.status(1)
    const target = yield* repository.commit(`refs/heads/${branch}`)
    const changes = commit === null || commit === target.id ? null : yield* changesBetween(commit, target.id)
    const lines = [
      `switch to ${branch} at ${Outputs.commitLine(target)}`,
      ...(changes === null ? [] : ["", ...changes.files.map(Outputs.fileLine), ...changes.hidden.map(Outputs.pathText)])
    ]
    return { render: `${lines.join("\n")}\n`, preconditions: [] }
  }),
  findExisting: Effect.fnUntraced(function* ({ branch }) {
    const repository = yield* Capability.RepositoryRead
    const status = yield* repository.status(1)
    return status.branch === branch && status.commit !== null ? result(branch, status.commit, []) : null
  }),
  execute: Effect.fnUntraced(function* ({ branch }) {
    const repository = yield* Capability.RepositoryWrite
    const switched = yield* repository.switchTo({ branch, at: yield* Pinned.idOf(keyOf(branch)) })
    return result(branch, switched.commit, switched.files)
  })
})

const keyOf = (branch: string): string => `branch ${branch}`

const changesBetween = (from: string, to: string) =>
  Effect.flatMap(Capability.RepositoryRead, (repository) =>
    repository.diff({ sides: { _tag: "between", from, to }, paths: [], contextLines: 0, maxBytes: 1 })
  )

const result = (branch: string, commit: string, files: ReadonlyArray<string>) =>
  Tool.result({
    output: { branch, commit, files },
    display: `Switched to ${branch}: ${Outputs.countOf(files.length, "file")} changed`
  })
