/** `git_branch`: creates a branch. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Outputs from "./internal/outputs.ts"
import * as Pinned from "./internal/Pinned.ts"

export const GitBranch = Tool.make("git_branch", {
  version: 1,
  description: "Make a branch; git_switch checks it out",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.RepositoryRead, Capability.RepositoryWrite],
  parameters: Schema.Struct({ name: Schema.NonEmptyString, from: Schema.optionalKey(Fields.revision) }),
  output: Schema.Struct({ name: Schema.String, commit: Schema.String }),
  forModel: ({ commit, name }) => `Made ${name} at ${Outputs.short(commit)}`,
  classify: Effect.fnUntraced(function* ({ from = "HEAD", name }) {
    const repository = yield* Capability.RepositoryRead
    // The handler reports a missing commit.
    const start = yield* Effect.orElseSucceed(repository.commit(from), () => null)
    return { tier: "Workspace", facts: [Pinned.fact(keyOf(name), start?.id ?? null)] }
  }),
  preview: Effect.fnUntraced(function* ({ from = "HEAD", name }) {
    const repository = yield* Capability.RepositoryRead
    const start = yield* repository.commit(from)
    return { render: `make the branch ${name} at ${Outputs.commitLine(start)}\n`, preconditions: [] }
  }),
  findExisting: Effect.fnUntraced(function* ({ from = "HEAD", name }) {
    const repository = yield* Capability.RepositoryRead
    const commit = yield* Effect.option(repository.commit(`refs/heads/${name}`))
    const start = yield* Effect.option(repository.commit(from))
    const isDone = commit._tag === "Some" && start._tag === "Some" && commit.value.id === start.value.id
    return isDone ? result(name, commit.value.id) : null
  }),
  execute: Effect.fnUntraced(function* ({ from = null, name }) {
    const repository = yield* Capability.RepositoryWrite
    const { commit } = yield* repository.createBranch({ name, from: (yield* Pinned.idOf(keyOf(name))) ?? from })
    return result(name, commit)
  })
})

const keyOf = (name: string): string => `start of the branch ${name}`

const result = (name: string, commit: string) =>
  Tool.result({ output: { name, commit }, display: `Made the branch ${name} at ${Outputs.short(commit)}` })
