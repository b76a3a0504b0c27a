/** `git_log`: lists commits, newest first. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Outputs from "./internal/outputs.ts"

export const GitLog = Tool.make("git_log", {
  version: 1,
  description: "List commits, newest first",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.RepositoryRead],
  parameters: Schema.Struct({
    range: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "A revision, or from..to" })),
    paths: Fields.paths,
    message: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Words of the message" })),
    author: Schema.optionalKey(Schema.NonEmptyString),
    limit: Fields.limit(20, 500)
  }),
  output: Schema.Struct({ commits: Schema.Array(Outputs.Commit), truncated: Schema.Boolean }),
  forModel: ({ commits, truncated }) =>
    commits.length === 0
      ? "[no commit]"
      : [...commits.map(Outputs.commitLine), ...(truncated ? ["[there are more; raise limit]"] : [])].join("\n"),
  execute: Effect.fnUntraced(function* ({ author = null, limit, message = null, paths, range = null }) {
    const repository = yield* Capability.RepositoryRead
    const log = yield* repository.log({ range, paths, message, author, limit })
    const count = Outputs.countOf(log.commits.length, "commit")
    return Tool.result({ output: log, display: `Found ${log.truncated ? "more than " : ""}${count}` })
  })
})
