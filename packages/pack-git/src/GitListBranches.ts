/** `git_list_branches`: lists the branches, newest first. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Outputs from "./internal/outputs.ts"

export const GitListBranches = Tool.make("git_list_branches", {
  version: 1,
  description: "List branches, the newest first",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.RepositoryRead],
  parameters: Schema.Struct({ limit: Fields.limit(50, 1000) }),
  output: Schema.Struct({
    branches: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        commit: Schema.String,
        isCurrent: Schema.Boolean,
        upstream: Schema.NullOr(Outputs.Upstream),
        subject: Schema.String,
        atMillis: Schema.Number
      })
    )
  }),
  forModel: ({ branches }) =>
    branches.length === 0
      ? "[no branch]"
      : branches
          .map(({ commit, isCurrent, name, subject, upstream }) => {
            const follows = upstream === null ? "" : ` (follows ${Outputs.upstreamText(upstream)})`
            return `${isCurrent ? "*" : "-"} ${name} ${Outputs.short(commit)} ${subject}${follows}`
          })
          .join("\n"),
  execute: Effect.fnUntraced(function* ({ limit }) {
    const repository = yield* Capability.RepositoryRead
    const branches = yield* repository.branches(limit)
    return Tool.result({
      output: { branches },
      display: branches.length === 1 ? "1 branch" : `${branches.length} branches`
    })
  })
})
