/** `git_show`: shows a commit with its changes, or a file in a commit. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Outputs from "./internal/outputs.ts"

const maxBytes = 4 * 1024 ** 2

export const GitShow = Tool.make("git_show", {
  version: 1,
  description: "Show a commit and what it changed, or with `file` that file as it is in the commit",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.RepositoryRead],
  parameters: Schema.Struct({ commit: Fields.revision, file: Schema.optionalKey(Schema.NonEmptyString) }),
  output: Schema.Struct({
    commit: Outputs.Commit,
    diff: Schema.NullOr(Outputs.Diff),
    /** The text of the file; null: a commit is shown, or the file is not text. */
    text: Schema.NullOr(Schema.String)
  }),
  forModel: ({ commit, diff, text }) => {
    if (diff === null) return text ?? "[not text]"
    const body = commit.body === "" ? [] : [commit.body]
    return [`${Outputs.commitLine(commit)} <${commit.email}>`, ...body, Outputs.diffText(diff)].join("\n")
  },
  execute: Effect.fnUntraced(function* ({ commit: revision, file }) {
    const repository = yield* Capability.RepositoryRead
    const commit = yield* repository.commit(revision)
    const name = Outputs.short(commit.id)
    if (file !== undefined) {
      const text = textOf(yield* repository.readFile(commit.id, file, maxBytes))
      return Tool.result({ output: { commit, diff: null, text }, display: `Read ${file} as of ${name}` })
    }
    const from = commit.parents[0] ?? ""
    const diff = yield* repository.diff({
      sides: { _tag: "between", from, to: commit.id },
      paths: [],
      contextLines: 3,
      maxBytes
    })
    return Tool.result({ output: { commit, diff, text: null }, display: `${name}: ${commit.subject}` })
  })
})

/** Returns the text; null: the content is not text. */
const textOf = (bytes: Uint8Array): string | null =>
  bytes.includes(0) ? null : new TextDecoder().decode(bytes).replaceAll("\r\n", "\n")
