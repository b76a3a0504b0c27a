/** `git_blame`: the commit of each line of a file. */
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Outputs from "./internal/outputs.ts"

const line = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

export const GitBlame = Tool.make("git_blame", {
  version: 1,
  description: "Show which commit each line of a file comes from",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.RepositoryRead],
  parameters: Schema.Struct({
    path: Schema.NonEmptyString,
    fromLine: ToolSchema.withDefault(line, 1),
    toLine: line,
    commit: Schema.optionalKey(Fields.revision)
  }),
  output: Schema.Struct({
    lines: Schema.Array(
      Schema.Struct({
        line: Schema.Natural,
        text: Schema.String,
        commit: Schema.NullOr(Schema.String),
        author: Schema.String,
        atMillis: Schema.Number
      })
    )
  }),
  forModel: ({ lines }) =>
    lines
      .map(({ author, commit, line: at, text }) =>
        commit === null ? `${at} not committed: ${text}` : `${at} ${Outputs.short(commit)} ${author}: ${text}`
      )
      .join("\n"),
  execute: Effect.fnUntraced(function* ({ commit = null, fromLine, path, toLine }) {
    const repository = yield* Capability.RepositoryRead
    const lines = yield* repository.blame({ path, fromLine, toLine, commit })
    const authors = new Set(lines.map(({ author }) => author)).size
    const count = Outputs.countOf(lines.length, "line")
    return Tool.result({ output: { lines }, display: `${count} of ${path} by ${Outputs.countOf(authors, "author")}` })
  })
})
