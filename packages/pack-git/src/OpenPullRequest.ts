/** `open_pull_request`: asks the host to merge a branch, after a user has seen what the request would contain. */
import { Canonical, ToolError } from "@bough/protocol"
import { Capability, type RepositoryRead, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Buffer } from "node:buffer"
import * as Fields from "./internal/fields.ts"
import * as Outputs from "./internal/outputs.ts"
import * as Pinned from "./internal/Pinned.ts"

const limit = 50
const timeoutMillis = 120_000

export const OpenPullRequest = Tool.make("open_pull_request", {
  version: 1,
  description: "Push a branch and open a pull request (GitLab: merge request) for it",
  tier: "Elevated",
  replay: "Unsafe",
  timeoutMillis,
  capabilities: [Capability.RepositoryRead, Capability.RepositoryPush],
  requires: ["RepositoryPush.pullRequests"],
  parameters: Schema.Struct({
    title: Schema.NonEmptyString,
    body: ToolSchema.withDefault(Schema.String.annotate({ description: "Markdown" }), ""),
    base: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Default: the remote's default branch" })),
    branch: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Default: the one checked out" })),
    remote: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Where the branch is pushed" })),
    into: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Remote of the base, for a fork" })),
    draft: Fields.flag("Not ready for review")
  }),
  output: Schema.Struct({
    url: Schema.String,
    number: Schema.Int,
    branch: Schema.String,
    base: Schema.String,
    commit: Schema.String
  }),
  forModel: ({ base, branch, commit, url }) => `Opened ${url} for ${branch} at ${Outputs.short(commit)} into ${base}`,
  preview: (parameters) =>
    Effect.map(proposalOf(parameters), (proposal) => ({
      render: render(proposal, parameters),
      preconditions: [factOf(proposal)]
    })),
  execute: Effect.fnUntraced(function* (parameters) {
    const proposal = yield* proposalOf(parameters)
    yield* Pinned.check(factOf(proposal))
    const { base, branch, into, remote, to } = proposal
    const repository = yield* Capability.RepositoryPush
    const { body, draft, title } = parameters
    const { number, url } = yield* repository.openPullRequest({
      remote,
      branch,
      commit: to,
      into,
      base,
      title,
      body,
      draft
    })
    return Tool.result({ output: { url, number, branch, base, commit: to }, display: `Opened ${url}` })
  })
})

const factOf = (proposal: RepositoryRead.Proposal): Tool.Fact => ({
  key: `pull request ${proposal.remote} ${proposal.branch} into ${proposal.into} ${proposal.base}`,
  digest: Canonical.digestOf([proposal.url, proposal.intoUrl, proposal.baseCommit, proposal.to])
})

interface PullRequestArguments {
  readonly title: string
  readonly body: string
  readonly base?: string
  readonly branch?: string
  readonly into?: string
  readonly remote?: string
}

const proposalOf = ({
  base,
  body,
  branch,
  into,
  remote,
  title
}: PullRequestArguments): Effect.Effect<RepositoryRead.Proposal, ToolError.ToolError, RepositoryRead.RepositoryRead> =>
  Effect.flatMap(Effect.andThen(checkTexts(title, body), Capability.RepositoryRead), (repository) =>
    repository.proposal({
      base: base ?? null,
      branch: branch ?? null,
      into: into ?? null,
      remote: remote ?? null,
      limit
    })
  )

const maxTitle = 256
const maxBodyBytes = 60_000

/**
 * Matches characters that would make a title look like another one: controls, line separators and marks of direction.
 */
const unfit = (): RegExp => /[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069]/u

const checkTexts = (title: string, body: string): Effect.Effect<void, ToolError.ToolError> =>
  title.trim() === "" || unfit().test(title)
    ? Effect.fail(invalid("title", "write one line of plain text"))
    : title.length > maxTitle
      ? Effect.fail(invalid("title", `write at most ${maxTitle} characters`))
      : Buffer.byteLength(body) > maxBodyBytes
        ? Effect.fail(invalid("body", `write at most ${maxBodyBytes} bytes`))
        : Effect.void

const invalid = (field: string, message: string) =>
  new ToolError.ValidationError({ message, field, issues: [{ path: field, message }] })

interface PullRequestText {
  readonly title: string
  readonly body: string
  readonly draft: boolean
}

const render = (proposal: RepositoryRead.Proposal, { body, draft, title }: PullRequestText): string => {
  const { base, branch, commits, files, into, intoUrl, pushed, remote, to, truncated, url } = proposal
  const isFork = remote !== into
  const pushes = pushed === to ? [] : [`pushes ${branch} to ${remote}, ${url}`]
  const lines = [
    `${draft ? "draft: " : ""}${title}`,
    `${isFork ? `${remote}/` : ""}${branch} at ${Outputs.short(to)} into ${isFork ? `${into}/` : ""}${base}, ${intoUrl}`,
    ...pushes,
    ...(body.trim() === "" ? [] : ["", body.trim()]),
    "",
    ...commits.map(Outputs.commitLine),
    ...(truncated ? ["and more commits"] : []),
    "",
    ...files.map(Outputs.fileLine)
  ]
  return `${lines.join("\n")}\n`
}
