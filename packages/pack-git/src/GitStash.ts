/** `git_stash`: lays aside what is not committed, and takes it back. */
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"

export const GitStash = Tool.make("git_stash", {
  version: 1,
  description: "Lay aside what is not committed (push), take it back (pop), or list what is laid aside",
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Capability.RepositoryWrite],
  parameters: Schema.Struct({
    action: Schema.Literals(["push", "pop", "list"]),
    message: ToolSchema.withDefault(Schema.String, ""),
    untracked: Fields.flag("Of push: new files too"),
    index: ToolSchema.withDefault(Schema.Natural.annotate({ description: "Of pop: 0 is the newest" }), 0)
  }),
  output: Schema.Struct({
    entries: Schema.Array(Schema.Struct({ index: Schema.Natural, subject: Schema.String }))
  }),
  forModel: ({ entries }) =>
    entries.length === 0
      ? "[nothing is laid aside]"
      : entries.map(({ index, subject }) => `${index} ${subject}`).join("\n"),
  execute: Effect.fnUntraced(function* ({ action, index, message, untracked }) {
    const repository = yield* Capability.RepositoryWrite
    if (action === "push") {
      const entry = yield* repository.stash(message, untracked)
      return Tool.result({ output: { entries: [entry] }, display: `Laid aside: ${entry.subject}` })
    }
    if (action === "pop") {
      const entry = yield* repository.unstash(index)
      return Tool.result({ output: { entries: [entry] }, display: `Took back: ${entry.subject}` })
    }
    const entries = yield* repository.stashes
    return Tool.result({ output: { entries }, display: `${entries.length} laid aside` })
  })
})
