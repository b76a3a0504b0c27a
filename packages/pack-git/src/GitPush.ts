/** `git_push`: sends a branch to a remote, after a user has seen what would be sent. */
import { Canonical, type ToolError } from "@bough/protocol"
import { Capability, type RepositoryRead, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Outputs from "./internal/outputs.ts"
import * as Pinned from "./internal/Pinned.ts"

const limit = 50
const timeoutMillis = 120_000

export const GitPush = Tool.make("git_push", {
  version: 1,
  description: "Push a branch to its remote",
  tier: "Elevated",
  replay: "Idempotent",
  timeoutMillis,
  capabilities: [Capability.RepositoryRead, Capability.RepositoryPush],
  parameters: Schema.Struct({
    remote: Schema.optionalKey(Schema.NonEmptyString),
    branch: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Default: the one checked out" })),
    replace: Fields.flag("Replace commits of the remote branch that are not in this one")
  }),
  output: Schema.Struct({
    remote: Schema.String,
    url: Schema.String,
    branch: Schema.String,
    commit: Schema.String,
    answer: Schema.String
  }),
  forModel: ({ answer, branch, commit, remote }) =>
    [`Pushed ${branch} to ${remote} at ${Outputs.short(commit)}`, ...(answer === "" ? [] : [answer])].join("\n"),
  preview: (parameters) =>
    Effect.map(outgoingOf(parameters), (outgoing) => ({
      render: render(outgoing, parameters.replace),
      preconditions: [factOf(outgoing)]
    })),
  execute: Effect.fnUntraced(function* (parameters) {
    const outgoing = yield* outgoingOf(parameters)
    yield* Pinned.check(factOf(outgoing))
    const { branch, from, remote, to } = outgoing
    const repository = yield* Capability.RepositoryPush
    const { answer, url } = yield* repository.push({
      remote,
      branch,
      commit: to,
      replaces: parameters.replace ? from : null
    })
    return Tool.result({
      output: { remote, url, branch, commit: to, answer },
      display: `Pushed ${branch} to ${remote}`
    })
  })
})

const factOf = ({ branch, from, remote, to, url }: RepositoryRead.OutgoingChanges): Tool.Fact => ({
  key: `push ${remote} ${branch}`,
  digest: Canonical.digestOf([url, from, to])
})

interface NamedBranch {
  readonly remote?: string
  readonly branch?: string
}

const outgoingOf = ({
  branch,
  remote
}: NamedBranch): Effect.Effect<RepositoryRead.OutgoingChanges, ToolError.ToolError, RepositoryRead.RepositoryRead> =>
  Effect.flatMap(Capability.RepositoryRead, (repository) =>
    repository.outgoing({ remote: remote ?? null, branch: branch ?? null, limit })
  )

const render = (outgoing: RepositoryRead.OutgoingChanges, replaces: boolean): string => {
  const { branch, commits, diverged, files, from, remote, to, truncated, url } = outgoing
  const moved = from === null ? `new, at ${Outputs.short(to)}` : `${Outputs.short(from)} → ${Outputs.short(to)}`
  const lines = [
    `push ${branch} to ${remote}, ${url}`,
    moved,
    ...(diverged
      ? [replaces ? "commits there that are not here are lost" : "it has commits that are not here: it will refuse"]
      : []),
    "",
    ...(commits.length === 0 ? ["nothing new"] : commits.map(Outputs.commitLine)),
    ...(truncated ? ["and more commits"] : []),
    "",
    ...files.map(Outputs.fileLine)
  ]
  return `${lines.join("\n")}\n`
}
